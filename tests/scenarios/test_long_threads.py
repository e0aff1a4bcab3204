"""A long thread in the default strategy: what goes out is bounded, is cached, and is only what the page allows."""

import json
from itertools import pairwise
from typing import Any

import pytest

from core.domain.question import IncomingMessage
from tests.builders import ADA
from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import ModelStep
from tests.scenarios.player import THREAD, Player
from tests.scenarios.wires import WIRES

_ANSWER = "Ada Lindqvist carried a brass compass in her coat (p. 1)."
_LATER = "The magistrate confessed in the chapel before the candles were out (p. 6)."
_MARK = ', "cache_control": {"type": "ephemeral"}'


async def _reader(opened: Opened, wire: str, page: str, **settings: str) -> Player:
    player = await opened(wire, **settings)
    await _set_page(player, page)
    return player


async def _set_page(player: Player, page: str) -> None:
    await player.set_page(page)


async def _sent(player: Player, question: str, answer: str = _ANSWER) -> dict[str, Any]:
    """Ask; return the one request that went out for it."""
    player.wire.script(ModelStep(text=answer))
    before = len(player.wire.server.requests)
    reply = await player.thusfar.answer_message.execute(IncomingMessage(thread=THREAD, author=ADA, text=question))
    assert reply.text == answer
    (request,) = player.wire.server.requests[before:]
    body: dict[str, Any] = request.json()
    return body


def _messages(request: dict[str, Any]) -> list[str]:
    return [json.dumps(message, ensure_ascii=False).replace(_MARK, "") for message in request["messages"]]


@pytest.mark.parametrize("wire", WIRES)
async def test_all_but_the_last_turn_and_the_question_goes_out_as_before(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire, "3", THUSFAR_MAX_HISTORY_MESSAGES="8")
    requests = [await _sent(player, f"Who carried the compass, time {number}?") for number in range(1, 13)]
    cut = 0
    for earlier, later in pairwise(requests):
        assert (earlier.get("system"), earlier["tools"]) == (later.get("system"), later["tools"])
        kept = _messages(earlier)[:-3]
        cut += _messages(later)[: len(kept)] != kept
    assert cut <= len(requests) // 2, "the window moves in steps, and does not begin anew with every turn"


@pytest.mark.parametrize("wire", WIRES)
async def test_the_thirtieth_turn_sends_no_three_times_what_the_tenth_does(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire, "3", THUSFAR_MAX_HISTORY_MESSAGES="6", THUSFAR_QUESTIONS_A_MINUTE="100")
    sizes = [
        len(json.dumps((await _sent(player, f"Who carried the compass, time {number}?"))["messages"]))
        for number in range(1, 31)
    ]
    assert max(sizes[20:]) < 1.5 * max(sizes[5:15])


@pytest.mark.parametrize("wire", WIRES)
async def test_a_page_set_back_in_the_middle_takes_the_summary_back_too(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire, "6", THUSFAR_MAX_HISTORY_MESSAGES="4")
    told = [await _sent(player, f"Who confessed in the chapel, time {number}?", _LATER) for number in range(1, 6)]
    assert "Earlier in this thread" in json.dumps(told[-1]["messages"])
    await _set_page(player, "2")
    back = [await _sent(player, f"Who carried the compass, time {number}?") for number in range(1, 6)]
    assert "chapel" not in json.dumps(back), "the words of a later page are in a prompt for an earlier one"
    assert "Earlier in this thread" in json.dumps(back[-1]["messages"])
    await _set_page(player, "6")
    assert "confessed in the chapel" in json.dumps(await _sent(player, "Who carried the compass at last?"))
