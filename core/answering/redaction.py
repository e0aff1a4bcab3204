"""Leaves the words of tool calls that leak out of what is stored of a turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.agent.tool import SEARCH_BOOK
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.question import Question
from core.domain.tool_use import UNREADABLE_ARGUMENTS, ToolDefinition, ToolInvocation
from core.domain.verdict import SentenceVerdict
from core.guard.findings import UNGROUNDED
from core.language.words import content_stems
from core.ports.guard import Guard

WITHHELD: Final = "(left out)"
WITHHELD_ERROR: Final = "Error: this call could not be run."
_LEAST_WORDS: Final = 3

Known = Mapping[str, frozenset[str]]
"""The tools on offer, each with the names of its arguments; everything else in a call is the model's own."""


async def redacted(
    outcome: TurnOutcome, tools: Sequence[ToolDefinition], guard: Guard, question: Question
) -> TurnOutcome:
    """Return the outcome as it may be stored and replayed: the words of calls that leak are left out."""
    messages = await redacted_results(outcome.messages, tools, guard, question)
    # The loop keeps a message and a call of the record for each tool use, in the same order.
    used = [(message, message.invocation) for message in messages if message.invocation and not message.went_along]
    calls = [
        replace(call, tool=invocation.tool_name, params=invocation.arguments, result=message.content)
        for (message, invocation), call in zip(used, outcome.tool_calls, strict=True)
    ]
    rewritten = outcome.rewritten_query if messages == outcome.messages else None
    return replace(outcome, messages=messages, tool_calls=tuple(calls), rewritten_query=rewritten)


async def redacted_results(
    messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition], guard: Guard, question: Question
) -> tuple[ChatMessage, ...]:
    """Return tool results without the words of calls that leak.

    A result is read text and stays; only the error of a call that was not understood repeats what the model wrote.
    """
    known = {tool.name: _argument_names(tool) for tool in tools}

    async def tells(call: ToolInvocation) -> bool:
        judgement = await guard.judge(
            "\n\n".join(_own_words(call, known)), book=question.book, position=question.position
        )
        return any(map(_tells, judgement.sentences))

    kept = list(messages)
    for at, message in enumerate(messages):
        call = message.invocation
        if call is not None and not message.went_along and await tells(call):
            is_repeated = call.tool_name not in known or UNREADABLE_ARGUMENTS in call.arguments
            result = WITHHELD_ERROR if message.is_error and is_repeated else message.content
            kept[at] = replace(message, content=result, invocation=_without_words(call, known))
    return tuple(kept)


def _tells(words: SentenceVerdict) -> bool:
    """Whether words of a call leak; that nothing read supports them, or what one or two words mean, is no leak."""
    kinds = {reason.kind for reason in words.reasons} - {UNGROUNDED}
    if len(content_stems(words.text)) < _LEAST_WORDS:
        kinds -= {"meaning", "term"}
    return words.leaks and bool(kinds)


def _own_words(call: ToolInvocation, known: Known) -> Iterator[str]:
    if call.tool_name not in known:
        yield call.tool_name.replace("_", " ")
    for name, value in call.arguments.items():
        if name not in known.get(call.tool_name, ()):
            yield name.replace("_", " ")
        if not isinstance(value, int | float | None):
            yield str(value)


def _without_words(call: ToolInvocation, known: Known) -> ToolInvocation:
    if call.tool_name not in known:
        return replace(call, tool_name=SEARCH_BOOK, arguments={"query": WITHHELD})
    kept: dict[str, object] = {
        name: value if isinstance(value, int | float | None) else WITHHELD
        for name, value in call.arguments.items()
        if name in known[call.tool_name]
    }
    return replace(call, arguments=kept)


def _argument_names(tool: ToolDefinition) -> frozenset[str]:
    properties = tool.parameters.get("properties")
    return frozenset(properties) if isinstance(properties, Mapping) else frozenset()
