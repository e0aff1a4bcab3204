"""Answers with quotations (ADR 53), where there is no model, it cannot be reached, or its draft failed (ADR 15).

An answer is text from read pages, word for word, or a fixed sentence. So it cannot spoil and invents nothing.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.agent.executor import SEARCH_BOOK
from core.answering.context import with_history
from core.answering.extracts import in_short
from core.answering.extracts.about_book import asks_how_long, length_of_book, told_of_book
from core.answering.extracts.answers import answer_to
from core.answering.extracts.named_parts import (
    named_pages,
    names_part,
    on_its_page,
    passage_with_quoted,
    quotes_words,
)
from core.answering.extracts.passages import rendered
from core.answering.extracts.places import SHOWN, widened
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.unread_words import (
    asks_unread_names,
    is_everywhere,
    is_unread_name,
    is_unread_word,
    without_unread_names,
)
from core.answering.notes import NoteShelf
from core.answering.place_search import PASSAGES, PlaceSearch
from core.answering.read_book import PageCache, ReadBook
from core.answering.search import SearchBooksUseCase, TurnSearch
from core.domain.book import Book, Chapter
from core.domain.chat_event import EventSink, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import CANNOT_SAY, HERE_FOR_THE_BOOK, HOW_TO_ASK, NOT_MET, describe
from core.domain.note import Note
from core.domain.passage import SearchFn, SearchResult
from core.domain.position import Position
from core.domain.question import Question
from core.domain.understanding import Intent, Understanding
from core.guard.citations import CitedSentence
from core.language.book_memory import BookMemory
from core.language.words import content_stems, words
from core.ports.books import BookTexts
from core.ports.word_traces import WordTraces
from core.understanding.asked import Asked, Kind, asked, understood

_STANDS_FOR_ITSELF: Final = 3
_PERSON_KINDS: Final = frozenset({Kind.FIRST, Kind.WHO})
_SURELY_AHEAD: Final = 0.5
_OF_NO_NAME: Final = frozenset({Intent.RECAP, Intent.CHAPTER, Intent.CAST, Intent.MORE, Intent.JUST_NOW})
_log = logging.getLogger(__name__)


class Quoting:
    """Answers from read text only, without a model. Stores nothing.

    Attributes:
        shelf: cached pages, which commands use too.
        notes: reading notes, which drafts use too.
    """

    def __init__(
        self,
        *,
        search: SearchBooksUseCase,
        books: BookTexts,
        notes: NoteShelf,
        index: WordTraces | None = None,
        memory: BookMemory | None = None,
    ) -> None:
        self._search = search
        self._books = books
        self._index = index
        self.notes = notes
        self.shelf = PageCache(memory)

    async def answer(self, question: Question) -> TurnOutcome:
        """Answer a question without a model."""
        return await self._quotation(question, question.search).outcome(question.log.take)

    async def after_error(self, error: LLMError, question: Question, *, position: Position) -> TurnOutcome:
        """Return a friendly sentence about a model's error, with quotations that fit. The cause goes to the log."""
        _log.warning("No answer from the model: %s", error)
        quoted = await self.instead(question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return TurnOutcome(text=text, sources=quoted.sources, quotes_only=True, has_more=quoted.has_more)

    async def instead(
        self,
        question: Question,
        *,
        position: Position,
        cited: Sequence[CitedSentence] = (),
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Return the quoting answer in place of a draft, or the fixed sentence that nothing can be said.

        Args:
            question: the question to answer.
            position: how far the readers of the answer have read.
            cited: sentences of the draft that cite read pages; the passages are taken from those pages.
            on_event: receives the events of the search.
        """
        told = with_history(
            replace(question, position=position), [message for message in question.history if message.fits(position)]
        )
        search = TurnSearch(self._search, question.book, position)
        return await self._quotation(told, search, cited).outcome(on_event)

    async def more_passages(self, query: str, *, book: Book, position: Position, skipping: int) -> TurnOutcome:
        """Return the next best passages for a query, after the first `skipping` ones."""
        return await self._of_query(query, book, position, skipping).outcome()

    async def more_here(self, query: str, *, book: Book, position: Position, rank: int) -> str | None:
        """Return the passage of a rank (from 0) for a query with its surroundings; None if there is none."""
        return await self._of_query(query, book, position, rank).surroundings()

    def _of_query(self, query: str, book: Book, position: Position, skipping: int) -> "_QuotingTurn":
        read, search = self.read_book(book, position), TurnSearch(self._search, book, position)
        return _QuotingTurn(text=query, query=query, search=search, read=read, skipping=skipping)

    def read_book(self, book: Book, position: Position, begun: Sequence[Chapter] | None = None) -> ReadBook:
        """Return the read part of a book. `begun` are the chapters begun, where they are known already."""
        return ReadBook(
            books=self._books, book=book, position=position, begun=begun, shelf=self.shelf, index=self._index
        )

    def _quotation(self, question: Question, search: SearchFn, cited: Sequence[CitedSentence] = ()) -> "_QuotingTurn":
        meaning = understood(question)
        wants_more = meaning.intent is Intent.MORE and question.query != question.text
        return _QuotingTurn(
            text=question.text,
            query=question.query,
            meaning=meaning,
            skipping=SHOWN if wants_more else 0,
            search=search,
            read=self.read_book(question.book, question.position, question.chapters),
            notes=self.notes,
            cited=cited,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    text: str
    sources: tuple[SearchResult, ...] = ()
    has_more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuotingTurn:
    """One question and what is needed to answer it with passages of read text, with page and chapter.

    Some kinds of question have an answer of their own, also from read text.

    Attributes:
        text: the question.
        query: what to search for.
        search: finds passages.
        read: the read part of the book.
        meaning: what the question means; None if passages are wanted in any case.
        notes: reading notes; up to three stand above the passages, marked, if one of them is on a page that they cite.
        cited: sentences of a failed draft; the passages are taken from the pages that they cite.
        skipping: how many of the best passages were shown before.
    """

    text: str
    query: str
    search: SearchFn
    read: ReadBook
    meaning: Understanding | None = None
    notes: NoteShelf | None = None
    cited: Sequence[CitedSentence] = ()
    skipping: int = 0

    async def outcome(self, on_event: EventSink | None = None) -> TurnOutcome:
        """Return the answer; where nothing fits, the fixed sentence that nothing can be said."""
        if (said := await self._without_search()) is not None:
            return TurnOutcome(text=said, quotes_only=True)
        emit = on_event or (lambda _event: None)
        query = self.query
        emit(ToolInvocationEvent(tool_name=SEARCH_BOOK, arguments={"query": query, "top_k": PASSAGES}))
        meaning = self.meaning
        answer = None
        if meaning is not None:
            answer = await self._about_unread(meaning) or await self._by_kind(meaning) or await self._from_named_part()
        if answer is None:
            answer = await self._passages(query)
            if query != self.text and not answer.sources and len(content_stems(self.text)) >= _STANDS_FOR_ITSELF:
                # It looked like a follow-up, but the question itself has enough words to search for.
                query = self.text
                answer = await self._passages(query)
        emit(ToolResultEvent(query=query, result_count=len(answer.sources), results=list(answer.sources)))
        return TurnOutcome(
            text=answer.text,
            sources=answer.sources,
            retrieval_attempts=1,
            rewritten_query=None if query == self.text else query,
            quotes_only=True,
            has_more=answer.has_more,
        )

    async def _without_search(self) -> str | None:
        """Return the reply to talk, to no words, or about the book as a thing; None for other questions."""
        meaning, book = self.meaning, self.read.book
        if not words(self.text):
            return HOW_TO_ASK
        if meaning is None:
            return None
        if asks_how_long(meaning, self.text):
            outline = (await self.read.books.outline(book.book_id)).at(self.read.position)
            read = max((self.read.position or 0) - outline.begin, 0)
            return length_of_book(outline.title or book.title, pages=outline.story_pages, read=read)
        told = told_of_book(meaning, self.text, book)
        return HERE_FOR_THE_BOOK if told is None and not meaning.wants_book else told

    async def _about_unread(self, meaning: Understanding) -> _Answer | None:
        """Return what is said of unread names alone, and of what comes next; None for others, and if all is read."""
        if meaning.intent not in _OF_NO_NAME and asks_unread_names(self.text, await self.read.text()):
            return _Answer(text=NOT_MET)
        if meaning.intent is not Intent.AHEAD or meaning.confidence < _SURELY_AHEAD:
            return None
        if not await self.read.is_finished():
            return _Answer(text=CANNOT_SAY)
        return None if meaning.slots.name else await self._end()

    async def _end(self) -> _Answer:
        """Return the last events of the story."""
        found = answer_to(Asked(kind=Kind.JUST_NOW), await self.read.text())
        if found is None:
            return _Answer(text=CANNOT_SAY)
        return _Answer(text=found.text, sources=await self.read.passages(*found.pages))

    async def _by_kind(self, meaning: Understanding) -> _Answer | None:
        """Return the answer to a kind of question that needs no search; None where a search may find one."""
        kind = asked(meaning, self.text, about=self.query.removeprefix(self.text))
        if kind is None:
            return None
        read = await self.read.text()
        notes: Sequence[Note] = ()
        if self.notes is not None:
            notes = await self.notes.of_kind(kind, read, book=self.read.book, position=self.read.position)
        found = answer_to(kind, read, notes)
        if found is not None:
            return _Answer(text=found.text, sources=await self.read.passages(*found.pages))
        if kind.end or (kind.kind in _PERSON_KINDS and is_everywhere(read, kind.subject)):
            return _Answer(text=CANNOT_SAY)
        if _has_unread_subject(kind, read):
            return _Answer(text=NOT_MET if kind.kind is Kind.WHO or kind.subject[:1].isupper() else CANNOT_SAY)
        return None

    async def _from_named_part(self) -> _Answer | None:
        """Return the text of a page that the question names, or around words that it quotes.

        For a part that is not begun, returns that nothing can be said. None for a question that needs a search.
        """
        if not (names_part(self.text) or quotes_words(self.text)):
            return None
        read = await self.read.text()
        shown = on_its_page(self.text, read) or passage_with_quoted(self.text, read)
        if shown is not None:
            pages = range(shown.page, shown.last_page + 1)
            return _Answer(text=rendered(shown, read), sources=await self.read.passages(*pages))
        return _Answer(text=CANNOT_SAY) if named_pages(self.text, read) == [] else None

    async def surroundings(self) -> str | None:
        """Return the first passage that was not skipped with the text around it; None if there is none."""
        read = await self.read.text()
        ranked = await self._places().ranked(without_unread_names(read, self.query), read, named_by=self.text)
        shown = ranked.places[self.skipping : self.skipping + 1]
        return rendered(widened(shown[0], read), read) if shown else None

    async def _passages(self, query: str) -> _Answer:
        """Return the best passages after those skipped, below the notes that fit."""
        read = await self.read.text()
        query = without_unread_names(read, query)
        places = self._places()
        ranked = await places.ranked(query, read, named_by=self.text)
        shown = ranked.places[self.skipping : self.skipping + SHOWN]
        if not shown:
            return _Answer(text=CANNOT_SAY)
        pages = {page for place in shown for page in range(place.page, place.last_page + 1)}
        notes = [] if pages.isdisjoint(note.page for note in ranked.notes) else ranked.notes
        return _Answer(
            text="\n\n".join(filter(None, [in_short.rendered(notes), *(rendered(place, read) for place in shown)])),
            sources=await places.sources(shown, ranked.found),
            has_more=ranked.is_of_query and (self.meaning is None or not self.skipping),
        )

    def _places(self) -> PlaceSearch:
        return PlaceSearch(search=self.search, read=self.read, notes=self.notes, cited=self.cited)


def _has_unread_subject(kind: Asked, read: ReadText) -> bool:
    """Whether the question is about a person or a word that is on no read page."""
    if kind.kind is Kind.MEANING:
        return is_unread_word(read, kind.subject)
    return kind.kind in _PERSON_KINDS and is_unread_name(read, kind.subject)
