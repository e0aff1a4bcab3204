"""The calls that go to Chroma; the index that makes them says why they are as they are."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from adapters.retrieval.chroma_address import ChromaAddress
from core.ports.vectors import ChunkVectors, Vectors

if TYPE_CHECKING:
    import httpx
    from chromadb.api import ServerAPI
    from chromadb.api.client import Client
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.fastapi import FastAPI
    from chromadb.api.models.Collection import Collection
    from chromadb.api.rust import RustBindingsAPI

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


def connect(address: ChromaAddress, *, timeout_s: float) -> "ServerAPI":
    """Return what speaks to a Chroma server; nothing is said to it yet.

    Chroma's own `HttpClient` waits without end, and does so already while it is made: it stands on the same class, to
    which a bound is given here before the first call.
    """
    from chromadb.api import ServerAPI
    from chromadb.config import Settings, System

    system = System(
        Settings(
            anonymized_telemetry=False,
            chroma_api_impl="chromadb.api.fastapi.FastAPI",
            chroma_server_host=address.host,
            chroma_server_http_port=address.port,
            chroma_server_ssl_enabled=address.is_encrypted,
            chroma_server_headers={} if address.key is None else {"Authorization": address.key},
        )
    )
    api = system.instance(ServerAPI)  # type: ignore[type-abstract]
    session_of(api).timeout = timeout_s
    return api


def session_of(api: "ServerAPI") -> "httpx.Client":
    """Return the connections of what speaks to a server: Chroma 1.5.9 neither bounds nor closes them itself."""
    return cast("FastAPI", api)._session  # noqa: SLF001


def configuration(fingerprint: dict[str, int]) -> "CreateCollectionConfiguration":
    """Return how a collection of so many rows is made: all of it goes to its files with the last row.

    What Chroma 1.5.9 has not written to an index's files is lost from memory when it lets go of the index ("Error
    finding id"), and is read again from its log, slowly, at each start.
    """
    rows = max(fingerprint["rows"], 1)
    return {"hnsw": {"space": "cosine", "sync_threshold": rows, "batch_size": min(rows, _BUFFERED)}}


def rows_in(collection: "Collection", fingerprint: dict[str, int]) -> int | None:
    """Return how many rows from the first a collection holds of the vectors with this fingerprint; None of others."""
    if collection.metadata != fingerprint:
        return None
    rows = collection.count()
    return rows if rows <= fingerprint["rows"] else None


def collection_name(book_id: str, model_id: str) -> str:
    """Return the name of the collection of a book and an embedding model."""
    return f"{book_id}.{model_id}"


def owner_of(name: str) -> tuple[str, str]:
    """Return the book and the embedding model that a collection is named after."""
    book_id, _, model_id = name.partition(".")
    return book_id, model_id


def fingerprint_of(chunk_ids: NDArray[np.int64]) -> dict[str, int]:
    """Chunk ids are never used twice, so the number of rows and their ends tell one state of a book from another."""
    first, last = (int(chunk_ids[0]), int(chunk_ids[-1])) if len(chunk_ids) else (0, 0)
    return {"rows": len(chunk_ids), "first": first, "last": last, "layout": _LAYOUT}


def is_ours(metadata: Mapping[str, object] | None) -> bool:
    """Return whether a collection carries a fingerprint, and so is one of this program."""
    return metadata is not None and metadata.keys() == {"rows", "first", "last", "layout"}


def add(collection: "Collection", held: ChunkVectors, start: int, batch: int) -> None:
    """Add one batch of rows, named by their numbers; what is there already stays as it is."""
    rows = slice(start, start + batch)
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
