"""The club's business told from other errands on the written messages of fixtures/scope: floors, without a model.

`python -m benchmarks.scope` prints the figures and every miss.
"""

import asyncio

import pytest

from benchmarks.scope import Judged, judge_all, precision_and_recall, read_messages

_MOST_WRONGLY_TURNED_AWAY = 2
_LEAST_TURNED_AWAY = 28
_MOST_GREY_IN_SCOPE, _MOST_GREY = 11, 29
_LEAST_AT_BEST = 0.94


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    """The messages with their verdicts, judged once."""
    return asyncio.run(judge_all(read_messages()))


def test_half_of_the_messages_are_off_topic_and_each_stands_once() -> None:
    messages = read_messages()
    assert len(messages) == len({message.id for message in messages}) == len({message.text for message in messages})
    assert sum(message.off_topic for message in messages) * 2 == len(messages) == 100


def test_a_message_that_takes_up_another_follows_one_in_the_fixture_or_the_bots_own_words() -> None:
    messages = read_messages()
    said = {message.text for message in messages}
    follow_ups = [message for message in messages if message.after is not None]
    assert len(follow_ups) >= 8
    assert sum(message.after in said for message in follow_ups) >= 6


def test_hardly_a_message_about_the_book_is_turned_away(judged: list[Judged]) -> None:
    wrongly = [each.message.text for each in judged if each.turned_away and not each.message.off_topic]
    assert len(wrongly) <= _MOST_WRONGLY_TURNED_AWAY, wrongly


def test_more_than_half_of_the_other_errands_are_turned_away_without_a_model(judged: list[Judged]) -> None:
    assert sum(each.turned_away and each.message.off_topic for each in judged) >= _LEAST_TURNED_AWAY


def test_few_messages_need_a_models_word(judged: list[Judged]) -> None:
    grey = [each for each in judged if each.verdict.is_grey]
    assert len(grey) <= _MOST_GREY
    assert sum(not each.message.off_topic for each in grey) <= _MOST_GREY_IN_SCOPE


def test_with_a_judge_that_never_errs_nearly_all_is_told_apart(judged: list[Judged]) -> None:
    assert min(precision_and_recall(judged, lambda each: each.turned_away_at_best)) >= _LEAST_AT_BEST
