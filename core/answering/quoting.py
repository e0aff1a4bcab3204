"""The quoting answer (ADR 7): where there is no model, it is out of reach, or its draft failed (ADR 15).

It is read text, verbatim, or one of the fixed sentences: it cannot spoil and never invents.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.agent.executor import SEARCH_BOOK
from core.answering.context import with_history
from core.answering.extracts import in_short
from core.answering.extracts.answer_chances import LOOKED_AT, runs_around
from core.answering.extracts.answers import answer_to
from core.answering.extracts.likeliest import likeliest_passages, taken_apart
from core.answering.extracts.named_parts import (
    named_pages,
    names_part,
    on_its_page,
    passage_with_quoted,
    quotes_words,
    within,
)
from core.answering.extracts.passages import Passage, best_passages, rendered
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.unread_words import is_everywhere, is_unread_name, is_unread_word, without_unread_names
from core.answering.notes import NoteShelf
from core.answering.read_book import PageCache, ReadBook
from core.answering.search import SearchBooksUseCase, TurnSearch
from core.domain.book import Book, Chapter
from core.domain.chat_event import EventSink, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.messages import CANNOT_SAY, HERE_FOR_THE_BOOK, HOW_TO_ASK, NOT_MET, describe
from core.domain.note import Note
from core.domain.passage import SearchFn, SearchResult, page_shares
from core.domain.position import Position
from core.domain.question import Question
from core.guard.citations import CitedSentence
from core.language.book_memory import BookMemory
from core.language.sentences import fold_space
from core.language.words import content_stems, words
from core.ports.books import BookRepository
from core.ports.word_traces import WordTraces
from core.understanding.about_the_book import asks_how_long, told_of_book, told_of_length
from core.understanding.ahead import asks_ahead, asks_the_end
from core.understanding.asked import Asked, Kind
from core.understanding.kinds import asked
from core.understanding.small_talk import is_small_talk

_PASSAGES: Final = 12
_STANDS_FOR_ITSELF: Final = 3
_OF_SOMEBODY: Final = frozenset({Kind.FIRST, Kind.WHO, Kind.NAME})
_MOST_GIVEN: Final = 6
"""So many passages are given for a question, one after the other, before there is no other one."""
_log = logging.getLogger(__name__)


class Quoting:
    """Answers with read text only, and keeps nothing.

    Attributes:
        shelf: the pages that were read last, which commands look at too.
        notes: the reading notes of books, which drafts are given too.
    """

    def __init__(
        self,
        *,
        search: SearchBooksUseCase,
        books: BookRepository,
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
        """Answer a question where there is no model to ask."""
        return await self._quotation(question, question.search).outcome(question.log.take)

    async def beside(self, error: LLMError, question: Question, *, position: Position) -> TurnOutcome:
        """Say kindly what is wrong with the model, and quote read sentences that fit; the cause goes to the log."""
        _log.warning("No answer from the model: %s", error)
        quoted = await self.instead(question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return TurnOutcome(text=text, sources=quoted.sources, quotes_only=True)

    async def instead(
        self,
        question: Question,
        *,
        position: Position,
        cited: Sequence[CitedSentence] = (),
        searched: Sequence[SearchResult] = (),
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Return the quoting answer in place of a draft, or the one fixed sentence, without sources.

        Args:
            question: what is answered.
            position: how far the reader of the answer has read.
            cited: sentences of the draft that rest on read pages: the passage comes from there.
            searched: passages that were found for the question before.
            on_event: hears of the search.
        """
        find = TurnSearch(self._search, question.book, position)

        async def search(query: str, top_k: int) -> list[SearchResult]:
            found = await find(query, top_k)
            return list({passage.chunk_id: passage for passage in (*found, *searched)}.values())

        told = with_history(
            replace(question, position=position), [message for message in question.history if message.fits(position)]
        )
        return await self._quotation(told, search, cited).outcome(on_event)

    async def another(self, query: str, *, book: Book, position: Position, skipping: int) -> TurnOutcome:
        """Return the next best passage for what was searched for, without those that were given before."""
        read, search = self.read_book(book, position), TurnSearch(self._search, book, position)
        return await _Quotation(text=query, query=query, search=search, read=read, skipping=skipping).outcome()

    def read_book(self, book: Book, position: Position, begun: Sequence[Chapter] | None = None) -> ReadBook:
        """Return a book as far as it has been read, as answers quote it."""
        return ReadBook(
            books=self._books, book=book, position=position, begun=begun, shelf=self.shelf, index=self._index
        )

    def _quotation(self, question: Question, search: SearchFn, cited: Sequence[CitedSentence] = ()) -> "_Quotation":
        return _Quotation(
            text=question.text,
            query=question.query,
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
class _Quotation:
    """One question, answered with one running passage of read text, with its page and chapter.

    Kinds of question that need no passage have answers of their own, from read text too. `query` is what to search for.
    Up to three of the `notes` stand above the passage, marked as what they are. `cited` are sentences of a draft that
    failed: the passage comes from the pages that they rest on. The best passages were given before: so many are left
    out by `skipping`.
    """

    text: str
    query: str
    search: SearchFn
    read: ReadBook
    notes: NoteShelf | None = None
    cited: Sequence[CitedSentence] = ()
    skipping: int = 0

    async def outcome(self, on_event: EventSink | None = None) -> TurnOutcome:
        """Answer; where nothing fits, with the one sentence for all that cannot be said."""
        if (said := await self._without_search()) is not None:
            return TurnOutcome(text=said, quotes_only=True)
        emit = on_event or (lambda _event: None)
        query = self.query
        emit(ToolInvocationEvent(tool_name=SEARCH_BOOK, arguments={"query": query, "top_k": _PASSAGES}))
        answer = await self._of_what_is_ahead() or await self._of_its_kind() or await self._of_its_part()
        if answer is None:
            answer = await self._passage(query)
            if query != self.text and not answer.sources and len(content_stems(self.text)) >= _STANDS_FOR_ITSELF:
                # What seemed to go on with something said before names enough to be looked for alone.
                query = self.text
                answer = await self._passage(query)
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
        """Return what is said to small talk, to a message without a word, and of the book as a thing."""
        if is_small_talk(self.text):
            return HERE_FOR_THE_BOOK
        if not words(self.text):
            return HOW_TO_ASK
        book = self.read.book
        if asks_how_long(self.text):
            return told_of_length(book, pages=(await self.read.books.outline(book.book_id)).story_end)
        return told_of_book(self.text, book)

    async def _of_what_is_ahead(self) -> _Answer | None:
        """Return what is said of the end and of what is still to come; None for other questions."""
        if asks_the_end(self.text):
            return await self._end()
        return _Answer(text=CANNOT_SAY) if asks_ahead(self.text) and self.query == self.text else None

    async def _end(self) -> _Answer:
        """Return how the story ends, where it is read to there; before that no page says so."""
        is_finished = await self.read.is_finished()
        found = answer_to(Asked(kind=Kind.JUST_NOW), await self.read.text()) if is_finished else None
        if found is None or self.skipping:
            return _Answer(text=CANNOT_SAY)
        return _Answer(text=found.text, sources=await self.read.passages(*found.pages))

    async def _of_its_kind(self) -> _Answer | None:
        """Return the answer to a question that needs no search; None for others, and where a search may find more."""
        kind = asked(self.text, about=self.query.removeprefix(self.text))
        if kind is None or self.skipping:
            return None
        read = await self.read.text()
        found = answer_to(kind, read)
        if found is not None:
            return _Answer(text=found.text, sources=await self.read.passages(*found.pages))
        if kind.end or (kind.kind in _OF_SOMEBODY and is_everywhere(read, kind.subject)):
            return _Answer(text=CANNOT_SAY)
        if _is_of_unread(kind, read):
            return _Answer(text=NOT_MET if kind.kind is Kind.WHO or kind.subject[:1].isupper() else CANNOT_SAY)
        return None

    async def _of_its_part(self) -> _Answer | None:
        """Return the text of a page that the question asks for, or around words that it quotes.

        Of a part that is not begun, nothing is told. None for a question that needs a search.
        """
        if not (names_part(self.text) or quotes_words(self.text)):
            return None
        read = await self.read.text()
        shown = None if self.skipping else on_its_page(self.text, read) or passage_with_quoted(self.text, read)
        if shown is not None:
            pages = range(shown.page, shown.last_page + 1)
            return _Answer(text=rendered(shown, read), sources=await self.read.passages(*pages))
        return _Answer(text=CANNOT_SAY) if named_pages(self.text, read) == [] else None

    async def _passage(self, query: str) -> _Answer:
        read = await self.read.text()
        query = without_unread_names(read, query)
        found = await self.search(query, _PASSAGES)
        named = named_pages(self.text, read) or ()
        shares = within(named, page_shares(found))
        notes: Sequence[Note] = ()
        if self.notes is not None:
            notes = await self.notes.in_short(query, book=self.read.book, position=self.read.position, found=shares)
        best = self._beneath(read) or await self._best(query, read, shares, named) or _told_by(notes, read)
        if len(best) <= self.skipping:
            return _Answer(text=CANNOT_SAY)
        shown = best[self.skipping]
        return _Answer(
            text="\n\n".join([*([in_short.rendered(notes)] if notes else []), rendered(shown, read)]),
            sources=await self._sources(shown, found),
            has_more=len(best) > self.skipping + 1,
        )

    def _beneath(self, read: ReadText) -> list[Passage]:
        """Return what cited sentences rest on: of an unread page, nothing."""
        texts = " ".join(sentence.text for sentence in self.cited)
        pages = dict.fromkeys(sentence.page for sentence in self.cited if sentence.page is not None)
        return best_passages(texts, read, [(page, 1.0) for page in pages], most=2, threshold=0.0) if pages else []

    async def _best(
        self, query: str, read: ReadText, shares: Mapping[int, float], named: Sequence[range]
    ) -> list[Passage]:
        """Return the passages that answer best: the likeliest where words leave traces, else by the words alone.

        Where pages are `named`, those that begin there alone.
        """
        most = _MOST_GIVEN if named else min(self.skipping + 2, _MOST_GIVEN)
        spans = runs_around(list(shares)[:LOOKED_AT], read.last_page)
        traces = await self.read.traces(query, spans) if spans else None
        texts = [taken_apart(read.sentences(*span)) for span in spans]
        found = likeliest_passages(query, texts, traces, most=most) if traces is not None else []
        found = [each for each in found if not named or any(each.page in span for span in named)]
        return found or best_passages(query, read, list(shares.items()), most=most)

    async def _sources(self, shown: Passage, found: Sequence[SearchResult]) -> tuple[SearchResult, ...]:
        """Return the chunks that hold a passage; the store is read where the search did not find all of it."""
        pages = range(shown.page, shown.last_page + 1)
        pieces = sorted((each for each in found if each.start_page in pages), key=lambda each: each.chunk_id)
        if not _hold_all(pieces, shown):
            pieces = list(await self.read.passages(*pages))
        return tuple(piece for piece in pieces if _holds(piece, shown))


def _is_of_unread(kind: Asked, read: ReadText) -> bool:
    """Whether the question is about a person or a word that no read page has; a later page may, or none."""
    if kind.kind is Kind.MEANING:
        return is_unread_word(read, kind.subject)
    return kind.kind in _OF_SOMEBODY and is_unread_name(read, kind.subject)


def _told_by(notes: Sequence[Note], read: ReadText) -> list[Passage]:
    """Return the book's own words for what notes tell of, where the question's words find none."""
    told = " ".join(note.text for note in notes)
    return best_passages(told, read, [(note.page, 1.0) for note in notes], most=1, threshold=0.0)


def _holds(piece: SearchResult, shown: Passage) -> bool:
    text = fold_space(piece.text)
    return any(part in text or text in part for part in _parts(shown))


def _hold_all(pieces: Sequence[SearchResult], shown: Passage) -> bool:
    """Whether every sentence of a passage stands in one of some pieces."""
    texts = [fold_space(piece.text) for piece in pieces]
    return all(any(part in text for text in texts) for part in _parts(shown))


def _parts(shown: Passage) -> list[str]:
    return [each.text.strip("… ") for each in shown.sentences]
