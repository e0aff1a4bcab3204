"""Caches the words of books in files: a book is indexed once, and then loads in a few milliseconds."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.book_words import BookWords, index_words
from adapters.retrieval.word_likeness import WordLikeness
from core.domain.passage import ReadableSpan
from core.language.kept_arrays import arrays_of, code_version, index_of
from core.ports.books import ChunkMark, StoredChunk
from core.ports.index_files import IndexFiles, IndexName

_KIND = "words"
_NOTES_KIND = "note-words"
_OF_WORD_VECTORS = "themes"


@dataclass(frozen=True, slots=True, kw_only=True)
class BookChunks:
    """The chunks of a book in order: their ids, and a key that distinguishes them from those of other texts.

    `text` is the same for clubs that read the same text, cut in the same way. `kind` says whether it is text or notes.
    A missing book has no content hash.
    """

    content_hash: str
    text: str
    ids: NDArray[np.int64]
    kind: str = _KIND
    version: str = ""

    @classmethod
    def of(cls, content_hash: str, marks: Sequence[ChunkMark]) -> "BookChunks":
        """Return the key of a book's chunks: an older version may have cut the same text differently."""
        cut = repr([(mark.end_page, mark.length) for mark in marks])
        digest = hashlib.blake2b(cut.encode(), digest_size=8).hexdigest()
        ids = np.array([mark.chunk_id for mark in marks], dtype=np.int64)
        return cls(content_hash=content_hash, text=f"{content_hash} {digest}", ids=ids, version=digest)

    @classmethod
    def of_notes(cls, content_hash: str, span: ReadableSpan) -> "BookChunks":
        """Return the key of the notes on a book."""
        ids = np.zeros(0, dtype=np.int64)
        kind = f"{_NOTES_KIND}-{span.book_id}"
        return cls(content_hash=content_hash, text=kind, ids=ids, kind=kind, version=span.notes_id)


class WordFiles:
    """Loads the words of a book, or indexes its text and stores them. Only uses CPU and files."""

    def __init__(self, files: IndexFiles | None, likeness: WordLikeness | None) -> None:
        self._files = files
        self._likeness = likeness

    def load(self, chunks: BookChunks) -> BookWords | None:
        """Return the stored words, or None."""
        arrays = self._files.load(self._name(chunks)) if self._files is not None and chunks.content_hash else None
        return None if arrays is None else index_of(BookWords, arrays)

    def build(self, chunks: BookChunks, stored: Sequence[StoredChunk]) -> BookWords:
        """Index a text and store its words."""
        book = index_words(stored, self._likeness, with_themes=chunks.kind != _KIND)
        if self._files is not None and chunks.content_hash:
            self._files.save(self._name(chunks), arrays_of(book))
        return book

    def _name(self, chunks: BookChunks) -> IndexName:
        code = code_version("core.language", "adapters.retrieval")
        likened = "" if self._likeness is None else " with likeness"
        return IndexName(
            content_hash=chunks.content_hash, kind=chunks.kind, version=f"{code} {chunks.version}{likened}"
        )
