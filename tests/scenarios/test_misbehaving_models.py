"""Models that keep to no form, over both wires: the turn is answered, and the next turn's request is still taken."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import describe
from core.domain.question import IncomingMessage, Reply
from core.domain.tool_use import WENT_ALONG
from tests.builders import ADA
from tests.platform_servers.markup import as_read
from tests.scenarios.conftest import Opened
from tests.scenarios.player import THREAD, Player
from tests.scenarios.wires import WIRES, AnthropicWire, OpenAIWire, Wire
from tests.servers import anthropic_server, openai_server
from tests.servers.scripted import Reply as Wired
from tests.servers.scripted import json_reply

Call = tuple[str, str]
"""A tool's name, and its arguments as the model wrote them."""

_ANSWER = "Ada Lindqvist carried a brass compass in her coat (p. 1)."
_QUESTION = "Who carried the compass?"


def _calls(wire: Wire, calls: Sequence[Call], text: str | None = None, *, ids: str = "call") -> Wired:
    """A message with these calls, their arguments byte for byte."""
    if isinstance(wire, OpenAIWire):
        wanted = [openai_server.call(raw, call_id=f"{ids}_{at}", name=name) for at, (name, raw) in enumerate(calls)]
        return openai_server.answer(text, calls=wanted)
    uses = [anthropic_server.tool_use(f"{ids}_{at}", f"@{at}@", name) for at, (name, _) in enumerate(calls)]
    said = [anthropic_server.text(text)] if text else []
    body = json.dumps(anthropic_server.message(*said, *uses, stop_reason="tool_use"))
    for at, (_, raw) in enumerate(calls):
        body = body.replace(json.dumps(f"@{at}@"), raw or "null")
    return replace(json_reply({}), body=body.encode())


def _script(wire: Wire, *replies: Wired) -> None:
    for reply in replies:
        if isinstance(wire, OpenAIWire):
            wire.server.will_answer(openai_server.CHAT, reply)
        elif isinstance(wire, AnthropicWire):
            wire.server.will_say(reply)


def _says(wire: Wire, text: str = _ANSWER) -> Wired:
    if isinstance(wire, OpenAIWire):
        return openai_server.answer(text)
    return json_reply(anthropic_server.message(anthropic_server.text(text), stop_reason="end_turn"))


async def _ask(player: Player, question: str = _QUESTION) -> Reply:
    return await player.thusfar.answer_message.execute(IncomingMessage(thread=THREAD, author=ADA, text=question))


async def _reader(opened: Opened, wire: str, **settings: str) -> Player:
    player = await opened(wire, **settings)
    await player.set_page("3")
    return player


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "calls",
    [
        [("search_book", raw) for raw in ("", "null", '["compass"]', '"compass"', '{"query":["compass"]}')],
        [
            ("search_book", '{"query":"compass","top_k":"3"}'),
            ("search_book", '{"query":"compass","top_k":' + "9" * 400 + "}"),
            ("search_book", '{"query":"comp\\u0000ass"}'),
            ("search_book", '{"query":"comp\\ud800ass"}'),
            ("read_pages", '{"first_page":"one"}'),
            ("read_pages", '{"first_page":-3,"last_page":99}'),
            ("find_mentions", '{"name":"  "}'),
            ("list_chapters", '{"further":{}}'),
        ],
        [
            ("Search_Book", '{"query":"compass"}'),
            ("searchBook", '{"query":"compass"}'),
            ("find_mentions", '{"name":"Ada"}'),
        ],
    ],
    ids=["arguments that are none", "odd values", "odd names"],
)
async def test_whatever_a_call_holds_the_turn_and_the_next_one_are_answered(
    opened: Opened, wire: str, calls: list[Call]
) -> None:
    player = await _reader(opened, wire)
    _script(player.wire, _calls(player.wire, calls, "Let me look."), _says(player.wire), _says(player.wire))
    for question in (_QUESTION, "Who carried it, again?"):
        reply = await _ask(player, question)
        assert (reply.text, reply.failed) == (_ANSWER, False)
    assert not player.wire.server.refusals
    assert len([row for row in player._messages() if row["invocation_id"] not in (None, WENT_ALONG)]) == len(calls)


@pytest.mark.parametrize("wire", WIRES)
async def test_of_many_calls_in_a_reply_eight_are_run_and_the_others_are_answered(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire)
    calls = [("search_book", '{"query":"compass"}')] * 200
    _script(player.wire, _calls(player.wire, calls), _says(player.wire))
    reply = await _ask(player)
    assert (reply.text, reply.failed) == (_ANSWER, False)
    assert not player.wire.server.refusals  # which look for a result to each call
    assert player.wire.server.requests[-1].body.decode().count("too many calls") == 192
    assert len([row for row in player._messages() if row["invocation_id"] not in (None, WENT_ALONG)]) == 8


@pytest.mark.parametrize("wire", WIRES)
async def test_an_answer_of_millions_of_letters_is_not_read_to_its_end(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire)
    _script(player.wire, _says(player.wire, "The keeper lit the lamp. " * 200_000))
    reply = await _ask(player)
    assert reply.failed
    assert reply.text.startswith(describe(LLMError(LLMErrorCode.BAD_RESPONSE, "")))
    assert "brass compass" in reply.text
    assert len(player.wire.server.requests) == 1


@pytest.mark.parametrize("wire", WIRES)
async def test_a_model_that_only_ever_calls_tools_costs_so_many_calls_and_quotes(opened: Opened, wire: str) -> None:
    player = await _reader(opened, wire, THUSFAR_MAX_ITERATIONS="2")
    again = [("search_book", '{"query":"compass"}')]
    _script(player.wire, *[_calls(player.wire, again, ids=f"round_{n}") for n in range(3)])
    reply = await _ask(player)
    assert reply.failed
    assert reply.text.startswith(describe(LLMError(LLMErrorCode.ITERATION_LIMIT, "")))
    assert "brass compass" in reply.text
    assert [player.wire.choice(request) for request in player.wire.server.requests] == ["auto", "auto", "none"]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    "said",
    [
        "Компас несла в пальто Ада Линдквист (p. 1).",
        "アダ・リンドクヴィストが真鍮の羅針盤を持っていた。",
        "Nqn Yvaqdivfg pneevrq n oenff pbzcnff va ure pbng.",
    ],
    ids=["Cyrillic", "Japanese", "ROT13"],
)
async def test_an_answer_that_nobody_can_check_is_not_posted(opened: Opened, wire: str, said: str) -> None:
    player = await _reader(opened, wire)
    _script(player.wire, *[_says(player.wire, said)] * 2)
    reply = await _ask(player)
    assert not reply.failed
    assert said not in reply.text
    assert reply.text.startswith("**pp. 1-2, chapter 1**\n> ")
    assert "Ada Lindqvist carried a brass compass" in as_read(reply.text)
    assert said not in [row["content"] for row in player._messages()]
