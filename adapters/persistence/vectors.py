"""Vectors in SQL: the source from which every dense index is built."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import numpy as np
from sqlalchemy import func
from sqlmodel import Session, col, select

from adapters.persistence.database import SqlStore, reads, writes
from adapters.persistence.tables import ChunkRow, ChunkVectorRow
from core.ports.vectors import ChunkVectors, VectorRepository, Vectors

_STORED = np.dtype("<f4")


class SqlVectorRepository(SqlStore, VectorRepository):
    """One row per chunk and model, with all vectors of the chunk concatenated."""

    @reads
    def missing(self, session: Session, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` chunks (id, text) without vectors of this model."""
        has_vector = select(ChunkVectorRow.chunk_id).where(
            ChunkVectorRow.chunk_id == ChunkRow.chunk_id, ChunkVectorRow.model_id == model_id
        )
        rows = session.exec(
            select(ChunkRow.chunk_id, ChunkRow.text)
            .where(ChunkRow.book_id == book_id, ~has_vector.exists())
            .order_by(col(ChunkRow.number))
            .limit(limit)
        )
        return [(chunk_id, text) for chunk_id, text in rows if chunk_id is not None]

    @writes
    def save(self, session: Session, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors by chunk; those of chunks deleted since are dropped."""
        # PostgreSQL's dialect imports all its drivers, which an installation with SQLite doesn't need.
        from sqlalchemy.dialects import postgresql, sqlite

        alive = set(session.exec(select(ChunkRow.chunk_id).where(col(ChunkRow.chunk_id).in_(list(chunk_ids)))).all())
        rows = [
            {"chunk_id": chunk_id, "model_id": model_id, "vector": stored}
            for chunk_id, stored in _by_chunk(chunk_ids, vectors)
            if chunk_id in alive
        ]
        if rows:
            # Two processes may embed the same book at once: the first to store wins, and the vectors are the same.
            dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
            session.execute(dialect.insert(ChunkVectorRow).on_conflict_do_nothing(), rows)

    @reads
    def load(self, session: Session, book_id: str, model_id: str, *, dimensions: int) -> ChunkVectors:
        """Return all vectors of a book."""
        rows = session.execute(
            select(ChunkRow.chunk_id, ChunkRow.end_page, ChunkVectorRow.vector)
            .join(ChunkVectorRow, col(ChunkVectorRow.chunk_id) == ChunkRow.chunk_id)
            .where(ChunkRow.book_id == book_id, ChunkVectorRow.model_id == model_id)
            .order_by(col(ChunkRow.number))
        ).all()
        many = [len(stored) // (dimensions * _STORED.itemsize) for _, _, stored in rows]
        matrix = np.frombuffer(b"".join(stored for _, _, stored in rows), dtype=_STORED)
        return ChunkVectors(
            chunk_ids=np.repeat(np.array([chunk_id for chunk_id, _, _ in rows], dtype=np.int64), many),
            end_pages=np.repeat(np.array([end_page for _, end_page, _ in rows], dtype=np.int32), many),
            vectors=matrix.reshape(-1, dimensions),
        )

    @reads
    def count(self, session: Session, book_id: str, model_id: str) -> int:
        """Return the number of a book's chunks with vectors of this model."""
        return session.exec(
            select(func.count())
            .select_from(ChunkVectorRow)
            .join(ChunkRow, col(ChunkRow.chunk_id) == ChunkVectorRow.chunk_id)
            .where(ChunkRow.book_id == book_id, ChunkVectorRow.model_id == model_id)
        ).one()


def _by_chunk(chunk_ids: Sequence[int], vectors: Vectors) -> Iterator[tuple[int, bytes]]:
    """Yield each chunk id with its vectors as stored bytes."""
    for chunk_id, rows in groupby(zip(chunk_ids, vectors, strict=True), key=itemgetter(0)):
        yield chunk_id, b"".join(vector.astype(_STORED).tobytes() for _, vector in rows)
