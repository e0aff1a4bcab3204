"""Concurrency: threads in parallel, one thread in order, a busy channel that delays no other."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

_FLOOD = 30
_A_MINUTE = 20
_AT_ONCE = 16


async def _first_lines(stage: Stage, asked: Sequence[Message]) -> list[str]:
    """Wait until all of them are answered, and return how each answer begins."""
    await stage.wait_for(lambda: all(stage.answers_to(one) for one in asked))
    return [stage.answers_to(one)[0].content.split("\n")[0] for one in asked]


def _asked_by_a_crowd(stage: Stage, words: Sequence[str]) -> list[Message]:
    """Lift the limit of questions per member and minute."""
    crowd = [stage.newcomer(f"Reader {number}") for number in range(len(words) // _A_MINUTE + 1)]
    return [stage.ask(one, by=crowd[number // _A_MINUTE]) for number, one in enumerate(words)]


def _few(answers: ScriptedAnswers, services: PlatformServices) -> PlatformServices:
    """Return services that answer this many questions of a channel at once."""
    return replace(answers.instead_of(services), turns_at_once=2 * _AT_ONCE)


async def test_ten_threads_are_answered_in_parallel(stage: Stage) -> None:
    words = [f"Question {number}?" for number in range(10)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with stage.settling(answers):
        asked = [stage.ask(one) for one in words]
        await answers.was_asked(10)
        for one in reversed(words):
            answers.release(one)
        assert await _first_lines(stage, asked) == [f"To {one}" for one in words]


async def test_ten_threads_with_the_real_application(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        asked = [stage.ask(f"Who lit the lamp? {number}") for number in range(10)]
        texts = set(await _first_lines(stage, asked))
    assert len(texts) == 1


async def test_a_flood_in_one_thread_is_answered_in_order(stage: Stage, services: PlatformServices) -> None:
    thread = stage.thread()
    words = [f"Question {number}" for number in range(_FLOOD)]
    answers = ScriptedAnswers("To {asked}", held=words[:1])
    async with stage.settling(answers):
        asked = [stage.say(thread, words[0])]
        await answers.was_asked(1)
        asked += [stage.say(thread, one) for one in words[1:]]
        answers.release(words[0])
        await stage.wait_for(lambda: len(answers.answered) == _FLOOD)
    assert answers.answered == words
    assert not any(one.reactions for one in asked)
    said = [one.content.split("\n")[0] for one in stage.public()]
    assert [one for one in said if one.startswith("To ")] == [f"To {one}" for one in answers.answered]
    assert await services.inbox.unfinished(stage.name) == []


async def test_a_channel_full_of_questions_delays_no_other(stage: Stage, services: PlatformServices) -> None:
    other = stage.another()
    words = [f"Question {number}?" for number in range(2 * _AT_ONCE)]
    answers = ScriptedAnswers("To {asked}", held=words)
    async with stage.settling(_few(answers, services)):
        asked = _asked_by_a_crowd(stage, words)
        await answers.was_asked(_AT_ONCE)
        await other.answer_to(other.ask("Here?"))
        assert len(answers.asked) == _AT_ONCE + 1
        for one in words:
            answers.release(one)
        await _first_lines(stage, asked)


async def test_a_channel_with_more_questions_than_run_at_once_loses_none(
    stage: Stage, services: PlatformServices
) -> None:
    words = [f"Question {number}?" for number in range(3 * _AT_ONCE)]
    answers = ScriptedAnswers(held=words)
    async with stage.settling(_few(answers, services)):
        asked = _asked_by_a_crowd(stage, words)
        await answers.was_asked(_AT_ONCE)
        for one in words:
            answers.release(one)
        await stage.wait_for(lambda: all(stage.answers_to(one) for one in asked))
    assert await services.inbox.unfinished(stage.name) == []


async def test_a_flood_is_refused_once_and_marked_each_time(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    thread = stage.thread()
    async with stage.settling():
        asked = [stage.say(thread, f"Who lit the lamp, {number}?", mention=True) for number in range(30)]
        await stage.wait_for(lambda: sum(stage.emoji.failed in one.reactions for one in asked) == 10)
    refused = [one for one in stage.public() if one.content.startswith("That was a lot at once")]
    assert len(refused) == 1
