"""What both providers cache is a request's beginning: turn after turn, it must go out byte for byte as before."""

import json
from itertools import pairwise

import pytest

from tests.scenarios.conftest import Opened
from tests.scenarios.dialogues import DialogueTurn, dialogue
from tests.scenarios.wires import WIRES
from tests.servers.scripted import ReceivedRequest

_CACHE_MARK = b',"cache_control":{"type":"ephemeral"}'
"""Where it stands moves with the conversation; it is no part of what is cached."""


def _part(request: ReceivedRequest, name: str) -> bytes:
    """The bytes of one field as they went out, without the marks for the cache."""
    written = json.dumps(request.json().get(name), ensure_ascii=False, separators=(",", ":")).encode()
    assert written in request.body or written == b"null", "the SDK writes JSON in another way than this test reads it"
    return written.replace(_CACHE_MARK, b"")


def _begins_with(later: ReceivedRequest, earlier: ReceivedRequest, *, until: str = "") -> bool:
    """Whether all that `earlier` sent stands at the beginning of `later`: tools, system prompt, every message.

    With `until`, all messages before the one that says so: the passages that went along with it are sent once.
    """
    same = all(_part(later, name) == _part(earlier, name) for name in ("model", "tools", "system"))
    # Without the brackets at its end: a question that was never answered shares its message with the next.
    said = _part(earlier, "messages").removesuffix(b"]").removesuffix(b"}").removesuffix(b"]")
    if until:
        said = said.rpartition(json.dumps(until, ensure_ascii=False)[1:-1].encode())[0].rpartition(b',{"')[0]
    return same and _part(later, "messages").startswith(said)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("name", ["follow-up", "calls-that-cannot-run", "fault-after-a-search"])
async def test_a_turn_begins_with_the_bytes_of_the_turn_before(opened: Opened, name: str, wire: str) -> None:
    player = await opened(wire, **dialogue(name).settings)
    more = [_small_talk(question) for question in ("Thanks!", "“Thanks” – that’s lovely!")]
    turns = [*dialogue(name).turns, *more]
    firsts = [(await player.turn(turn))[0] for turn in turns]
    assert len(firsts) >= 3
    for (earlier, later), turn in zip(pairwise(firsts), turns, strict=False):
        assert _begins_with(later, earlier, until=turn.said)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("name", ["several-searches", "calls-that-cannot-run", "limit-then-answer"])
async def test_a_call_begins_with_the_bytes_of_the_call_before(opened: Opened, name: str, wire: str) -> None:
    player = await opened(wire, **dialogue(name).settings)
    (turn,) = dialogue(name).turns
    calls = await player.turn(turn)
    assert len(calls) >= 2
    for earlier, later in pairwise(calls):
        assert _begins_with(later, earlier)


async def test_anthropic_is_told_to_keep_what_the_next_turn_begins_with(opened: Opened) -> None:
    player = await opened("anthropic")
    said = [_small_talk(question, page="3") for question in ("Hello!", "Thank you!")]
    first, second = [(await player.turn(turn))[0].json() for turn in said]
    for body in (first, second):
        assert "cache_control" in body["system"][-1]
        assert "cache_control" in body["tools"][-1]
    marked = [block for message in second["messages"] for block in message["content"] if "cache_control" in block]
    assert [block["text"] for block in marked] == ["You are welcome."]


def _small_talk(question: str, *, page: str | None = None) -> DialogueTurn:
    return DialogueTurn.model_validate(
        {
            "said": question,
            "page": page,
            "model": [{"text": "You are welcome."}],
            "then": {
                "answer": "You are welcome.",
                "events": ["100 in, 20 out", "answered"],
                "stored": [{"user": question}, {"assistant": "You are welcome."}],
                "record": {"tokens": [100, 20, 0, 0]},
            },
        }
    )
