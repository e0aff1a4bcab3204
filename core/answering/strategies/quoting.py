"""The quoting answer: the embedded default where no model is configured. It cannot spoil and never invents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.agent.tool import SEARCH_BOOK
from core.answering.extracts import in_short
from core.answering.extracts.answer_chances import LOOKED_AT, runs_around
from core.answering.extracts.answers import answer_to
from core.answering.extracts.likeliest import likeliest_passages
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
from core.answering.extracts.speeches import taken_apart
from core.answering.extracts.unread_words import is_everywhere, is_unread_name, is_unread_word, without_unread_names
from core.answering.read_book import ReadBook, ReadNotes
from core.answering.strategies.base import ThinRetrievalStrategy, query_of, question_of
from core.domain.book import Page
from core.domain.chat_event import EventSink, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import TurnOutcome
from core.domain.messages import CANNOT_SAY, HERE_FOR_THE_BOOK, HOW_TO_ASK, NOT_MET
from core.domain.note import Note
from core.domain.passage import SearchFn, SearchResult, page_shares
from core.domain.tool_use import Deadline, PromptMessage, ToolDefinition
from core.guard.citations import CitedSentence
from core.language.sentences import fold_space
from core.language.words import content_stems, words
from core.ports.chat_provider import ChatProvider
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    text: str
    sources: tuple[SearchResult, ...] = ()
    has_more: bool = False


class QuotingRetrievalStrategy(ThinRetrievalStrategy):
    """Gives one running passage of read text, verbatim, with its page and chapter.

    Kinds of question that need no passage have answers of their own, from read text too.

    Args:
        read: the book as far as it was read; without it, what the search finds is all there is to quote.
        notes: its reading notes so far: up to three that fit stand above the passage, marked as what they are.
        cited: sentences of a draft that failed, with the read pages they rest on: the passage comes from there.
        skipping: how many of the best passages were given before.
    """

    quotes_only = True

    def __init__(
        self,
        *,
        read: ReadBook | None = None,
        notes: ReadNotes | None = None,
        cited: Sequence[CitedSentence] = (),
        skipping: int = 0,
    ) -> None:
        super().__init__()
        self._read = read
        self._notes = notes
        self._cited = cited
        self._skipping = skipping

    async def run(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
        *,
        deadline: Deadline | None = None,
    ) -> TurnOutcome:
        """Answer the last user message; where nothing fits, with the one sentence for all that cannot be said."""
        question = question_of(messages)
        if is_small_talk(question):
            return TurnOutcome(text=HERE_FOR_THE_BOOK, quotes_only=True, provider=chat_provider.name)
        if not words(question):
            return TurnOutcome(text=HOW_TO_ASK, quotes_only=True, provider=chat_provider.name)
        if (told_so := await self._of_the_book(question)) is not None:
            return TurnOutcome(text=told_so, quotes_only=True, provider=chat_provider.name)
        query = query_of(messages)
        emit = on_event or (lambda _event: None)
        emit(ToolInvocationEvent(tool_name=SEARCH_BOOK, arguments={"query": query, "top_k": _PASSAGES}))
        told = (
            await self._of_what_is_ahead(question, query)
            or await self._of_its_kind(question, query)
            or await self._of_its_part(question)
        )
        if told is not None:
            answer = told
        else:
            answer = await self._passage(query, search_fn, question=question)
            if query != question and not answer.sources and len(content_stems(question)) >= _STANDS_FOR_ITSELF:
                # What seemed to go on with something said before names enough to be looked for alone.
                query = question
                answer = await self._passage(query, search_fn, question=question)
        emit(ToolResultEvent(query=query, result_count=len(answer.sources), results=list(answer.sources)))
        return TurnOutcome(
            text=answer.text,
            sources=answer.sources,
            retrieval_attempts=1,
            rewritten_query=None if query == question else query,
            quotes_only=True,
            has_more=answer.has_more,
            provider=chat_provider.name,
        )

    async def _of_its_kind(self, question: str, query: str) -> _Answer | None:
        """Return the answer to a question that needs no search; None for others, and where a search may find more."""
        kind = asked(question, about=query.removeprefix(question))
        if kind is None or self._read is None or self._skipping:
            return None
        read = await self._read.text()
        found = answer_to(kind, read)
        if found is None and (kind.end or (kind.kind in _OF_SOMEBODY and is_everywhere(read, kind.subject))):
            return _Answer(text=CANNOT_SAY)
        if found is None and _is_of_unread(kind, read):
            return _Answer(text=NOT_MET if kind.kind is Kind.WHO or kind.subject[:1].isupper() else CANNOT_SAY)
        if found is None:
            return None
        return _Answer(text=found.text, sources=await self._read.passages(*found.pages))

    async def _of_the_book(self, question: str) -> str | None:
        """Return what is said of the book as a thing; None for other questions."""
        if self._read is None:
            return None
        book = self._read.book
        if asks_how_long(question):
            return told_of_length(book, pages=(await self._read.books.outline(book.book_id)).story_end)
        return told_of_book(question, book)

    async def _of_what_is_ahead(self, question: str, query: str) -> _Answer | None:
        """Return what is said of the end and of what is still to come; None for other questions."""
        if self._read and asks_the_end(question):
            return await self._end(self._read)
        return _Answer(text=CANNOT_SAY) if asks_ahead(question) and query == question else None

    async def _end(self, read: ReadBook) -> _Answer:
        """Return how the story ends, where it is read to there; before that no page says so."""
        found = answer_to(Asked(kind=Kind.JUST_NOW), await read.text()) if await read.is_finished() else None
        if found is None or self._skipping:
            return _Answer(text=CANNOT_SAY)
        return _Answer(text=found.text, sources=await read.passages(*found.pages))

    async def _of_its_part(self, question: str) -> _Answer | None:
        """Return what stands on a page that is asked for, or what is quoted; of a part that is not begun, nothing.

        None for a question that is looked for, be it on the pages that it names.
        """
        if self._read is None or not (names_part(question) or quotes_words(question)):
            return None
        read = await self._read.text()
        shown = None if self._skipping else on_its_page(question, read) or passage_with_quoted(question, read)
        if shown is not None:
            pages = range(shown.page, shown.last_page + 1)
            return _Answer(text=rendered(shown, read), sources=await self._read.passages(*pages))
        return _Answer(text=CANNOT_SAY) if named_pages(question, read) == [] else None

    async def _passage(self, query: str, search_fn: SearchFn, *, question: str) -> _Answer:
        book = await self._read.text() if self._read else None
        query = query if book is None else without_unread_names(book, query)
        found = await search_fn(query, _PASSAGES)
        read = _read_of(found) if book is None else book
        named = named_pages(question, read) or ()
        shares = within(named, page_shares(found))
        notes = await self._notes.fitting(query, shares) if self._notes and not self._skipping else []
        best = self._beneath(read) or await self._best(query, read, shares, named) or _told_by(notes, read)
        if len(best) <= self._skipping:
            return _Answer(text=CANNOT_SAY)
        shown = best[self._skipping]
        return _Answer(
            text="\n\n".join([*([in_short.rendered(notes)] if notes else []), rendered(shown, read)]),
            sources=await self._sources(shown, found),
            has_more=len(best) > self._skipping + 1,
        )

    async def _best(
        self, query: str, read: ReadText, shares: Mapping[int, float], named: Sequence[range]
    ) -> list[Passage]:
        """Return the passages that answer best: the likeliest where words leave traces, else by the words alone.

        Where pages are `named`, those that begin there alone.
        """
        most = _MOST_GIVEN if named else min(self._skipping + 2, _MOST_GIVEN)
        spans = runs_around(list(shares)[:LOOKED_AT], read.last_page)
        traces = await self._read.traces(query, spans) if self._read and spans else None
        texts = [taken_apart(read.sentences(*span)) for span in spans]
        found = likeliest_passages(query, texts, traces, most=most) if traces is not None else []
        found = [each for each in found if not named or any(each.page in span for span in named)]
        return found or best_passages(query, read, list(shares.items()), most=most)

    def _beneath(self, read: ReadText) -> list[Passage]:
        """Return what cited sentences rest on: of an unread page, nothing."""
        if self._skipping:
            return []
        texts = " ".join(sentence.text for sentence in self._cited)
        pages = dict.fromkeys(sentence.page for sentence in self._cited if sentence.page is not None)
        return best_passages(texts, read, [(page, 1.0) for page in pages], most=2, threshold=0.0) if pages else []

    async def _sources(self, shown: Passage, found: Sequence[SearchResult]) -> tuple[SearchResult, ...]:
        """Return the pieces of the book that a passage is taken from; they are read where not all of it was found."""
        pages = range(shown.page, shown.last_page + 1)
        pieces = sorted((each for each in found if each.start_page in pages), key=lambda each: each.chunk_id)
        if self._read and not _hold_all(pieces, shown):
            pieces = list(await self._read.passages(*pages))
        return tuple(piece for piece in pieces if _holds(piece, shown))


def _is_of_unread(kind: Asked, read: ReadText) -> bool:
    """Whether it is asked about somebody or something that no read page names; a later one may, or none."""
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


def _read_of(found: Sequence[SearchResult]) -> ReadText:
    """Return what was found as if it were all that there is to read."""
    texts: dict[int, dict[int, str]] = {}
    for passage in found:
        texts.setdefault(passage.start_page, {})[passage.chunk_id] = passage.text
    last = max(texts, default=0)
    pieces = {number: [texts[number][each] for each in sorted(texts[number])] for number in texts}
    return ReadText([Page(number=number, text="\n\n".join(pieces.get(number, []))) for number in range(1, last + 1)])
