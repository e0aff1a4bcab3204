"""Ranks the read pages; unread pages affect no score.

A library's index (bm25s, FTS5) takes its word statistics from the whole book, so unread pages would change the ranking
of read ones. Here the statistics come from the readable prefix. See ADR 0005.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Final, TypeVar

import numpy as np
from cachetools import LRUCache

from adapters.retrieval.book_words import BookWords, Floats
from adapters.retrieval.exact_index import nearest_first
from adapters.retrieval.page_ranking import BEST, Weights, WindowScores, look, ranked, weighed, with_notes
from adapters.retrieval.query import Query, QueryTerms, Term
from adapters.retrieval.read_words import ReadWords, read_words
from adapters.retrieval.word_files import BookChunks, WordFiles
from adapters.retrieval.word_likeness import WordLikeness, cosines_to
from core.domain.book import Book
from core.domain.passage import ReadableSpan, readable
from core.language.book_memory import BookCache, BookMemory, Held
from core.language.packed_words import Ints, Short
from core.language.words import FUNCTION_WORDS
from core.ports.books import BookRepository, StoredChunk
from core.ports.index_files import IndexFiles
from core.ports.lexical_index import LexicalIndex
from core.ports.notes import NoteRepository
from core.ports.passage_index import Near
from core.ports.word_traces import Traces, WordTraces
from core.ports.word_vectors import WordVectors

Result = TypeVar("Result")

_HELD_LOOKS = 4

RUN: Final = 6
"""So many consecutive words are no accident: a member typed or pasted a line of the book."""


class Bm25LexicalIndex(LexicalIndex, WordTraces):
    """BM25 (k1 1.2, b 0.75; Robertson and Zaragoza 2009) with Snowball stems; clubs with the same text share an index.

    `word_vectors` let it compare words by meaning; without them only the words themselves count. `memory` limits what
    is cached. `files` store what was built; without them every process builds its own.
    """

    def __init__(
        self,
        books: BookRepository,
        *,
        workers: Executor,
        notes: NoteRepository | None = None,
        word_vectors: WordVectors | None = None,
        memory: BookMemory | None = None,
        files: IndexFiles | None = None,
    ) -> None:
        memory = memory or BookMemory()
        self._books = books
        self._notes = notes
        self._workers = workers
        self._likeness = WordLikeness(word_vectors) if word_vectors is not None else None
        self._weights = Weights()
        self._terms = QueryTerms(self._likeness, likeness_from=self._weights.likeness_from)
        self._files = WordFiles(files, self._likeness)
        self._chunks: BookCache[BookChunks] = BookCache("chunks", memory)
        self._words: BookCache[BookWords] = BookCache("words", memory)
        self._noted: BookCache[BookWords] = BookCache("note_words", memory)
        self._read: Held[ReadWords] = Held("positions", memory)
        # Quoting asks for the traces of what was ranked a moment ago.
        self._looked: LRUCache[tuple[ReadableSpan, str], tuple[WindowScores, Sequence[Term]]] = LRUCache(
            maxsize=_HELD_LOOKS
        )

    async def rank(self, span: ReadableSpan, query: str, *, nearest: Near, limit: int) -> list[tuple[int, float]]:
        """Return (chunk id, score), best first, all within the span: one chunk of each page before a second of any.

        A worker builds a book's index; a question about an indexed book takes a few milliseconds.
        """
        looked = await self.look(span, query, nearest=nearest)
        return ranked(looked, self._weights, limit=limit) if looked is not None else []

    async def look(self, span: ReadableSpan, query: str, *, nearest: Near) -> WindowScores | None:
        """Return the evidence for each page before weighting; None if there is nothing to search for or in."""
        question = Query.of(query)
        if not question.stems or span.last_page < 1:
            return None
        chunks = await self._chunks.get(span.book_id, span.import_id, lambda: self._chunks_of(span.book_id))
        book = await self._words_of(span.book_id, chunks)
        read = self._read_words(chunks.text, span.last_page, book)
        if read is None:
            return None
        if self._likeness is not None and book.meanings is not None:
            self._likeness.learn(question.running, book.words, book.meanings)
        asked = self._terms.of(question, read, known_as=(chunks.text, span.last_page))
        verbatim = chunks_with_runs(book, question.running, chunks=read.chunks)
        looked = look(
            read, asked, chunk_ids=chunks.ids, wholes=nearest.wholes, nearest=nearest.chunks, verbatim=verbatim
        )
        noted = await self._look_at_notes(span, question, nearest.notes)
        looked = looked if noted is None else with_notes(looked, noted)
        self._looked[span, query] = looked, asked
        return looked

    async def traces(self, span: ReadableSpan, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        """Return a question's traces on runs of read pages, from its latest ranking."""
        if (span, query) not in self._looked and await self.look(span, query, nearest=Near()) is None:
            return None
        looked, asked = self._looked[span, query]
        scores = weighed(looked.pages, self._weights, pages_back=looked.pages_back)
        return traces_on(looked, scores, Query.of(query), asked, runs)

    async def prepare(self, book: Book) -> None:
        """Load or build the index of a book, and store it in a file, before the first question."""
        chunks = await self._chunks.get(book.book_id, book.import_id, lambda: self._chunks_of(book.book_id))
        await self._words_of(book.book_id, chunks)

    async def refresh(self, book_id: str) -> None:
        """Drop what is cached of a book; it is loaded again when next needed."""
        self._chunks.forget(book_id)
        self._noted.forget(book_id)
        self._looked.clear()

    async def _words_of(self, book_id: str, chunks: BookChunks) -> BookWords:
        return await self._words.get(chunks.text, chunks.version, lambda: self._build(book_id, chunks))

    async def _chunks_of(self, book_id: str) -> BookChunks:
        marks = await self._books.chunk_marks(book_id)
        return BookChunks.of((await self._books.get(book_id)).content_hash if marks else "", marks)

    async def _build(self, book_id: str, chunks: BookChunks) -> BookWords:
        kept = await self._in_worker(lambda: self._files.load(chunks))
        if kept is not None:
            return kept
        stored = await self._books.chunks(book_id)
        return await self._in_worker(lambda: self._files.build(chunks, stored))

    async def _build_notes(self, span: ReadableSpan) -> BookWords:
        """Index the notes as a text with one chunk per note, identified by their pages."""
        book = await self._books.get(span.book_id)
        chunks = BookChunks.of_notes(book.content_hash, span)
        kept = await self._in_worker(lambda: self._files.load(chunks))
        if kept is not None:
            return kept
        notes = [] if self._notes is None else await self._notes.notes(readable(book, book.pages))
        stored = [
            StoredChunk(chunk_id=number, start_page=note.page, end_page=note.page, text=note.text)
            for number, note in enumerate(notes)
        ]
        return await self._in_worker(lambda: self._files.build(chunks, stored))

    async def _in_worker(self, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)

    async def _look_at_notes(
        self, span: ReadableSpan, question: Query, nearest: Sequence[tuple[int, float]]
    ) -> WindowScores | None:
        """Return the evidence in the notes on the read pages; None if the book has none.

        If an embedding model has found the `nearest` notes, word vectors are not used to compare them.
        """
        if not span.notes_id or self._notes is None:
            return None
        book = await self._noted.get(span.book_id, span.notes_id, lambda: self._build_notes(span))
        notes = f"{span.book_id} {span.notes_id}"
        read = self._read_words(notes, span.last_page, book)
        if read is None:
            return None
        asked = self._terms.of(question, read, known_as=(notes, span.last_page))
        wholes = () if nearest else self._note_likeness(read, question)
        rows = np.arange(read.chunks)
        return look(read, asked, chunk_ids=rows, wholes=wholes, nearest=nearest, verbatim=[])

    def _note_likeness(self, read: ReadWords, question: Query) -> Sequence[tuple[int, float]]:
        """Return how similar each readable note is to the question."""
        themes = read.book.themes
        if self._likeness is None or themes is None:
            return ()
        cosines = cosines_to(themes[: read.chunks], self._likeness.theme_of(question.running))
        rows = nearest_first(cosines, BEST)
        return list(zip(rows.tolist(), cosines[rows].tolist(), strict=True))

    def _read_words(self, text: str, last_page: int, book: BookWords) -> ReadWords | None:
        read = self._read.find((text, last_page))
        if read is None or read.book is not book:
            read = read_words(book, last_page)
            if read is not None:
                self._read.keep((text, last_page), read)
        return read


def chunks_with_runs(book: BookWords, asked: Sequence[str], *, chunks: int) -> list[int]:
    """Return the chunk number of each place where `RUN` words of a question occur in a row, among the first chunks.

    A run without content words doesn't count. A run across two chunks belongs to the one with its fourth word.
    """
    running = book.running[: book.running_starts[chunks]]
    stands: dict[int, Ints] = {}
    places: list[int] = []
    for run in _runs(book, asked):
        # Search for the word that the book first uses last: most likely a rare one.
        rarest = int(run.argmax())
        number = int(run[rarest])
        if number not in stands:
            stands[number] = np.flatnonzero(running == number).astype(np.int32)
        places += _matching_starts(running, run, stands[number] - rarest)
    return [int(chunk) for chunk in np.searchsorted(book.running_starts, np.add(places, RUN // 2), side="right") - 1]


def traces_on(
    looked: WindowScores, scores: Floats, question: Query, asked: Sequence[Term], runs: Sequence[tuple[int, int]]
) -> Traces:
    """Return a question's traces on runs of pages, from its ranking.

    Unread pages have none.
    """
    read = looked.read
    numbers = read.book.page_numbers[: read.pages]
    shares = np.zeros((len(asked), len(read.rarity)))
    for row, term in zip(shares, asked, strict=True):
        row[term.words] = term.shares
    squares_of_word = read.weight**2
    words, themes = (
        zip(*(_words_on(read.book, looked, numbers, run) for run in runs), strict=True) if runs else ((), ())
    )
    return Traces(
        pages=numbers.tolist(),
        scores=scores,
        stems=question.stems,
        rarities=np.array([term.rarity for term in asked]),
        is_read=[_is_read(read, stem) for stem in question.stems],
        held=[shares.take(each, axis=1) for each in words],
        gist=[looked.gist_of_word.take(each) for each in words],
        squares=[squares_of_word.take(each) for each in words],
        theme=list(themes),
    )


def _runs(book: BookWords, asked: Sequence[str]) -> Iterator[Ints]:
    """Yield the runs whose words all occur in the book, as word numbers."""
    numbers = [book.words.number_of(word) for word in asked] if len(asked) >= RUN else []
    for start in range(len(numbers) - RUN + 1):
        run = [number for number in numbers[start : start + RUN] if number is not None]
        if len(run) == RUN and not FUNCTION_WORDS.issuperset(asked[start : start + RUN]):
            yield np.array(run, dtype=np.int32)


def _matching_starts(running: Short, run: Ints, begins: Ints) -> list[int]:
    """Return the places where the run really starts."""
    begins = begins[(begins >= 0) & (begins <= len(running) - RUN)]
    for step, number in enumerate(run):
        begins = begins[running[begins + step] == number]
    return [int(begin) for begin in begins]


def _is_read(read: ReadWords, stem: str) -> bool:
    number = read.book.stems.number_of(stem)
    return number is not None and bool(read.found_on[number])


def _words_on(book: BookWords, looked: WindowScores, numbers: Ints, run: tuple[int, int]) -> tuple[Short, Floats]:
    """Return the word numbers on a run of pages, and for each the theme score of its chunk."""
    first, stop = np.searchsorted(numbers, [run[0], run[1] + 1])
    chunks = slice(int(book.page_starts[first]), int(book.page_starts[stop]))
    bounds = book.running_starts[chunks.start : chunks.stop + 1]
    return book.running[bounds[0] : bounds[-1]], np.repeat(looked.chunks.theme[chunks], np.diff(bounds))
