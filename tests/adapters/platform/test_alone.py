"""One person alone with the bot: the same conversations at a terminal, in the browser and in a DM."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text

from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import CANNOT_SAY, WENT_WRONG
from tests.adapters.platform.alone import Alone, in_browser, in_direct_messages, in_terminal
from tests.adapters.platform.conftest import staged
from tests.adapters.platforms import LIGHTHOUSE
from tests.fakes.chat_provider import ScriptedChatProvider

_LOCAL = ["terminal", "browser"]
_LAMP, _WRECK = "Who lit the lamp?", "Who rowed out to the wreck?"
_PLACES = pytest.mark.parametrize("where", [*_LOCAL, "discord", "slack"])
_IN_TWO = pytest.mark.parametrize("where", ["browser", "discord"])
"""One place of our own and a DM, for what is decided in the part that all of them share."""
_LOCALLY = pytest.mark.parametrize("where", _LOCAL)


@asynccontextmanager
async def _talking(where: str, house: Application) -> AsyncIterator[Alone]:
    """Start a conversation about the small book, without a page."""
    path = house.settings.thusfar_home / "lamp.txt"
    path.write_text(LIGHTHOUSE, encoding="utf-8")
    book = (await house.library.add(path, scope="local", title="The Lamp", author="N. N.")).book
    if where == "terminal":
        async with in_terminal(house, book) as alone:
            yield alone
    elif where == "browser":
        async with in_browser(house, book) as alone:
            yield alone
    else:
        async with staged(where, platform_services(house)) as stage, in_direct_messages(house, stage, book) as alone:
            yield alone


@pytest_asyncio.fixture
async def alone(where: str, house: Application) -> AsyncIterator[Alone]:
    async with _talking(where, house) as alone:
        yield alone


@_PLACES
async def test_a_page_is_set_and_answers_reach_up_to_it(alone: Alone, house: Application) -> None:
    assert "You set the page to p. 3 (75 %)." in await alone.say("/setpage 3")
    answer = await alone.say(_WRECK)
    assert "Ines rowed out to the wreck" in answer
    assert "up to p. 3" in answer
    assert "You set the page back from p. 3 to p. 2 (50 %)." in await alone.say("/setpage 2")
    assert await alone.page(house) == 2
    ahead = await alone.say(_WRECK)
    assert CANNOT_SAY in ahead
    assert "Ines" not in ahead
    assert "Marrable the keeper lit the lamp" in await alone.say(_LAMP)


@_PLACES
async def test_a_question_asked_too_early_is_answered_once_when_the_page_is_set(alone: Alone) -> None:
    assert "have you" in await alone.say(_LAMP)
    assert "no page set" in await alone.say("/where")
    told = await alone.say("/setpage 2")
    assert told.count("lit the lamp of the lighthouse") == 1
    assert told.index("You set the page to p. 2") < told.index("lit the lamp of the lighthouse")
    assert "lit the lamp of the lighthouse" not in await alone.say("/where")


@_IN_TWO
async def test_choosing_a_page_also_answers_the_waiting_question(alone: Alone, house: Application) -> None:
    await alone.say(_LAMP)
    assert "more than one page" in await alone.say("/setpage 1 of 1")
    assert "lit the lamp of the lighthouse" in await alone.choose("p. 1")
    assert await alone.page(house) == 1


@_IN_TWO
async def test_a_question_asked_too_early_and_forgotten_is_not_answered(alone: Alone) -> None:
    await alone.say(_LAMP)
    await alone.say("/forget thread")
    assert "lighthouse" not in await alone.say("/setpage 2")


@_PLACES
async def test_club_commands_work_alone_and_those_for_groups_say_so(alone: Alone) -> None:
    assert "p. 3" in await alone.say("/mypage 3")
    assert "Ines rowed out to the wreck" in await alone.say(f"/ask {_WRECK}")
    assert "Today: 1 question, 1 answered" in await alone.say("/usage")
    assert "You're alone with me here" in await alone.say("/watch on")
    assert "I've forgotten 1 message of yours" in await alone.say("/forget me")


@_LOCALLY
async def test_a_member_gets_their_own_data_as_a_file(alone: Alone, house: Application) -> None:
    assert "I don't keep anything about you" in await alone.say("/export me")
    await alone.say("/setpage 2")
    await alone.say("/mypage 3")
    await alone.say(f"/ask {_WRECK}")
    await alone.say("/predict The keeper sinks the canaryship")
    told = await alone.say("/export me")
    (path,) = house.settings.thusfar_home.glob("**/about-you.json")
    assert path.name in told
    kept = json.loads(path.read_text())
    said = {(one["by"], one["private"]) for one in kept["questions"]}
    assert said == {("you", True), ("me", True)}
    assert "Ines rowed out to the wreck" in str(kept["questions"])
    assert kept["quotes_and_predictions"][0]["text"] == "The keeper sinks the canaryship"
    assert kept["pages"][0]["current_page"] == 3
    await alone.say("/forget me")
    assert "I don't keep anything about you" in await alone.say("/export me")


@_LOCALLY
@pytest.mark.parametrize("what", ["me", "thread", "club"])
async def test_forgotten_text_is_in_no_file_of_the_home(alone: Alone, house: Application, what: str) -> None:
    await alone.say("/setpage 2")
    await alone.say("Who lit the canarylamp?")
    await alone.say("/ask Who lit the canaryprivate?")
    if what != "thread":
        await alone.say("/mypage 2")
        await alone.say("/predict The canaryship sinks")
        await alone.say("/later Who is the canarylater?")
    assert _holding(house, b"canary")
    if f"Forget this {what}" in await alone.say(f"/forget {what}"):  # the terminal's lines confirm themselves
        await alone.choose(f"Forget this {what}")
    assert _holding(house, b"canary") == []


def _holding(house: Application, word: bytes) -> list[str]:
    """Return the files of the home that contain a word anywhere in their bytes."""
    files = (path for path in house.settings.thusfar_home.rglob("*") if path.is_file())
    return [path.name for path in files if word in path.read_bytes().lower()]


@_IN_TWO
async def test_a_word_that_is_a_whole_command_needs_no_slash(alone: Alone) -> None:
    await alone.say("/setpage 2")
    for said in ("where", "/where", "WHERE"):
        assert "The Lamp, 4 pages: up to p. 2." in await alone.say(said)


@_LOCALLY
async def test_a_command_that_deletes_needs_its_slash(alone: Alone, house: Application) -> None:
    await alone.say("/setpage 2")
    for said in ("forget me", "forget club", "forget thread", "finish"):
        assert "orgotten" not in await alone.say(said)
        assert await alone.page(house) == 2


@_IN_TWO
async def test_a_question_that_begins_like_a_command_is_a_question(alone: Alone) -> None:
    await alone.say("/setpage 2")
    for question in ("where is the lamp?", "who lit the lamp?"):
        answer = await alone.say(question)
        assert "The Lamp, 4 pages" not in answer
        assert "Marrable the keeper lit the lamp" in answer


@_IN_TWO
async def test_an_impossible_request_gets_a_sentence_and_changes_nothing(alone: Alone, house: Application) -> None:
    await alone.say("/setpage 2")
    for line in ("/setpage soon", "/setpage 9", "/setpage -1", "/book use nosuch", "/edition 5x"):
        refused = await alone.say(line)
        assert refused.strip()
        assert "Traceback" not in refused
        assert WENT_WRONG not in refused
        assert await alone.page(house) == 2
    assert "The Lamp, 4 pages: up to p. 2." in await alone.say("/where")


@_IN_TWO
async def test_a_model_failure_is_one_sentence_and_the_conversation_goes_on(where: str, own_home: Path) -> None:
    failing = ScriptedChatProvider(*[LLMError(LLMErrorCode.OVERLOADED, "busy at 10.0.0.7")] * 2)
    settings = Settings(thusfar_home=own_home)
    house = build(settings, answers_with=failing)
    try:
        async with _talking(where, house) as alone:
            await alone.say("/setpage 2")
            told = await alone.say(_LAMP)
            assert "10.0.0.7" not in told
            assert "Marrable" in told
            assert "The Lamp, 4 pages: up to p. 2." in await alone.say("/where")
    finally:
        await house.close()


@_LOCALLY
async def test_here_shows_the_text_around_and_more_the_next_passages_until_none_is_left(alone: Alone) -> None:
    await alone.say("/setpage end")
    for typed in ("/more", "/here"):
        assert "There's no other passage to show." in await alone.say(typed)
    answer = await alone.say("Who lit the lamp?")
    assert "lit the lamp" in answer
    assert "lit the lamp" in await alone.say("/here")
    shown = [answer]
    while "There's no other passage to show." not in (told := await alone.say("/more")):
        shown.append(told)
        assert len(shown) < 5
    assert len(set(shown)) == len(shown)
    assert "There's no other passage to show." in await alone.say("/more")


@_LOCALLY
async def test_book_lists_the_books_and_help_says_first_how_to_ask(alone: Alone) -> None:
    assert "The Lamp, 4 pages" in await alone.say("/book")
    few, everything = await alone.say("/help"), await alone.say("/HELP ALL")
    for shown in (few, everything):
        assert "just write" in shown.lower()
        assert "/setpage" in shown
    assert "/calibrate" not in few
    for command in ("/setpage", "/mypage", "/ask", "/usage", "/calibrate", "/where", "/book use", "/help"):
        assert command in everything


@_LOCALLY
async def test_odd_lines_do_no_harm(alone: Alone) -> None:
    await alone.say("/setpage 2")
    for odd in (
        "x" * 5_000,
        "lamp " * 1_000,
        "\x00\x1b[31m lamp",
        "夜 🎉 '; DROP TABLE book; --",
        "/setpage\u00a02",
        "?",
    ):
        assert "Traceback" not in await alone.say(odd)
    assert "Marrable the keeper lit the lamp" in await alone.say(_LAMP)


@_LOCALLY
async def test_the_operator_reads_what_is_wrong_with_the_database_and_goes_on_when_it_is_back(
    alone: Alone, house: Application, caplog: pytest.LogCaptureFixture
) -> None:
    await alone.say("/setpage 2")
    await house.database.write(lambda session: session.execute(text("ALTER TABLE message RENAME TO away")))
    told = await alone.say(_LAMP)
    await house.database.write(lambda session: session.execute(text("ALTER TABLE away RENAME TO message")))
    assert told.count("no such table") == 1
    assert "no such table" not in caplog.text
    assert "The Lamp, 4 pages: up to p. 2." in await alone.say("/where")
