"""The agent loop: call the model, run the tools it calls, return the results, until it answers (ADR 18)."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from core.agent.executor import SEARCH_BOOK, Tool, ToolExecutor, ToolOutput
from core.domain.chat_event import EventSink, TokenUsageEvent, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import ChatMessage, Role, ToolCall, TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode, ToolError
from core.domain.messages import CUT_SHORT
from core.domain.passage import SearchFn, SearchResult
from core.domain.tool_use import (
    WENT_ALONG,
    ChatResponse,
    GenerationOptions,
    PromptMessage,
    StopReason,
    TokenUsage,
    ToolChoice,
    ToolDefinition,
    ToolInvocation,
)
from core.language.sentences import whole_sentences
from core.ports.chat_provider import ChatProvider

DEFAULT_MAX_ITERATIONS = 3
_MOST_CALLS: Final = 8
"""How many tool calls of one reply are run; usually a model makes two or three."""
_LONGEST_ARGUMENTS: Final = 4_000
_LONGEST_DRAFT: Final = 20_000
TOO_MANY: Final = f"Error: too many calls in one reply; at most {_MOST_CALLS} are run."
_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class AgentRun:
    """One run of the loop: the growing prompt, and what was found and spent.

    `question` is what the prompt asks; `query` is the latest search.
    """

    provider: ChatProvider
    prompt: list[PromptMessage]
    search_fn: SearchFn
    question: str = ""
    on_event: EventSink | None = None
    sources: dict[int, SearchResult] = field(default_factory=dict)
    tool_calls: list[ToolCall] = field(default_factory=list)
    messages: list[ChatMessage] = field(default_factory=list)
    usage: TokenUsage = field(default_factory=TokenUsage)
    iterations: int = 0
    searches: int = 0
    query: str = ""
    model: str | None = None

    async def until_answered(
        self,
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
        *,
        max_iterations: int = DEFAULT_MAX_ITERATIONS,
    ) -> TurnOutcome:
        """Call the model at most `max_iterations` times with tools, then once without permission to use them.

        Only definitions that are a `Tool` are run.

        Raises:
            LLMError: the model failed, refused, or never came to an answer (`iteration_limit`).
        """
        options = options or GenerationOptions()
        executor = ToolExecutor(each for each in tools if isinstance(each, Tool))
        for _ in range(max_iterations):
            response = await self.ask(tools, options)
            if response.text is not None:
                return self.outcome(response)
            await self._use_tools(response, executor)
        _log.warning("The model used tools %d times; it is asked once more without.", max_iterations)
        response = await self.ask(tools, replace(options, tool_choice=ToolChoice.NONE))
        if response.text is None:
            error = LLMError(LLMErrorCode.ITERATION_LIMIT, f"no answer after {max_iterations} rounds of tools")
            error.found = self.messages
            raise error
        return replace(self.outcome(response), max_iterations_reached=True)

    async def ask(self, tools: Sequence[ToolDefinition], options: GenerationOptions | None = None) -> ChatResponse:
        """Make one model call and count it; a refusal, or tool use that was cut off, is an error."""
        self.iterations += 1
        try:
            return self._counted(await self._call(tools, options))
        except LLMError as error:
            # An unusable answer costs tokens too.
            self._count(error.usage)
            error.found = self.messages
            raise

    async def _call(self, tools: Sequence[ToolDefinition], options: GenerationOptions | None) -> ChatResponse:
        if tools:
            return await self.provider.chat_with_tools(self.prompt, tools, options)
        return await self.provider.chat(self.prompt, options)

    def _counted(self, response: ChatResponse) -> ChatResponse:
        self.model = response.model or self.model
        self._count(response.usage)
        _log.debug("Call %d to the model: %d tool calls.", self.iterations, len(response.tool_invocations))
        if response.stop_reason is StopReason.OTHER:
            _log.warning("The model stopped for a reason of its own; what there is of the answer is taken.")
        if response.stop_reason is StopReason.REFUSAL:
            raise LLMError(LLMErrorCode.REFUSED, "the model refused")
        if response.tool_invocations and response.stop_reason is StopReason.LENGTH:
            raise LLMError(LLMErrorCode.BAD_RESPONSE, "a tool call was cut off by max_tokens")
        return response

    def _count(self, usage: TokenUsage | None) -> None:
        if usage is not None:
            self.usage += usage
            self._emit(TokenUsageEvent.of(usage, model=self.model or self.provider.model))

    async def search(self, query: str, top_k: int) -> list[SearchResult]:
        """Search before the model call, and send the events of the search tool.

        A search that repeats one for an earlier draft sends no events: they would show that a draft failed.
        """
        is_told = not (self.prompt and self.prompt[-1].is_reminder)
        if is_told:
            arguments: dict[str, object] = {"query": query, "top_k": top_k}
            self._emit(ToolInvocationEvent(tool_name=SEARCH_BOOK, arguments=arguments, iteration=self.iterations))
        results = await self.search_fn(query, top_k)
        self.searches += 1
        self.query = query
        if is_told:
            self._emit(ToolResultEvent(query=query, result_count=len(results), results=results))
        self.sources.update((result.chunk_id, result) for result in results)
        return results

    def keep_along(self, labels: str, *, reveals_page: int) -> None:
        """Record the page labels of the passages that were sent with the question, for the prompts of later turns."""
        # Without the query: it is the member's own words, which may be deleted with the question.
        along = ToolInvocation(tool_name=SEARCH_BOOK, arguments={}, invocation_id=WENT_ALONG)
        self._keep(ToolOutput(text=labels, reveals_page=reveals_page), along)

    def outcome(self, response: ChatResponse) -> TurnOutcome:
        """Return the outcome of this run, with the model's text as the answer."""
        text = (response.text or "").strip()
        if response.stop_reason is StopReason.LENGTH or len(text) > _LONGEST_DRAFT:
            whole = whole_sentences(text[:_LONGEST_DRAFT])
            text = f"{whole}\n\n{CUT_SHORT}".strip()
        return TurnOutcome(
            text=text,
            sources=tuple(self.sources.values()),
            tool_calls=tuple(self.tool_calls),
            messages=tuple(self.messages),
            usage=self.usage,
            iterations=self.iterations,
            retrieval_attempts=self.searches,
            rewritten_query=self.query if self.query not in {"", self.question} else None,
            provider=self.provider.name,
            model=self.model or self.provider.model,
        )

    async def _use_tools(self, response: ChatResponse, executor: ToolExecutor) -> None:
        """Run the called tools; their results follow the one assistant message, each with its call's id."""
        invocations = tuple(map(_bounded, response.tool_invocations))
        self.prompt.append(
            PromptMessage(
                role="assistant",
                content=response.preamble or "",
                tool_invocations=invocations,
                provider_state=response.provider_state,
            )
        )
        for invocation in invocations[:_MOST_CALLS]:
            await self._use_tool(invocation, executor)
        self.prompt += [
            PromptMessage(
                role="tool_result",
                content=TOO_MANY,
                invocation_id=invocation.invocation_id,
                tool_name=invocation.tool_name,
                is_error=True,
            )
            for invocation in invocations[_MOST_CALLS:]
        ]

    async def _use_tool(self, invocation: ToolInvocation, executor: ToolExecutor) -> None:
        self._emit(
            ToolInvocationEvent(
                tool_name=invocation.tool_name, arguments=invocation.arguments, iteration=self.iterations
            )
        )
        output = await executor.execute(invocation)
        found = list(output.passages) if output.is_search else []
        if output.is_search:
            self.searches += 1
            self.query = output.subject
        self._emit(
            ToolResultEvent(query=output.subject, result_count=output.count, results=found, is_search=output.is_search)
        )
        self.sources.update((passage.chunk_id, passage) for passage in output.passages)
        self.tool_calls.append(
            ToolCall(
                tool=invocation.tool_name, params=invocation.arguments, result=output.text, iteration=self.iterations
            )
        )
        self._keep(output, invocation)
        self.prompt.append(
            PromptMessage(
                role="tool_result",
                content=output.text,
                invocation_id=invocation.invocation_id,
                tool_name=invocation.tool_name,
                is_error=output.is_error,
            )
        )

    def _keep(self, output: ToolOutput, invocation: ToolInvocation) -> None:
        self.messages.append(
            ChatMessage(
                role=Role.TOOL_RESULT,
                content=output.text,
                position=None,
                reveals_page=output.reveals_page,
                invocation=invocation,
                is_error=output.is_error,
            )
        )

    def _emit(self, event: TokenUsageEvent | ToolInvocationEvent | ToolResultEvent) -> None:
        if self.on_event is not None:
            self.on_event(event)


def _bounded(invocation: ToolInvocation) -> ToolInvocation:
    """Return a call without arguments that are too long or too deep, so that the tool refuses it."""
    try:
        is_meant = len(repr(invocation.arguments)) <= _LONGEST_ARGUMENTS
    except RecursionError:
        is_meant = False
    return invocation if is_meant else replace(invocation, arguments={})


async def no_search(_query: str, _top_k: int) -> list[SearchResult]:
    """Return no passages: the search of a run without one."""
    raise ToolError("There is nothing to search here.")
