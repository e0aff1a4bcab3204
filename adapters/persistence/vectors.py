"""Vectors in SQL: the source from which every dense index is built."""

from collections.abc import Sequence

import numpy as np
from sqlalchemy import func
from sqlmodel import Session, col, select

from adapters.persistence.database import Database
from adapters.persistence.tables import ChunkRow, ChunkVectorRow
from core.ports.vectors import ChunkVectors, VectorRepository, Vectors

_STORED = np.dtype("<f4")


class SqlVectorRepository(VectorRepository):
    """One row a chunk and model."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def missing(self, book_id: str, model_id: str, *, limit: int) -> list[tuple[int, str]]:
        """Return up to `limit` chunks (id, text) that have no vector of this model yet."""

        def work(session: Session) -> list[tuple[int, str]]:
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

        return await self._database.read(work)

    async def save(self, model_id: str, chunk_ids: Sequence[int], vectors: Vectors) -> None:
        """Store vectors; those of chunks that have gone meanwhile are dropped."""
        # PostgreSQL's dialect brings every driver of its own along, which a home in SQLite never needs.
        from sqlalchemy.dialects import postgresql, sqlite

        def work(session: Session) -> None:
            alive = set(
                session.exec(select(ChunkRow.chunk_id).where(col(ChunkRow.chunk_id).in_(list(chunk_ids)))).all()
            )
            rows = [
                {"chunk_id": chunk_id, "model_id": model_id, "vector": vector.astype(_STORED).tobytes()}
                for chunk_id, vector in zip(chunk_ids, vectors, strict=True)
                if chunk_id in alive
            ]
            if rows:
                # Two processes may embed the same book at once: the first to store wins, the vectors are the same.
                dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
                session.execute(dialect.insert(ChunkVectorRow).on_conflict_do_nothing(), rows)

        await self._database.write(work)

    async def load(self, book_id: str, model_id: str) -> ChunkVectors:
        """Return all vectors of a book."""

        def work(session: Session) -> ChunkVectors:
            rows = session.execute(
                select(ChunkRow.chunk_id, ChunkRow.end_page, ChunkVectorRow.vector)
                .join(ChunkVectorRow, col(ChunkVectorRow.chunk_id) == ChunkRow.chunk_id)
                .where(ChunkRow.book_id == book_id, ChunkVectorRow.model_id == model_id)
                .order_by(col(ChunkRow.number))
            ).all()
            matrix = np.frombuffer(b"".join(vector for _, _, vector in rows), dtype=_STORED)
            return ChunkVectors(
                chunk_ids=np.array([chunk_id for chunk_id, _, _ in rows], dtype=np.int64),
                end_pages=np.array([end_page for _, end_page, _ in rows], dtype=np.int32),
                vectors=matrix.reshape(len(rows), -1) if rows else np.zeros((0, 0), dtype=np.float32),
            )

        return await self._database.read(work)

    async def count(self, book_id: str, model_id: str) -> int:
        """Return how many vectors of this model a book has."""

        def work(session: Session) -> int:
            return session.exec(
                select(func.count())
                .select_from(ChunkVectorRow)
                .join(ChunkRow, col(ChunkRow.chunk_id) == ChunkVectorRow.chunk_id)
                .where(ChunkRow.book_id == book_id, ChunkVectorRow.model_id == model_id)
            ).one()

        return await self._database.read(work)
