"""A book's index as it is for somebody who has read to a page: as if the book ended there."""

from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from core.guard.book_index import RUN, BookIndex, StemIndex, writings
from core.guard.claim import Bools, Claim

_NOWHERE: Final = ""
"""No word has this stem."""

IndexT = TypeVar("IndexT", bound=StemIndex)


def read_part(index: BookIndex, last_page: int) -> BookIndex:
    """Return the index of a book without what stands behind a page; a millisecond or two for a long novel.

    Words and stems that stand only there keep their numbers, and stand nowhere.
    """
    part = read_stems(index, last_page)
    sentence_starts = index.sentence_starts[: part.sentences + 1]
    tokens = int(sentence_starts[-1])
    token_capital = np.unpackbits(index.token_capital, count=tokens).astype(np.bool_)
    capitals, lowers = writings(index.token_word[:tokens], token_capital, sentence_starts, len(index.words))
    lies_there = index.run_tokens <= tokens - RUN
    return replace(
        part,
        token_word=index.token_word[:tokens],
        token_capital=np.packbits(token_capital),
        sentence_starts=sentence_starts,
        capitals=capitals,
        lowers=lowers,
        runs=index.runs[lies_there],
        run_tokens=index.run_tokens[lies_there],
    )


def read_stems(index: IndexT, last_page: int) -> IndexT:
    """Return where the stems of a text stand up to a page."""
    end = index.boundary(last_page)
    stays = index.stem_sentences < end
    before = np.concatenate(([0], np.cumsum(stays, dtype=np.int32)))
    return replace(
        index,
        pages=last_page,
        sentence_page=index.sentence_page[:end],
        matter=index.matter[:end],
        stem_sentences=index.stem_sentences[stays],
        stem_counts=index.stem_counts[stays],
        stem_starts=before[index.stem_starts].astype(np.int32),
    )


def saying(claim: Claim, is_said: Bools) -> Claim:
    """Return a claim of which the other words are as unknown as if book and notes had them nowhere."""
    rows = list(zip(claim.stems, claim.stem_ids, is_said, strict=True))
    return replace(
        claim,
        stems=tuple(stem if said else _NOWHERE for stem, _, said in rows),
        stem_ids=tuple(number if said else -1 for _, number, said in rows),
        known=claim.known & is_said,
        names=claim.names & is_said,
    )
