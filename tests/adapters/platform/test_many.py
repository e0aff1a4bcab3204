"""Many at once: threads side by side, one thread in order, a crowded channel that holds up no other."""

import logging
from collections.abc import Sequence

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

_LONGEST_QUEUE = 50
_A_MINUTE = 20
_AT_ONCE = 16
_MOST_WAITING = 100


async def _first_lines(stage: Stage, asked: Sequence[Message]) -> list[str]:
    """Wait until all of them are answered, and return how each answer begins."""
    await stage.wait_for(lambda: all(stage.answers_to(one) for one in asked))
    return [stage.answers_to(one)[0].content.split("\n")[0] for one in asked]


def _asked_by_a_crowd(stage: Stage, words: Sequence[str]) -> list[Message]:
    """Nobody asks more than anybody may in a minute."""
    crowd = [stage.newcomer(f"Reader {number}") for number in range(len(words) // _A_MINUTE + 1)]
    return [stage.ask(one, by=crowd[number // _A_MINUTE]) for number, one in enumerate(words)]


async def test_ten_threads_are_answered_side_by_side(stage: Stage, services: PlatformServices) -> None:
    words = [f"Question {number}?" for number in range(10)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with stage.running(answers.instead_of(services)) as bot:
        asked = [stage.ask(one) for one in words]
        await answers.was_asked(10)
        for one in reversed(words):
            answers.release(one)
        assert await _first_lines(stage, asked) == [f"To {one}" for one in words]
        await bot.settled()


async def test_ten_threads_with_the_real_house(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        asked = [stage.ask(f"Who lit the lamp? {number}") for number in range(10)]
        texts = set(await _first_lines(stage, asked))
        await bot.settled()
    assert len(texts) == 1


async def test_a_flood_in_one_thread_is_answered_in_order_and_bounded(
    stage: Stage, services: PlatformServices, caplog: pytest.LogCaptureFixture
) -> None:
    thread = stage.thread()
    words = [f"Question {number}" for number in range(_LONGEST_QUEUE + 6)]
    answers = ScriptedAnswers("To {asked}", held=words[:1])
    async with stage.running(answers.instead_of(services)) as bot:
        asked = [stage.say(thread, words[0])]
        await answers.was_asked(1)  # else the first may still wait among those that fill the queue
        asked += [stage.say(thread, one) for one in words[1:]]
        await stage.wait_for(lambda: sum(stage.emoji.failed in one.reactions for one in asked) == 5)
        answers.release(words[0])
        await stage.wait_for(lambda: len(answers.answered) == _LONGEST_QUEUE + 1)
        await bot.settled()
    assert answers.answered == words[: _LONGEST_QUEUE + 1]
    said = [one.content.split("\n")[0] for one in stage.public()]
    assert [one for one in said if one.startswith("To ")] == [f"To {one}" for one in answers.answered]
    assert await services.inbox.unfinished(stage.name) == []
    refused = [one for one in caplog.records if "Too many questions wait" in one.getMessage()]
    assert len(refused) == 5
    assert all(record.levelno == logging.WARNING for record in refused)


async def test_a_channel_full_of_questions_holds_up_no_other(stage: Stage, services: PlatformServices) -> None:
    other = stage.another()
    words = [f"Question {number}?" for number in range(60)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with stage.running(answers.instead_of(services)) as bot:
        asked = _asked_by_a_crowd(stage, words)
        await answers.was_asked(_AT_ONCE)
        await other.answer_to(other.ask("Here?"))
        assert len(answers.asked) == _AT_ONCE + 1
        for one in words:
            answers.release(one)
        await _first_lines(stage, asked)
        await bot.settled()


async def test_what_is_too_much_for_a_channel_is_refused_by_a_reaction(
    stage: Stage, services: PlatformServices, caplog: pytest.LogCaptureFixture
) -> None:
    words = [f"Question {number}?" for number in range(_AT_ONCE + _MOST_WAITING + 4)]
    answers = ScriptedAnswers(held=words)
    async with stage.running(answers.instead_of(services)) as bot:
        asked = _asked_by_a_crowd(stage, words)
        await stage.wait_for(lambda: sum(stage.emoji.failed in one.reactions for one in asked) == 4)
        for one in words:
            answers.release(one)
        await stage.wait_for(lambda: sum(bool(stage.answers_to(one)) for one in asked) == len(words) - 4)
        await bot.settled()
    assert len([one for one in caplog.records if "Too many questions wait" in one.getMessage()]) == 4
    assert await services.inbox.unfinished(stage.name) == []


async def test_a_flood_is_refused_once_and_marked_each_time(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    thread = stage.thread()
    async with stage.running() as bot:
        asked = [stage.say(thread, f"Who lit the lamp, {number}?", mention=True) for number in range(30)]
        await stage.wait_for(lambda: sum(stage.emoji.failed in one.reactions for one in asked) == 10)
        await bot.settled()
    refused = [one for one in stage.public() if one.content.startswith("That was a lot at once")]
    assert len(refused) == 1
