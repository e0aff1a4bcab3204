"""Whatever a model says, and however much of it: the event loop goes on, and so do the turns of others."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import describe
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.ports.chat_provider import ChatProvider
from tests.attacks.campaign import House, house_of
from tests.attacks.labels import SAMPLE, labelled

_PAGE = 70
_ON_THE_LOOP_S = 0.25
"""Of CPU time, on a machine that is busy with other tests: about 10 ms, where it's idle."""
_HEART_STOPS_S = 2.0
_MANY = 5_000
_JUDGED = 700
"""Of these each one is judged on its own, which takes milliseconds; an answer of so many is far beyond any limit."""
_TEXTS = {
    "one 100 kB sentence": "the lamp and the keeper " * _MANY,
    "1 MB": "The keeper lit the lamp " * 39_000 + "The keeper lit the lamp. " * _JUDGED,
    "sentences of one word": "Lamp. " * _JUDGED,
    "all pages cited": "".join(f"The lamp (p. {number % _PAGE + 1}). " for number in range(_JUDGED)),
    "emphasis": "*_" * _MANY,
    "quotations": "“a” " * _MANY,
    "quoted lines": "> a\n" * _MANY,
}


def _deep(depth: int) -> dict[str, object]:
    nested: dict[str, object] = {}
    for _ in range(depth):
        nested = {"query": nested}
    return nested


def _calls(count: int, **arguments: object) -> ChatResponse:
    calls = [ToolInvocation(tool_name="search_book", arguments=arguments, invocation_id=str(n)) for n in range(count)]
    return ChatResponse(tool_invocations=tuple(calls))


_REPLIES = {
    **{name: ChatResponse(text=text) for name, text in _TEXTS.items()},
    "3,000 tool calls": _calls(3_000, query="the lamp"),
    "huge arguments": _calls(20, query="the lamp " * 10_000, other=["x" * 1_000] * 1_000),
    "deep arguments": _calls(20, query=_deep(10_000)),
}


_SHORTER = ChatResponse(text="Lamp. " * 600)
"""Takes a third of a second to judge, where it isn't the longest draft that counts."""


class _Says(ChatProvider):
    """Gives the huge answer to the question about it, again and again, and a plain one to all others."""

    def __init__(self, answer: ChatResponse) -> None:
        self.answer = answer

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        is_asked = any("huge" in message.content for message in messages if message.role == "user")
        return self.answer if is_asked else ChatResponse(text="Hello!")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)


@asynccontextmanager
async def _heartbeat() -> AsyncIterator[list[tuple[float, float]]]:
    """Beat as a platform's connection does; give between each two beats the CPU time of the loop, and of all."""
    beats: list[tuple[float, float]] = []
    beaten = asyncio.Event()

    async def beat() -> None:
        while True:
            own, all_of_it = time.thread_time(), time.process_time()
            await asyncio.sleep(0.005)
            beats.append((time.thread_time() - own, time.process_time() - all_of_it))
            beaten.set()

    beating = asyncio.create_task(beat())
    try:
        await asyncio.sleep(0)  # it has begun
        yield beats
        beaten.clear()
        await beaten.wait()
    finally:
        beating.cancel()


@pytest.mark.parametrize("name", _REPLIES)
async def test_whatever_a_model_says_the_loop_goes_on_and_the_turn_ends(house: House, name: str) -> None:
    model = _Says(_REPLIES[name])
    await house.ask(model, "Hello!", position=_PAGE)  # what is loaded at first use
    async with _heartbeat() as beats:
        if _REPLIES[name].text is None:
            with pytest.raises(LLMError, match=LLMErrorCode.ITERATION_LIMIT):
                await house.ask(model, "What is the huge lamp?", position=_PAGE)
        else:
            assert len((await house.ask(model, "What is the huge lamp?", position=_PAGE)).text) < 25_000
    assert max(own for own, _ in beats) < _ON_THE_LOOP_S
    assert max(all_of_it for _, all_of_it in beats) < _HEART_STOPS_S


async def test_others_are_answered_while_a_huge_answer_is_judged(house: House) -> None:
    model = _Says(_SHORTER)
    await house.ask(model, "Hello!", position=_PAGE)
    done: list[str] = []

    async def ask(question: str) -> None:
        await house.ask(model, question, position=_PAGE)
        done.append(question)

    await asyncio.gather(ask("What is the huge lamp?"), ask("Thanks!"), ask("Hello!"))
    assert done[-1] == "What is the huge lamp?"


async def test_a_turn_ends_at_its_deadline_whatever_takes_the_time(sample_home: Path) -> None:
    async with house_of(labelled(SAMPLE), sample_home, THUSFAR_TURN_SECONDS="0.1") as house:
        with pytest.raises(LLMError) as late:
            await house.ask(_Says(_SHORTER), "What is the huge lamp?", position=_PAGE)
    assert late.value.code is LLMErrorCode.TIMEOUT
    assert "too long" in describe(late.value)
