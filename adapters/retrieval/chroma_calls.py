"""The calls that go to Chroma; the index that makes them says why they are as they are."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from numpy.typing import NDArray

from core.ports.vectors import ChunkVectors, Vectors

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection
    from chromadb.api.rust import RustBindingsAPI

WRITE_BATCH: Final = 16
_HELD_INDEXES = 64
_LAYOUT = 3
_BUFFERED = 100


def open_client(folder: Path) -> "Client":
    """Open Chroma's folder, keeping few of its vector indexes in memory.

    By itself Chroma 1.5.9 keeps as many as a fifth of the files that the process may open. It has no setting for that
    number, so the system is put together as its own `PersistentClient` does it, and started with another one.
    """
    from chromadb.api import ServerAPI
    from chromadb.api.client import Client
    from chromadb.config import Settings, System
    from chromadb.telemetry.product import ProductTelemetryClient

    system = System(Settings(anonymized_telemetry=False, is_persistent=True, persist_directory=str(folder)))
    system.instance(ProductTelemetryClient)  # type: ignore[type-abstract]
    server = system.instance(ServerAPI)  # type: ignore[type-abstract]
    cast("RustBindingsAPI", server).hnsw_cache_size = _HELD_INDEXES
    system.start()
    return Client.from_system(system)


def forget_clients() -> None:
    """Let go of what Chroma keeps of folders that it could not open."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def make(client: "Client", name: str, fingerprint: dict[str, int]) -> "Collection":
    """Return the collection of that name, made where it is not there; all of it goes to its files with the last row.

    What Chroma 1.5.9 has not written to an index's files is lost from memory when it lets go of the index ("Error
    finding id"), and is read again from its log, slowly, at each start.
    """
    rows = max(fingerprint["rows"], 1)
    return client.get_or_create_collection(
        name,
        embedding_function=None,
        metadata=fingerprint,
        configuration={
            "hnsw": {"space": "cosine", "sync_threshold": rows, "batch_size": min(rows, _BUFFERED)},
        },
    )


def collection_name(book_id: str, model_id: str) -> str:
    """Return the name of the collection of a book and an embedding model."""
    return f"{book_id}.{model_id}"


def fingerprint_of(chunk_ids: NDArray[np.int64]) -> dict[str, int]:
    """Chunk ids are never used twice, so the number of rows and their ends tell one state of a book from another."""
    first, last = (int(chunk_ids[0]), int(chunk_ids[-1])) if len(chunk_ids) else (0, 0)
    return {"rows": len(chunk_ids), "first": first, "last": last, "layout": _LAYOUT}


def add(collection: "Collection", held: ChunkVectors, start: int) -> None:
    """Add one batch of rows, named by their numbers; a larger one would hold the GIL for too long."""
    rows = slice(start, start + WRITE_BATCH)
    collection.add(
        ids=list(map(str, range(len(held.chunk_ids))[rows])),
        embeddings=np.ascontiguousarray(held.vectors[rows]),
        metadatas=[{"end_page": int(page)} for page in held.end_pages[rows]],
    )


def query(collection: "Collection", readable: int, vector: Vectors, limit: int, *, of: int) -> list[tuple[int, float]]:
    """Return the rows nearest to a vector among the first ones, which may be read, with their cosines.

    They are named one by one, which costs more than all else, unless all `of` them may be read.
    """
    found = collection.query(
        query_embeddings=[vector.tolist()],
        ids=list(map(str, range(readable))) if readable < of else None,
        n_results=min(limit, readable),
        include=["distances"],
    )
    distances = found["distances"] or [[]]
    return [(int(row), 1.0 - distance) for row, distance in zip(found["ids"][0], distances[0], strict=True)]
