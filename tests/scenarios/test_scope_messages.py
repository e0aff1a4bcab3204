"""The club's business told from other errands on the written messages of fixtures/scope: floors, without a model.

`python -m benchmarks.scope` prints the figures and every miss.
"""

from benchmarks.scope import precision_and_recall, read_messages, verdicts_of

_LEAST_PRECISION, _LEAST_RECALL = 0.9, 0.6


def test_half_of_the_messages_are_off_topic_and_each_stands_once() -> None:
    messages = read_messages()
    assert len(messages) == len({each["id"] for each in messages}) == len({each["text"] for each in messages})
    assert sum(each["off_topic"] for each in messages) * 2 == len(messages) == 100


def test_a_message_that_takes_up_another_follows_one_in_the_fixture_or_the_bots_own_words() -> None:
    messages = read_messages()
    said = {each["text"] for each in messages}
    after = [each["after"] for each in messages if each["after"] is not None]
    assert len(after) >= 8
    assert sum(each in said for each in after) >= 6


def test_most_other_errands_are_turned_away_and_hardly_a_message_about_the_book() -> None:
    messages = read_messages()
    turned, off = [each.is_off for each in verdicts_of(messages)], [each["off_topic"] for each in messages]
    precision, recall = precision_and_recall(turned, off)
    assert precision >= _LEAST_PRECISION
    assert recall >= _LEAST_RECALL
