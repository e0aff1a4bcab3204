"""The calls that go to a Chroma collection; the index that makes them says why they are as they are."""

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from core.ports.vectors import ChunkVectors, Vectors

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

WRITE_BATCH: Final = 16


def collection_name(book_id: str, model_id: str) -> str:
    """Return the name of the collection of a book and an embedding model."""
    return f"{book_id}.{model_id}"


def fingerprint_of(held: ChunkVectors) -> dict[str, int]:
    """Chunk ids are never used twice, so their number and their ends tell one state of a book from another."""
    if len(held.chunk_ids) == 0:
        return {"chunks": 0, "first": 0, "last": 0}
    return {"chunks": len(held.chunk_ids), "first": int(held.chunk_ids[0]), "last": int(held.chunk_ids[-1])}


def add(collection: "Collection", held: ChunkVectors, start: int) -> None:
    """Add one batch of rows; a larger one would hold the GIL for too long."""
    rows = slice(start, start + WRITE_BATCH)
    collection.add(
        ids=[str(chunk_id) for chunk_id in held.chunk_ids[rows]],
        embeddings=np.ascontiguousarray(held.vectors[rows]),
        metadatas=[{"end_page": int(page)} for page in held.end_pages[rows]],
    )


def query(collection: "Collection", readable_ids: NDArray[np.int64], vector: Vectors, limit: int) -> list[int]:
    """Return the ids nearest to a vector among those that may be read."""
    found = collection.query(
        query_embeddings=[vector.tolist()],
        ids=[str(chunk_id) for chunk_id in readable_ids],
        n_results=min(limit, len(readable_ids)),
        include=[],
    )
    return [int(chunk_id) for chunk_id in found["ids"][0]]
