"""Ranks the pages that may answer a question, and their chunks; uses only the readable prefix of one book.

Evidence is collected separately from its weights, so that the weights can be fitted: ADR 0009.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.book_words import Floats
from adapters.retrieval.query import Term
from adapters.retrieval.read_words import K1, WINDOW_WORDS, Places, ReadWords, centred, summed_up
from core.language.packed_words import Ints

_RUN_WORDS: Final = 150
BEST: Final = 200
_COUNTED_ON_A_PAGE: Final = 2
_TINY: Final = 1e-6
_LIKE_ENOUGH: Final = 0.35
"""From this similarity on, an embedding model finds a piece relevant; other books' questions stay below 0.3."""
_LEAST_SCORE: Final = 0.01
_MOST_WITHOUT: Final = 0.2
_FEW_WITHOUT: Final = 10
"""Notes count only if at most this share, or this number, of the read pages has none; the share is the guard's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weight of each kind of evidence, on BM25's scale for the words of a page.

    `likeness_from`: the minimum cosine at which a word of the book replaces one of the question. `recent`: the share by
    which evidence on the last read page counts more; at `recent_pages` back it is a third of that. `verbatim`: higher
    than everything else.
    """

    likeness_from: float = 0.25
    run: float = 1.0
    gist: float = 0.7
    theme: float = 1.0
    meaning: float = 1.0
    recent: float = 0.15
    recent_pages: float = 8.0
    notes: float = 1.0
    best_note: float = 1.5
    note_theme: float = 3.0
    note_meaning: float = 4.0
    verbatim: float = 1_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The evidence for each page, or for each chunk.

    `words`: BM25 of its words and of similar ones. `run`: the best run of 150 words around it, which may extend into
    its neighbours. `gist`: the best window of 30 words by word vectors, in standard deviations. `theme`: the chunk's
    similarity as a whole, in standard deviations above the last of the best 200. `meaning`: the two best windows by the
    embedding model together (for a chunk, the best), each measured in the same way against those found. `verbatim`: the
    number of runs of the question's words in it. For a page's reading notes, if any: `notes` are all their words
    together, `best_note` the words of the best one, `note_meaning` the two best by the embedding model together;
    without that, `note_theme` is the similarity of the best one to the question as a whole.
    """

    words: Floats
    run: Floats
    gist: Floats
    theme: Floats
    meaning: Floats
    verbatim: Floats
    notes: Floats
    best_note: Floats
    note_theme: Floats
    note_meaning: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowScores:
    """The evidence for the read pages and chunks, and the chunks that can be found at all.

    `chunk_ids` are those of the whole book, in its order. `gist_of_word`: each word's similarity to the question, times
    its weight. `asked`: the score of a page that holds each of the question's words once.
    """

    read: ReadWords
    chunk_ids: NDArray[np.int64]
    pages: Evidence
    chunks: Evidence
    found: NDArray[np.bool_]
    gist_of_word: Floats
    asked: float

    @property
    def pages_back(self) -> Ints:
        """How many pages ago each page was read."""
        return self.read.last_page - self.read.book.page_numbers[: self.read.pages]


def look(
    read: ReadWords,
    asked: Sequence[Term],
    *,
    chunk_ids: NDArray[np.int64],
    wholes: Sequence[tuple[int, float]],
    nearest: Sequence[tuple[int, float]],
    verbatim: Sequence[int],
) -> WindowScores:
    """Collect the evidence for each page and chunk.

    `wholes` are chunk ids with their similarity to the question as a whole, `nearest` are ids with the similarity of
    one of their pieces, both best first. `verbatim` are the numbers of chunks with runs of the question's words.
    """
    page_words, chunk_words = np.zeros(read.pages), np.zeros(read.chunks)
    holds_words = np.zeros(read.chunks, dtype=np.bool_)
    runs, gist_of_word = np.zeros(read.blocks), np.zeros(len(read.rarity))
    standing = read.standing(np.concatenate([term.words for term in asked]))
    for term in asked:
        counts = standing.by_block(term.words, term.shares)
        in_chunks = np.add.reduceat(counts, read.chunk_blocks)
        holds_words |= in_chunks > 0
        chunk_words += term.rarity * saturated(in_chunks, read.chunk_room)
        page_words += term.rarity * saturated(np.add.reduceat(in_chunks, read.page_chunks), read.page_room)
        runs += term.rarity * saturated(centred(summed_up(counts), _RUN_WORDS), K1)
        if term.cosines is not None:
            gist_of_word += term.weight * term.cosines
    gist_of_word *= read.weight
    gist = centred(np.cumsum(read.by_block(gist_of_word)), WINDOW_WORDS) / read.window_lengths
    runs_of_chunk, gist_of_chunk = (np.maximum.reduceat(each, read.chunk_blocks) for each in (runs, gist))
    theme = np.zeros(read.chunks)
    like_chunks, likeness = _found_among(chunk_ids[: read.chunks], wholes)
    theme[like_chunks] = _standing_out(likeness)
    near, meaning_of_page = _meaning(read, chunk_ids[: read.chunks], nearest)
    meaning = np.maximum(near, 0)
    of_pieces = _found_among(chunk_ids[: read.chunks], nearest)[1]
    is_held = any(term.is_held for term in asked) or bool(of_pieces.max(initial=0) >= _LIKE_ENOUGH)
    runs_held = np.bincount(np.array(verbatim, dtype=np.int64), minlength=read.chunks).astype(np.float64)
    return WindowScores(
        read=read,
        chunk_ids=chunk_ids,
        pages=Evidence(
            words=page_words,
            run=np.maximum.reduceat(runs_of_chunk, read.page_chunks),
            gist=_standardised(np.maximum.reduceat(gist_of_chunk, read.page_chunks)),
            theme=np.maximum.reduceat(theme, read.page_chunks),
            meaning=meaning_of_page,
            verbatim=np.add.reduceat(runs_held, read.page_chunks),
            notes=np.zeros(read.pages),
            best_note=np.zeros(read.pages),
            note_theme=np.zeros(read.pages),
            note_meaning=np.zeros(read.pages),
        ),
        chunks=Evidence(
            words=chunk_words,
            run=runs_of_chunk,
            gist=_standardised(gist_of_chunk),
            theme=theme,
            meaning=meaning,
            verbatim=runs_held,
            notes=np.zeros(read.chunks),
            best_note=np.zeros(read.chunks),
            note_theme=np.zeros(read.chunks),
            note_meaning=np.zeros(read.chunks),
        ),
        found=is_held & (holds_words | (near >= 0) | any(term.cosines is not None for term in asked)),
        gist_of_word=gist_of_word,
        asked=sum(term.rarity for term in asked),
    )


def with_notes(looked: WindowScores, notes: WindowScores) -> WindowScores:
    """Add the evidence in each page's reading notes, which were ranked as a text with one chunk per note.

    If too many read pages have no notes, nothing is added, or pages with notes would always come first.
    """
    pages = looked.read.book.page_numbers[: looked.read.pages]
    noted = notes.read.book.page_numbers[: notes.read.pages]
    _, of_text, of_notes = np.intersect1d(pages, noted, assume_unique=True, return_indices=True)
    if len(pages) - len(of_text) > max(_MOST_WITHOUT * len(pages), _FEW_WITHOUT):
        return looked

    def on_pages(values: Floats) -> Floats:
        spread = np.zeros(len(pages))
        spread[of_text] = values[of_notes]
        return spread

    best = np.maximum.reduceat(notes.chunks.words, notes.read.page_chunks)
    evidence = replace(
        looked.pages,
        notes=on_pages(notes.pages.words),
        best_note=on_pages(best),
        note_theme=on_pages(notes.pages.theme),
        note_meaning=on_pages(notes.pages.meaning),
    )
    speaks = ((evidence.notes > 0) | (evidence.note_meaning > 0)) & notes.found.any()
    has_some = np.repeat(speaks, np.diff(np.append(looked.read.page_chunks, looked.read.chunks)))
    return replace(looked, pages=evidence, found=looked.found | has_some)


def ranked(looked: WindowScores, weights: Weights, *, limit: int) -> list[tuple[int, float]]:
    """Return up to `limit` (chunk id, score), best first: the best chunk of each page before a second one of any.

    The best score is the share of the question's words, weighted by rarity, that its page holds; later scores fall with
    their distance from it. Empty if no page holds any of them, in another form or meaning either.
    """
    read = looked.read
    page_scores = weighed(looked.pages, weights, pages_back=looked.pages_back)
    chunk_scores = weighed(looked.chunks, weights)
    # Second chunks are needed only if there are too few pages, so nothing else has to be sorted.
    has_some = np.logical_or.reduceat(looked.found, read.page_chunks)
    in_order = np.argsort(-page_scores, kind="stable")
    is_wanted = np.zeros(read.pages, dtype=np.bool_)
    is_wanted[in_order[has_some[in_order]][:limit]] = True
    chunks_of_page = np.diff(np.append(read.page_chunks, read.chunks))
    rows = np.flatnonzero(looked.found & is_wanted.repeat(chunks_of_page))
    page_of = np.searchsorted(read.page_chunks, rows, side="right") - 1
    by_page = np.lexsort((-chunk_scores[rows], page_of, -page_scores[page_of]))
    rows, page_of = rows[by_page], page_of[by_page]
    is_second = np.concatenate([[False], page_of[1:] == page_of[:-1]])[: len(rows)]
    scores = 1 / (1 + (page_scores.max() - page_scores[page_of]))
    scores[is_second] *= 1 / (1 + (page_scores.max() - page_scores[has_some].min(initial=page_scores.max())))
    scores *= _share_held(looked, page_scores)
    in_order = np.argsort(is_second, kind="stable")[:limit]
    return list(zip(looked.chunk_ids[rows[in_order]].tolist(), scores[in_order].tolist(), strict=True))


def _share_held(looked: WindowScores, page_scores: Floats) -> float:
    best = int(np.argmax(page_scores))
    pages = looked.pages
    if pages.verbatim[best]:
        return 1.0
    held = max(pages.words[best], pages.best_note[best]) / max(looked.asked, _TINY)
    return float(np.clip(held, _LEAST_SCORE, 1.0))


def weighed(evidence: Evidence, weights: Weights, *, pages_back: Ints | None = None) -> Floats:
    """Return the weighted sum of the evidence.

    `pages_back` says how long ago each page was read. Recent pages gain in proportion to their evidence, so they can't
    displace clear matches.
    """
    said = evidence.words + weights.run * evidence.run
    if pages_back is not None:
        said = said * (1 + weights.recent * np.exp(-((pages_back / weights.recent_pages) ** 2)))
    by_meaning = weights.gist * evidence.gist + weights.theme * evidence.theme + weights.meaning * evidence.meaning
    by_notes = (
        weights.notes * evidence.notes
        + weights.best_note * evidence.best_note
        + weights.note_theme * evidence.note_theme
        + weights.note_meaning * evidence.note_meaning
    )
    return said + by_meaning + by_notes + weights.verbatim * evidence.verbatim


def saturated(counts: Floats, room: Floats | float) -> Floats:
    """Return BM25's saturation of a count: further occurrences count less, as does one in a long text."""
    return counts * (K1 + 1) / (counts + room)


def _meaning(
    read: ReadWords, chunk_ids: NDArray[np.int64], nearest: Sequence[tuple[int, float]]
) -> tuple[Floats, Floats]:
    """Return how far each chunk's best piece stands out (-1 if none was found), and the two best of each page.

    One piece may resemble a question by chance; two on a page rarely do.
    """
    rows, likeness = _found_among(chunk_ids, nearest)
    above = _standing_out(likeness)
    of_chunk = np.full(len(chunk_ids), -1.0)
    np.maximum.at(of_chunk, rows, above)
    pages = np.searchsorted(read.page_chunks, rows, side="right") - 1
    by_page = np.lexsort((-above, pages))
    pages, above = pages[by_page], above[by_page]
    place_on_page = np.arange(len(pages)) - np.searchsorted(pages, pages)
    counts = place_on_page < _COUNTED_ON_A_PAGE
    return of_chunk, np.bincount(pages[counts], weights=above[counts], minlength=read.pages).astype(np.float64)


def _found_among(chunk_ids: NDArray[np.int64], near: Sequence[tuple[int, float]]) -> tuple[Places, Floats]:
    """Return the rows of the ids that are among these chunks, and their similarity to the question."""
    if not near:
        return np.zeros(0, dtype=np.int64), np.zeros(0)
    found, likeness = (np.array(each) for each in zip(*near, strict=True))
    order = np.argsort(chunk_ids, kind="stable")
    rows = order.take(np.searchsorted(chunk_ids, found, sorter=order), mode="clip")
    is_there = chunk_ids[rows] == found
    return rows[is_there], likeness[is_there]


def _standing_out(likeness: NDArray[np.floating]) -> Floats:
    """Return each value's distance above the last of the best ones, in their standard deviations."""
    best = np.sort(likeness)[-BEST:].astype(np.float64)
    return np.asarray(np.maximum(likeness - best.min(initial=1.0), 0) / (best.std() + _TINY)) if len(best) else best


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() + _TINY))
