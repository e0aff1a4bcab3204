"""The calls to Chroma; the index that makes them says why they are as they are."""

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
    """Open Chroma's folder with a small limit of vector indexes in memory.

    By default Chroma 1.5.9 keeps as many as a fifth of the files that the process may open, and it has no setting for
    that. So the system is built as its own `PersistentClient` does, and started with another limit.
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
    """Drop Chroma's cached clients of folders that could not be opened."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def connect(address: ChromaAddress, *, timeout_s: float) -> "ServerAPI":
    """Return a client for a Chroma server; nothing is sent yet.

    Chroma's own `HttpClient` has no timeout, and sends a request when it is created. It uses the same class, which gets
    a timeout here before the first call.
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
    """Return the HTTP session of a client: Chroma 1.5.9 neither limits nor closes it."""
    return cast("FastAPI", api)._session  # noqa: SLF001


def configuration(fingerprint: dict[str, int]) -> "CreateCollectionConfiguration":
    """Return the configuration of a collection with so many rows: all are written to its files with the last one.

    When Chroma 1.5.9 drops an index from memory, rows not yet written to files are lost ("Error finding id"); at each
    start they are read from its log again, slowly.
    """
    rows = max(fingerprint["rows"], 1)
    return {"hnsw": {"space": "cosine", "sync_threshold": rows, "batch_size": min(rows, _BUFFERED)}}


def rows_in(collection: "Collection", fingerprint: dict[str, int]) -> int | None:
    """Return the number of rows a collection holds of the vectors with this fingerprint; None for other vectors."""
    if collection.metadata != fingerprint:
        return None
    rows = collection.count()
    return rows if rows <= fingerprint["rows"] else None


def collection_name(book_id: str, model_id: str) -> str:
    """Return the name of the collection of a book and an embedding model."""
    return f"{book_id}.{model_id}"


def owner_of(name: str) -> tuple[str, str]:
    """Return the book and the embedding model from a collection's name."""
    book_id, _, model_id = name.partition(".")
    return book_id, model_id


def fingerprint_of(chunk_ids: NDArray[np.int64]) -> dict[str, int]:
    """Return a book's fingerprint: the number of rows and its first and last ids; ids are never reused."""
    first, last = (int(chunk_ids[0]), int(chunk_ids[-1])) if len(chunk_ids) else (0, 0)
    return {"rows": len(chunk_ids), "first": first, "last": last, "layout": _LAYOUT}


def is_ours(metadata: Mapping[str, object] | None) -> bool:
    """Return whether a collection has a fingerprint, and so was made by this program."""
    return metadata is not None and metadata.keys() == {"rows", "first", "last", "layout"}


def add(collection: "Collection", held: ChunkVectors, start: int, batch: int) -> None:
    """Add one batch of rows, named by their numbers; existing rows stay unchanged."""
    rows = slice(start, start + batch)
    collection.add(
        ids=list(map(str, range(len(held.chunk_ids))[rows])),
        embeddings=np.ascontiguousarray(held.vectors[rows]),
        metadatas=[{"end_page": int(page)} for page in held.end_pages[rows]],
    )


def query(collection: "Collection", readable: int, vector: Vectors, limit: int, *, of: int) -> list[tuple[int, float]]:
    """Return the rows nearest to a vector among the first `readable` ones, with their cosines.

    The readable rows are named one by one, which is the main cost, unless all `of` them are readable.
    """
    found = collection.query(
        query_embeddings=[vector.tolist()],
        ids=list(map(str, range(readable))) if readable < of else None,
        n_results=min(limit, readable),
        include=["distances"],
    )
    distances = found["distances"] or [[]]
    return [(int(row), 1.0 - distance) for row, distance in zip(found["ids"][0], distances[0], strict=True)]
