"""Servers that give two calls one id, or odd names: the next request is one that both APIs take all the same."""

import pytest

from core.domain.question import IncomingMessage
from tests.builders import ADA
from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import ModelStep
from tests.scenarios.player import THREAD
from tests.scenarios.wires import WIRES

_ANSWER = "Ada Lindqvist carried a brass compass in her coat (p. 1)."


def _calls(*names: str) -> ModelStep:
    tools = [{"id": "call_1", "name": name, "arguments": {"query": f"compass {at}"}} for at, name in enumerate(names)]
    return ModelStep.model_validate({"tools": tools})


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "rounds",
    [
        [("search_book", "search_book")],
        [("search_book",), ("search_book",)],
        [("functions.search_book",), ("search book!",)],
    ],
    ids=["twice at once", "round after round", "odd names"],
)
async def test_calls_with_one_id_or_an_odd_name_end_in_an_answer(
    opened: Opened, wire: str, rounds: list[tuple[str, ...]]
) -> None:
    player = await opened(wire)
    await player.set_page("3")
    for step in (*(_calls(*names) for names in rounds), ModelStep(text=_ANSWER)):
        player.wire.script(step)
    message = IncomingMessage(thread=THREAD, author=ADA, text="Who carried the compass?")
    reply = await player.thusfar.answer_message.execute(message)
    assert not player.wire.server.refusals
    assert (reply.text, reply.failed) == (_ANSWER, False)
