"""From a question to what may be posted: draft, redact, review, redraft, quote (ADR 15, ADR 21).

Every draft is held until it is reviewed. What fails is never posted, stored, or sent back to the model.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from cachetools import LRUCache

from core.agent.tool import Tool
from core.answering.prompt_builder import PromptBuilder
from core.answering.quoting import Quoting
from core.answering.read_book import ReadBook
from core.answering.redaction import redacted, redacted_results
from core.answering.tools.reading_tools import ReadingTools
from core.answering.tools.search_book import search_tool
from core.answering.tools.tool_registry import ToolRegistry
from core.answering.turn_notes import NotedSearch, TurnNotes, notes_of
from core.domain.book import Chapter
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import IN_THE_BOOKS_LANGUAGE, says_nobody_asked
from core.domain.passage import ReadableSpan, readable
from core.domain.question import Question
from core.domain.tool_use import PromptMessage
from core.guard.citations import CitedSentence
from core.guard.review import DraftReview, DraftVerdict
from core.language.words import language_of
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.guard import Guard
from core.ports.strategies import RetrievalStrategy

_PAGES_LOOKED_AT: Final = 3
"""The first pages of a book are enough to tell its language."""
_MOST_LANGUAGES: Final = 1_000


class Drafting:
    """Answers a question with a draft that may be posted.

    What fails of it falls, and the rest is posted where it reads and answers. Else, in this order: one new draft, where
    there is a verifier that answers; the quoting answer; the one fixed sentence.
    """

    def __init__(
        self,
        *,
        provider: ChatProvider,
        strategy: RetrievalStrategy,
        prompts: PromptBuilder,
        guard: Guard,
        review: DraftReview,
        quoting: Quoting,
        books: BookRepository,
    ) -> None:
        self._provider = provider
        self._strategy = strategy
        self._prompts = prompts
        self._guard = guard
        self._review = review
        self._quoting = quoting
        self._books = books
        # Two letters for each book that was asked about.
        self._languages: LRUCache[ReadableSpan, str | None] = LRUCache(maxsize=_MOST_LANGUAGES)

    async def answer(self, question: Question) -> TurnOutcome:
        """Answer the question; in another language than the book's, with the sentence that says so.

        A verifier can judge what is said in any language, so that no such sentence is needed.

        Raises:
            LLMError: there is no draft at all.
        """
        outcome = await self._answer(question)
        if outcome.nobody_asked or self._review.has_verifier or not await self._is_foreign(question):
            return outcome
        return replace(outcome, text=f"{IN_THE_BOOKS_LANGUAGE}\n\n{outcome.text}")

    async def _is_foreign(self, question: Question) -> bool:
        """Whether a question is plainly in another language than the first pages read, as far as there are any."""
        asked = language_of(question.text)
        if asked is None or not question.position:
            return False
        span = readable(question.book, min(question.position, question.book.first_story_page + _PAGES_LOOKED_AT - 1))
        if span not in self._languages:
            pages = await self._books.pages(span)
            self._languages[span] = language_of(" ".join(page.text for page in pages))
        return self._languages[span] not in {None, asked}

    async def _answer(self, question: Question) -> TurnOutcome:
        if self._strategy.quotes_only:
            return await self._quoting.answer(question)
        chapters = await _read(self._books, question).chapters()
        question = self._with_notes(question, chapters)
        prompt, tools = await self._prompts.build(question, chapters), self._tools(question)
        draft = await self._draft(question, prompt, tools)
        if question.message.asked.is_doubtful and says_nobody_asked(draft.text):
            return replace(draft, text="", sources=(), messages=(), nobody_asked=True)
        return await self._made_postable(question, draft, prompt, tools)

    async def _made_postable(
        self, question: Question, draft: TurnOutcome, prompt: Sequence[PromptMessage], tools: Sequence[Tool]
    ) -> TurnOutcome:
        first = await self._review.review(draft, question)
        if first.may_be_posted:
            return first.outcome
        second = None
        if self._review.has_verifier and not first.is_unverified:
            second = await self._redrafted(question, first, prompt, tools)
        if second is None:
            return first.outcome if first.is_left else await self._quoted(question, first.outcome, first.cited)
        if second.may_be_posted or second.is_left:
            return second.outcome
        if first.is_left:
            return replace(second.outcome, text=first.outcome.text, verdicts=first.outcome.verdicts)
        return await self._quoted(question, second.outcome, (*first.cited, *second.cited))

    def _with_notes(self, question: Question, chapters: Sequence[Chapter]) -> Question:
        """Return the question with notes beside what its search finds, where its book has any.

        They are material for a draft alone: what judges it looks for the book's own text.
        """
        if not question.book.notes_id:
            return question
        notes = TurnNotes(notes=self._quoting.notes.of(question.book, question.position), chapters=chapters)
        return replace(question, search=NotedSearch(search=question.search, notes=notes))

    def _tools(self, question: Question) -> list[Tool]:
        if not self._strategy.build_tool_definitions():
            return []
        reading = ReadingTools(read=_read(self._books, question), notes=notes_of(question.search))
        registry = ToolRegistry([search_tool(question.search), *reading.tools()])
        return registry.offered_to(self._prompts.rule)

    async def _draft(self, question: Question, prompt: Sequence[PromptMessage], tools: Sequence[Tool]) -> TurnOutcome:
        try:
            draft = await self._strategy.run(
                self._provider, prompt, tools, question.search, question.log.take, deadline=question.deadline
            )
        except LLMError as error:
            found = [each for each in error.found if isinstance(each, ChatMessage)]
            kept = await redacted_results(found, tools, self._guard, book=question.book, position=question.position)
            question.log.found.extend(kept)
            raise
        return await redacted(draft, tools, self._guard, book=question.book, position=question.position)

    async def _redrafted(
        self, question: Question, failed: DraftVerdict, prompt: Sequence[PromptMessage], tools: Sequence[Tool]
    ) -> DraftVerdict | None:
        """Ask once more, with the sentences that stood; None where there is no answer.

        Whatever becomes of it, what was searched before counts.
        """
        once_more = self._prompts.once_more(prompt, failed.outcome.messages, stood=failed.stood)
        try:
            again = await self._draft(question, once_more, tools)
        except LLMError:
            return None
        return await self._review.review(_continued(failed.outcome, again), question)

    async def _quoted(self, question: Question, failed: TurnOutcome, cited: Sequence[CitedSentence]) -> TurnOutcome:
        """Quote what was read instead; a search shows only where none was seen, so that all turns look alike."""
        quoted = await self._quoting.instead(
            question,
            position=question.position,
            cited=cited,
            searched=failed.sources,
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


def _read(books: BookRepository, question: Question) -> ReadBook:
    return ReadBook(books=books, book=question.book, position=question.position, begun=question.chapters)


def _continued(first: TurnOutcome, second: TurnOutcome) -> TurnOutcome:
    """Return the second draft with all that the turn has learned since its beginning."""
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
