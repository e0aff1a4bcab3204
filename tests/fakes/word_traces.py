"""Traces by words alone, all of them equally rare: nothing is like anything else."""

from collections.abc import Sequence

import numpy as np

from core.domain.passage import ReadableSpan
from core.language.words import content_words, stem_words, words
from core.ports.books import BookRepository, StoredChunk
from core.ports.word_traces import Traces, WordTraces


class InMemoryWordTraces(WordTraces):
    """Reads every chunk at each question; a page is as good as it has words of the question."""

    def __init__(self, books: BookRepository) -> None:
        self._books = books

    async def traces(self, span: ReadableSpan, query: str, runs: Sequence[tuple[int, int]]) -> Traces | None:
        chunks = [each for each in await self._books.chunks(span.book_id) if each.end_page <= span.last_page]
        pages = list(dict.fromkeys(each.start_page for each in chunks))
        if not pages or not content_words(query):
            return None
        texts = [" ".join(each.text for each in chunks if first <= each.start_page <= last) for first, last in runs]
        return plain_traces(query, texts, {page: _held(query, chunks, page) for page in pages})


def plain_traces(query: str, texts: Sequence[str], scores: dict[int, float]) -> Traces:
    """Return the traces on runs of pages of some texts."""
    stems = list(dict.fromkeys(stem_words(content_words(query))))
    standing = [stem_words(words(text)) for text in texts]
    known = {stem for of_run in standing for stem in of_run}
    return Traces(
        pages=list(scores),
        scores=np.array(list(scores.values())),
        stems=stems,
        rarities=np.ones(len(stems)),
        is_read=[stem in known for stem in stems],
        held=[
            np.array([[float(word == stem) for word in of_run] for stem in stems]).reshape(len(stems), -1)
            for of_run in standing
        ],
        gist=[np.zeros(len(of_run)) for of_run in standing],
        squares=[np.ones(len(of_run)) for of_run in standing],
        theme=[np.zeros(len(of_run)) for of_run in standing],
    )


def _held(query: str, chunks: Sequence[StoredChunk], page: int) -> float:
    wanted = set(stem_words(content_words(query)))
    on_page = " ".join(each.text for each in chunks if each.start_page == page)
    return float(len(wanted.intersection(stem_words(words(on_page)))))
