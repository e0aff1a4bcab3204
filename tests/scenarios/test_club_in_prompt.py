"""A model hears of the club's dates, predictions and people over both wires, and of each only what all may see."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.club.commands.values import CommandRequest, CommandResponse
from core.domain.question import IncomingMessage
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from tests.builders import ADA
from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import ModelStep
from tests.scenarios.player import THREAD, Player
from tests.scenarios.wires import WIRES

_OPINION = "What do you think of our predictions, is the keeper honest?"


async def _use(player: Player, words: str, text: str = "") -> CommandResponse:
    request = CommandRequest(thread=THREAD, member=ADA, is_organiser=True, text=text)
    return await player.thusfar.clubs().registry().run(words, request)


async def _sent(player: Player, text: str, answer: str = "I find him odd.", *, thread: Thread = THREAD) -> str:
    """Ask a question that one call answers; return what went to the model."""
    player.wire.script(ModelStep(text=answer))
    before = len(player.wire.server.requests)
    reply = await player.thusfar.answer_message.execute(IncomingMessage(thread=thread, author=ADA, text=text))
    assert reply.text == answer
    (request,) = player.wire.server.requests[before:]
    return json.dumps(request.json(), ensure_ascii=False)


@pytest.mark.parametrize("wire", WIRES)
async def test_predictions_go_along_once_they_are_open_and_not_before(opened: Opened, wire: str) -> None:
    player = await opened(wire)
    await player.set_page("2")
    await _use(player, "predict", "The keeper stole it until p. 4")
    await _use(player, "predict", "Nobody stole it until p. 6")
    assert "stole it" not in await _sent(player, _OPINION)
    await player.set_page("4")
    sent = await _sent(player, _OPINION)
    assert "[Predictions of members, by page: Ada (p. 4) “The keeper stole it”]" in sent
    assert "Nobody stole it" not in sent
    await player.set_page("3")
    assert "stole it" not in await _sent(player, _OPINION)


@pytest.mark.parametrize("wire", WIRES)
async def test_the_schedule_is_answered_from_as_members_see_it(opened: Opened, wire: str) -> None:
    player = await opened(wire)
    await player.set_page("2")
    asked = "Is chapter 2 a good stop for Sunday?"
    assert "Schedule of the club" not in await _sent(player, asked)
    (button,) = (await _use(player, "schedule make", "3 weeks from 2 March 2126, Sundays 19:00 Europe/Berlin")).choices
    await _use(player, button.command, button.text)
    sent = await _sent(player, asked, "Section 2 ends on p. 4, Ada, so that would do.")
    assert "section 1 (p. 2) by Sunday, 3 March; 2 (p. 4) by Sunday, 10 March; 3 (p. 6) by Sunday, 17 March" in sent
    assert "What the Coal Hid" not in sent
    assert "Schedule of the club" not in await _sent(player, "Why did the ferry leave?")


@pytest.mark.parametrize("wire", WIRES)
async def test_people_go_along_as_far_as_they_have_been_met(opened: Opened, wire: str, tmp_path: Path) -> None:
    player, thread = await opened(wire), replace(THREAD, thread="t2")
    path = tmp_path / "tide.txt"
    pages = [f"{name} came down to the quay. “Come,” said {name}, and {name} went." for name in ("Marsh", "Verne")]
    path.write_text("\f".join(pages), encoding="utf-8")
    book = (await player.thusfar.library.add(path, scope=LOCAL_SCOPE, title="The Tide")).book
    await player.thusfar.threads.open(thread, book_id=book.book_id)
    for page, met in (("1", "[Met so far, and where first: Marsh (p. 1)]"), ("2", "Marsh (p. 1), Verne (p. 2)]")):
        club = await player.thusfar.threads.club(thread)
        await player.thusfar.clubs().positions.set(club, text=page, member=ADA, confirmed=True)
        sent = await _sent(player, "Who is who again?", thread=thread)
        assert met in sent
        assert ("Verne" in sent) is (page == "2")
