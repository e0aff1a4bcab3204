"""Which page answers a question: words and their likes, the pages beside, the gist, and what was read last.

All of it comes from the readable prefix of one book. Every step and its weight was measured: ADR 0009.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.book_words import BookWords, Floats, Ints, Meanings, mean_by_word
from adapters.retrieval.question import Question
from core.ports.vectors import Vectors

K1 = 1.2
B = 0.75
_TINY = 1e-6
_WINDOW_STEP = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each step counts, in BM25's own scale; a step of weight 0 is left out.

    `likeness_from`: the cosine from which a word of the book stands in for one of the question. `beside` and
    `two_off`: the pages next to a page, and one further. `gist_words`: the length of the windows. `recent`: by how
    much of itself what was read last counts more; at `recent_pages` back it is a third of that. It gains by what it
    says, so that it cannot push out what clearly fits; only `just_now`, for questions about the last pages, counts
    by itself. `sharpness` makes of page scores the shares that are given out as scores.
    """

    likeness_from: float = 0.25
    likeness: float = 1.0
    beside: float = 0.5
    two_off: float = 0.25
    gist: float = 0.55
    gist_words: int = 30
    recent: float = 0.6
    recent_pages: float = 8.0
    just_now: float = 8.0
    just_now_pages: float = 4.0
    introduced: float = 2.0
    introduced_pages: float = 2.0
    nearest: float = 0.25
    nearest_ranks: float = 10.0
    sharpness: float = 0.65


@dataclass(frozen=True, slots=True)
class _Likeness:
    """Of each distinct word of the book to each word of the question: dot products, and vector lengths."""

    dots: Floats
    book_norms: Floats
    question_norms: Floats
    question_dots: Floats


def rank_chunks(
    book: BookWords,
    question: Question,
    *,
    last_page: int,
    nearest: Sequence[int],
    table: Vectors | None,
    question_pieces: Sequence[Sequence[int]] = (),
    weights: Weights,
) -> list[tuple[int, float]]:
    """Return (chunk id, score), best first: the best chunk of each page before a second one of any."""
    chunks, pages = book.readable_chunks(last_page), book.readable_pages(last_page)
    if chunks == 0 or not question.stems:
        return []
    starts, back = book.page_starts[:pages], last_page - book.page_numbers[:pages]
    exact = np.stack([book.counts(stem, chunks=chunks) for stem in question.stems], axis=1)
    counts = exact
    told = _row_of(book.chunk_ids[:chunks], nearest)
    candidates: NDArray[np.bool_] = np.count_nonzero(exact, axis=1) > 0
    candidates[list(told.values())] = True
    gist = np.zeros(chunks)
    if book.meanings is not None and table is not None and question_pieces:
        likeness = _likeness(book.meanings, table, question_pieces)
        counts = exact + weights.likeness * _likes(book, question, likeness, chunks=chunks, weights=weights)
        gist = weights.gist * _standardised(_gist(book, question, likeness, chunks=chunks, width=weights.gist_words))
        candidates[:] = True
    lengths = np.diff(book.chunk_starts[: chunks + 1]).astype(np.float64)
    page_counts, page_lengths = np.add.reduceat(counts, starts), np.add.reduceat(lengths, starts)
    found = np.minimum(page_counts, 1).sum(axis=0)
    rarity = np.log1p((pages - found + 0.5) / (found + 0.5))
    said = _with_neighbours(saturated(page_counts, page_lengths) @ rarity, weights)
    page_scores = said + np.maximum.reduceat(gist, starts)
    if question.asks_who and weights.introduced:
        page_scores += weights.introduced * _introduced(np.add.reduceat(exact, starts), weights.introduced_pages)
    else:
        page_scores += weights.recent * said * np.exp(-((back / weights.recent_pages) ** 2))
    if question.asks_now:
        page_scores += weights.just_now * np.exp(-back / weights.just_now_pages)
    page_scores += weights.nearest * _told(told, book, pages=pages, ranks=weights.nearest_ranks)
    # Which part of a page is shown: what is said in so many words counts twice, since it is what will be quoted.
    chunk_scores = (saturated(counts, lengths) + saturated(exact, lengths)) @ rarity + gist
    chunk_scores[~candidates] = -np.inf
    return _in_order(book, page_scores, chunk_scores, starts=starts, sharpness=weights.sharpness)


def saturated(counts: Floats, lengths: Floats) -> Floats:
    """Return BM25's share of a count: a second occurrence says less than the first, as does one in a long text."""
    mean = lengths.mean() or 1.0
    return counts * (K1 + 1) / (counts + K1 * (1 - B + B * lengths / mean)[:, None])


def _likeness(meanings: Meanings, table: Vectors, question_pieces: Sequence[Sequence[int]]) -> _Likeness:
    asked = np.stack([table[list(pieces)].mean(axis=0) for pieces in question_pieces])
    # Not a matrix product of BLAS: that rounds a row by how many rows there are, and so by what is not read.
    by_piece = np.einsum("pd,qd->pq", table[meanings.distinct], asked)
    return _Likeness(
        dots=mean_by_word(by_piece[meanings.pieces], meanings.starts).astype(np.float64),
        book_norms=meanings.norms.astype(np.float64) + _TINY,
        question_norms=np.linalg.norm(asked, axis=1).astype(np.float64) + _TINY,
        question_dots=(asked @ asked.T).astype(np.float64),
    )


def _likes(book: BookWords, question: Question, likeness: _Likeness, *, chunks: int, weights: Weights) -> Floats:
    """Count in each chunk the words that are like the question's, each by how like it is."""
    tokens = int(book.chunk_starts[chunks])
    token_word, token_chunk = book.token_word[:tokens], book.token_chunks(chunks)
    cosines = likeness.dots / likeness.book_norms[:, None] / likeness.question_norms
    shares = np.clip((cosines - weights.likeness_from) / (1 - weights.likeness_from), 0, 1)
    alike = np.any(shares > 0, axis=1)[token_word]
    token_word, token_chunk = token_word[alike], token_chunk[alike]
    likes = np.zeros((chunks, len(question.stems)))
    for column in range(shares.shape[1]):
        number = book.stems.number_of(question.stems[column])
        share = np.where(book.word_stem == number, 0, shares[:, column])
        likes[:, column] = np.bincount(token_chunk, share[token_word], minlength=chunks)
    return likes


def _gist(book: BookWords, question: Question, likeness: _Likeness, *, chunks: int, width: int) -> Floats:
    """Return for each chunk how near its best window is to the question: sums of word vectors, rare words first.

    The length of a window's sum is taken as if its words had nothing to do with one another.
    """
    tokens = int(book.chunk_starts[chunks])
    token_word, token_chunk = book.token_word[:tokens], book.token_chunks(chunks)
    occurrences = np.bincount(book.word_stem[token_word], minlength=len(book.stems))
    stem_rarity = _rarity(occurrences, tokens)
    asked = [book.stems.number_of(stem) for stem in question.stems[: likeness.dots.shape[1]]]
    asked_rarity = _rarity(np.array([0 if number is None else occurrences[number] for number in asked]), tokens)
    rarity = stem_rarity[book.word_stem]
    along = np.concatenate([[0], np.cumsum((np.einsum("wq,q->w", likeness.dots, asked_rarity) * rarity)[token_word])])
    squares = np.concatenate([[0], np.cumsum(((rarity * likeness.book_norms) ** 2)[token_word])])
    at = np.concatenate([np.arange(0, tokens, _WINDOW_STEP), book.chunk_starts[:chunks]])
    at = at[at < tokens]
    chunk_of = token_chunk[at]
    ends = book.chunk_starts[1:][chunk_of]
    stop = np.minimum(at + width, ends)
    start = np.maximum(np.minimum(at, ends - width), book.chunk_starts[chunk_of])
    length = np.sqrt(max(float(asked_rarity @ likeness.question_dots @ asked_rarity), _TINY))
    values = (along[stop] - along[start]) / (np.sqrt(np.maximum(squares[stop] - squares[start], _TINY)) * length)
    best = np.full(chunks, -1.0)
    np.maximum.at(best, chunk_of, values)
    return best


def _rarity(occurrences: NDArray[np.int64], tokens: int) -> Floats:
    """Weigh by rarity among passages of a dozen words."""
    passages = tokens / 12
    return np.asarray(np.log1p(np.maximum(passages - occurrences + 0.5, 0.5) / (occurrences + 0.5)))


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() + _TINY))


def _with_neighbours(scores: Floats, weights: Weights) -> Floats:
    """Add the pages beside: a scene goes over several, and names stand where they are first needed.

    What follows the last page is not read: what precedes it stands in.
    """
    total = scores.copy()
    for distance, weight in ((1, weights.beside), (2, weights.two_off)):
        if len(scores) > distance:
            total[distance:] += weight * scores[:-distance]
            following = np.concatenate([scores[distance:], scores[-distance - 1 : -1][::-1]])
            total += weight * following
    return total


def _introduced(counts: Floats, pages: float) -> Floats:
    """Favour where the rarest word of the question that was read comes in first, and what follows."""
    said = counts.sum(axis=0)
    if not said.any():
        return np.zeros(len(counts))
    rarest = int(np.argmin(np.where(said > 0, said, np.inf)))
    since = np.arange(len(counts)) - int(np.argmax(counts[:, rarest] > 0))
    return np.asarray(np.where(since >= 0, np.exp(-np.maximum(since, 0) / pages), 0.0))


def _row_of(chunk_ids: NDArray[np.int64], wanted: Sequence[int]) -> Mapping[int, int]:
    """Return {rank: row} for the ids that are there."""
    rows = {int(chunk_ids[row]): int(row) for row in np.flatnonzero(np.isin(chunk_ids, wanted))}
    return {rank: rows[chunk_id] for rank, chunk_id in enumerate(wanted) if chunk_id in rows}


def _told(told: Mapping[int, int], book: BookWords, *, pages: int, ranks: float) -> Floats:
    bonus = np.zeros(pages)
    for rank, row in told.items():
        page = int(np.searchsorted(book.page_starts, row, side="right")) - 1
        bonus[page] = max(bonus[page], float(np.exp(-rank / ranks)))
    return bonus


def _in_order(
    book: BookWords, page_scores: Floats, chunk_scores: Floats, *, starts: Ints, sharpness: float
) -> list[tuple[int, float]]:
    shares = np.exp(sharpness * (page_scores - page_scores.max()))
    shares /= shares.sum()
    place = np.empty(len(page_scores), dtype=np.int64)
    place[np.argsort(-page_scores, kind="stable")] = np.arange(len(page_scores))
    page_of = np.repeat(np.arange(len(starts)), np.diff([*starts, len(chunk_scores)]))
    order = np.lexsort((-chunk_scores, place[page_of]))
    order = order[np.isfinite(chunk_scores[order])]
    if not len(order):
        return []
    pages = page_of[order]
    is_first = np.concatenate([[True], pages[1:] != pages[:-1]])
    least = shares[pages[is_first][-1]]
    scores = np.concatenate([shares[pages[is_first]], shares[pages[~is_first]] * least])
    rows = np.concatenate([order[is_first], order[~is_first]])
    return list(zip(book.chunk_ids[rows].tolist(), scores.tolist(), strict=True))
