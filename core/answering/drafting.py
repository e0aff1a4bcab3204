"""Turns a question into an answer that may be posted: draft, redact, review, redraft, quote (ADR 15, ADR 21).

No draft is posted before its review. Text that fails is never posted, stored, or sent back to the model.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.agent.executor import SEARCH_BOOK, Tool
from core.answering.along import passages_along
from core.answering.club_lines import ClubLines
from core.answering.notes import TurnNotes
from core.answering.outside import shown_outside
from core.answering.prompt_builder import PromptBuilder
from core.answering.quoting import Quoting
from core.answering.read_book import ReadBook
from core.answering.strategies import RetrievalStrategy
from core.answering.tools.reading_tools import ReadingTools
from core.answering.tools.search_book import search_tool
from core.answering.tools.tool_registry import offered_to
from core.domain.chat_event import DraftMadeEvent
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import IN_THE_BOOKS_LANGUAGE, says_nobody_asked
from core.domain.question import Question
from core.domain.tool_use import UNREADABLE_ARGUMENTS, PromptMessage, ToolDefinition, ToolInvocation
from core.domain.verdict import SentenceVerdict
from core.guard.citations import CitedSentence
from core.guard.findings import UNGROUNDED
from core.guard.review import DraftReview, DraftVerdict
from core.language.words import content_stems, language_of
from core.ports.chat_provider import ChatProvider
from core.ports.guard import Guard
from core.understanding.asked import understood

_PAGES_LOOKED_AT: Final = 3
"""How many pages are enough to detect a book's language."""
WITHHELD: Final = "(left out)"
WITHHELD_ERROR: Final = "Error: this call could not be run."
_LEAST_WORDS: Final = 3

Known = Mapping[str, frozenset[str]]
"""Maps each offered tool to the names of its arguments; any other name in a call is the model's own wording."""


class Drafting:
    """Answers a question with a reviewed draft, or with quotations.

    Failed sentences are removed. The rest is posted if it still reads well and answers. Otherwise these follow in
    order: one new draft, if a verifier is available; the quoting answer; the fixed sentence that nothing can be said.
    Without a provider there is no draft, only the quoting answer.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider | None,
        strategy: RetrievalStrategy,
        prompts: PromptBuilder,
        guard: Guard,
        review: DraftReview,
        quoting: Quoting,
        club_lines: ClubLines,
    ) -> None:
        self._provider = provider
        self._strategy = strategy
        self._prompts = prompts
        self._guard = guard
        self._review = review
        self._quoting = quoting
        self._club_lines = club_lines

    async def answer(self, question: Question) -> TurnOutcome:
        """Answer the question.

        If the question is not in the book's language, the answer begins with a sentence that says so. With a verifier
        this is not needed, since it judges any language.

        Raises:
            LLMError: the model gave no draft.
        """
        if (outcome := await shown_outside(question, self._read(question))) is not None:
            return outcome
        if self._provider is None:
            outcome = await self._quoting.answer(question)
        else:
            outcome = await self._drafted(self._provider, question)
        if outcome.nobody_asked or self._review.has_verifier or not await self._is_foreign(question):
            return outcome
        return replace(outcome, text=f"{IN_THE_BOOKS_LANGUAGE}\n\n{outcome.text}")

    async def _is_foreign(self, question: Question) -> bool:
        """Whether a question is clearly in another language than the first pages read; False if none are read."""
        asked = language_of(question.text)
        if asked is None or not question.position:
            return False
        pages = (await self._read(question).text()).pages[:_PAGES_LOOKED_AT]
        return language_of(" ".join(page.text for page in pages)) not in {None, asked}

    def _read(self, question: Question) -> ReadBook:
        return self._quoting.read_book(question.book, question.position, question.chapters)

    async def _drafted(self, provider: ChatProvider, question: Question) -> TurnOutcome:
        meaning, chapters = understood(question), tuple(await self._read(question).chapters())
        question = replace(question, understood=meaning, chapters=chapters)
        read = self._read(question)
        if self._strategy.sends_passages and meaning.wants_pages:
            question = replace(question, along=await passages_along(question, read))
        question = replace(question, aside=await self._club_lines.of(question, read))
        if question.book.notes_id:
            question = replace(
                question, notes=TurnNotes(self._quoting.notes, question, await self._read(question).text())
            )
        prompt, tools = await self._prompts.build(question), self._tools(question)
        draft = await self._draft(provider, question, prompt, tools)
        if question.message.asked.is_doubtful and says_nobody_asked(draft.text):
            return replace(draft, text="", sources=(), messages=(), nobody_asked=True)
        question.log.take(DraftMadeEvent())
        first, second = await self._review.review(draft, question), None
        if not first.may_be_posted and self._review.has_verifier and not first.is_unverified:
            redraft_prompt = self._prompts.redraft(
                prompt, first.outcome.messages, asked=question.text, stood=first.stood
            )
            second = await self._redrafted(provider, question, first.outcome, redraft_prompt, tools)
        return await self._postable(question, first, second)

    async def _postable(self, question: Question, first: DraftVerdict, second: DraftVerdict | None) -> TurnOutcome:
        """Return the better draft if it may be posted, else what is left of a draft, else quotations."""
        if first.may_be_posted:
            return first.outcome
        if second is None:
            return first.outcome if first.is_left else await self._quoted(question, first.outcome, first.cited)
        if second.may_be_posted or second.is_left:
            return second.outcome
        if first.is_left:
            return replace(second.outcome, text=first.outcome.text, verdicts=first.outcome.verdicts)
        return await self._quoted(question, second.outcome, (*first.cited, *second.cited))

    def _tools(self, question: Question) -> list[Tool]:
        if not self._strategy.offers_tools:
            return []
        reading = ReadingTools(read=self._read(question), notes=question.notes)
        return offered_to(self._prompts.rule, [search_tool(question.search, notes=question.notes), *reading.tools()])

    async def _draft(
        self, provider: ChatProvider, question: Question, prompt: Sequence[PromptMessage], tools: Sequence[Tool]
    ) -> TurnOutcome:
        try:
            draft = await self._strategy.run(provider, question, prompt, tools)
        except LLMError as error:
            found = [each for each in error.found if isinstance(each, ChatMessage)]
            question.log.found.extend(await redacted_results(found, tools, self._guard, question))
            raise
        return await redacted(draft, tools, self._guard, question)

    async def _redrafted(
        self,
        provider: ChatProvider,
        question: Question,
        failed: TurnOutcome,
        prompt: Sequence[PromptMessage],
        tools: Sequence[Tool],
    ) -> DraftVerdict | None:
        """Ask for a new draft and review it; None if the model gives none. The first draft's searches still count."""
        try:
            again = await self._draft(provider, question, prompt, tools)
        except LLMError:
            return None
        return await self._review.review(_continued(failed, again), question)

    async def _quoted(self, question: Question, failed: TurnOutcome, cited: Sequence[CitedSentence]) -> TurnOutcome:
        """Return quotations in place of a failed draft.

        The search sends events only if the turn has shown no search yet, so that all turns look alike.
        """
        quoted = await self._quoting.instead(
            question,
            position=question.position,
            cited=cited,
            on_event=None if question.log.searches else question.log.take,
        )
        return replace(
            failed,
            text=quoted.text,
            sources=quoted.sources,
            rewritten_query=quoted.rewritten_query,
            verdicts=(),
            quotes_only=True,
            has_more=quoted.has_more,
        )


def _continued(first: TurnOutcome, second: TurnOutcome) -> TurnOutcome:
    """Return the second draft with the sources, calls, messages and counts of both drafts."""
    sources = {source.chunk_id: source for source in (*first.sources, *second.sources)}
    later = [replace(call, iteration=call.iteration + first.iterations) for call in second.tool_calls]
    return replace(
        second,
        sources=tuple(sources.values()),
        tool_calls=(*first.tool_calls, *later),
        messages=(*first.messages, *(each for each in second.messages if not each.went_along)),
        iterations=first.iterations + second.iterations,
        retrieval_attempts=first.retrieval_attempts + second.retrieval_attempts,
    )


async def redacted(
    outcome: TurnOutcome, tools: Sequence[ToolDefinition], guard: Guard, question: Question
) -> TurnOutcome:
    """Return the outcome as it may be stored and replayed, without the words of tool calls that leak."""
    messages = await redacted_results(outcome.messages, tools, guard, question)
    # The agent loop adds one message and one recorded call for each tool use, in the same order.
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
    """Return tool results without the words of tool calls that leak.

    Results are read text and stay. Only the error of an unknown or unreadable call repeats the model's words, and is
    replaced.
    """
    known = {tool.name: _argument_names(tool) for tool in tools}

    async def leaks(call: ToolInvocation) -> bool:
        judgement = await guard.judge(
            "\n\n".join(_model_words(call, known)), book=question.book, position=question.position
        )
        return any(map(_leaks, judgement.sentences))

    kept = list(messages)
    for at, message in enumerate(messages):
        call = message.invocation
        if call is not None and not message.went_along and await leaks(call):
            is_repeated = call.tool_name not in known or UNREADABLE_ARGUMENTS in call.arguments
            result = WITHHELD_ERROR if message.is_error and is_repeated else message.content
            kept[at] = replace(message, content=result, invocation=_without_words(call, known))
    return tuple(kept)


def _leaks(words: SentenceVerdict) -> bool:
    """Whether words of a call leak. Being unsupported is no leak, nor is the meaning of one or two words."""
    kinds = {reason.kind for reason in words.reasons} - {UNGROUNDED}
    if len(content_stems(words.text)) < _LEAST_WORDS:
        kinds -= {"meaning", "term"}
    return words.leaks and bool(kinds)


def _model_words(call: ToolInvocation, known: Known) -> Iterator[str]:
    """Yield the words of a call that the model chose itself: argument values, and names that are not the tool's."""
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
