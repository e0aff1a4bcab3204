"""Answers by a response rule (response-generation.md): a thin face of the one agent loop, in that document's names."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.agent.context import prompt_messages
from core.agent.loop import AgentRun
from core.agent.response_rules import ResponseRule
from core.agent.tool_registry import ToolRegistry
from core.agent.tools.search_book import format_passages
from core.domain.chat_event import EventSink
from core.domain.conversation import ChatMessage, ToolCall
from core.domain.deadline import Deadline, TurnLimits
from core.domain.errors import LLMError, LLMErrorCode, ToolError
from core.domain.passage import SearchResult
from core.domain.tool_use import (
    ChatResponse,
    GenerationOptions,
    PromptMessage,
    StopReason,
    TokenUsage,
    ToolDefinition,
)
from core.ports.chat_provider import ChatProvider

TOO_MANY_TOOL_CALLS: Final = (
    "I reached the maximum number of tool calls and came to no answer. Please ask me more narrowly."
)
NO_CONTENT: Final = "I encountered an issue and have no answer. Please ask me again."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedResponse:
    """What was generated: a draft, which the guard has not judged.

    `service` is the provider; `sources` are the passages that the content may rest on, and `usage` what it took. It is
    whole unless the model was cut off, or stopped for a reason of its own.
    """

    content: str
    service: str
    model: str
    tool_calls: tuple[ToolCall, ...] = ()
    max_iterations_reached: bool = False
    is_whole: bool = True
    sources: tuple[SearchResult, ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)


class ResponseGenerator:
    """Generates one response from a rule, what was said before, and a message.

    Args:
        provider: the model.
        tools: those of the turn; None is a generator without tools.
        settings: options that win over every rule's.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        tools: ToolRegistry | None = None,
        settings: GenerationOptions | None = None,
        on_event: EventSink | None = None,
    ) -> None:
        self._provider = provider
        self._tools = tools
        self._settings = settings
        self._on_event = on_event

    async def generate(
        self,
        rule: ResponseRule,
        user_message: str,
        *,
        history: Sequence[ChatMessage] = (),
        passages: Sequence[SearchResult] = (),
        variables: Mapping[str, object] | None = None,
        deadline: Deadline | None = None,
    ) -> GeneratedResponse:
        """Answer `user_message` by `rule`.

        Args:
            rule: says how, with which options and tools.
            user_message: what is asked now.
            history: what was said before, fit for the position of the answer.
            passages: what was retrieved beforehand; `rag_context` in the rule's template.
            variables: what else the rule's template names, nested where it is nested there.
            deadline: of the turn; without one, that of a turn that begins now.

        Raises:
            LLMError: the model failed or refused. That it never came to an answer is a response, not an error.
            jinja2.UndefinedError: the rule's template has a variable that is not given.
        """
        given = {
            **(variables or {}),
            "rag_context": format_passages(tuple(passages)),
            "intent": rule.name,
            "service": self._provider.name,
            "user_message": user_message,
        }
        run = _LoggedRun(
            provider=self._provider,
            prompt=[
                PromptMessage(role="system", content=rule.render(given)),
                *prompt_messages(history),
                PromptMessage(role="user", content=user_message),
            ],
            search_fn=_no_search,
            on_event=self._on_event,
            sources={passage.chunk_id: passage for passage in passages},
        )
        options = replace(rule.options(self._settings), deadline=deadline or TurnLimits().deadline())
        tools = self._tools.offered_to(rule) if self._tools is not None else []
        if self._tools is None or not tools:
            return _response(run, run.outcome(await run.ask([], options)).text)
        try:
            outcome = await run.until_answered(tools, options, max_iterations=self._tools.rounds_of(rule))
        except LLMError as error:
            if error.code is not LLMErrorCode.ITERATION_LIMIT:
                raise
            return _response(run, TOO_MANY_TOOL_CALLS, max_iterations_reached=True)
        return _response(run, outcome.text, max_iterations_reached=outcome.max_iterations_reached)


class _LoggedRun(AgentRun):
    """The loop, with each of its calls told to the log; `is_whole` is of the last one."""

    is_whole = True

    async def ask(self, tools: Sequence[ToolDefinition], options: GenerationOptions | None = None) -> ChatResponse:
        response = await super().ask(tools, options)
        self.is_whole = response.stop_reason is StopReason.END
        _log.debug("Call %d to the model: %d tool calls.", self.iterations, len(response.tool_invocations))
        if response.stop_reason is StopReason.OTHER:
            _log.warning("The model stopped for a reason of its own; what there is of the answer is taken.")
        return response


async def _no_search(_query: str, _top_k: int) -> list[SearchResult]:
    """Answer a model that searches though no search is on offer."""
    raise ToolError("There is nothing to search here.")


def _response(run: _LoggedRun, content: str, *, max_iterations_reached: bool = False) -> GeneratedResponse:
    return GeneratedResponse(
        content=content or NO_CONTENT,
        service=run.provider.name,
        model=run.model or run.provider.model,
        tool_calls=tuple(run.tool_calls),
        max_iterations_reached=max_iterations_reached,
        is_whole=run.is_whole,
        sources=tuple(run.sources.values()),
        usage=run.usage,
    )
