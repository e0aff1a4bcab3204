"""The peer's store for the benchmarks: langchain-chroma in its usual layout, over our chunks."""

import asyncio
from collections.abc import Sequence
from itertools import chain

from langchain_chroma import Chroma
from langchain_core.embeddings import Embeddings

from adapters.retrieval.wordllama_vectors import WordLlamaVectors
from bot.wiring import Application
from core.domain.book import Book
from core.ports.embedding_provider import EmbeddingProvider

_BATCH = 2000


class SameEmbeddings(Embeddings):
    """Gives the peer the vectors that we use; the query's is made by the same model in the same process.

    LangChain calls it from worker threads; the model's own calls run on the loop that it was made in.
    """

    def __init__(self, ours: EmbeddingProvider, loop: asyncio.AbstractEventLoop) -> None:
        self._ours = ours
        self._loop = loop

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors = asyncio.run_coroutine_threadsafe(self._ours.embed(texts), self._loop).result()
        return [[float(number) for number in vector] for vector in vectors]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class WordLlamaMeans(Embeddings):
    """WordLlama's vectors of texts, as its package makes them: the mean over the pieces of their words."""

    def __init__(self) -> None:
        self._words = WordLlamaVectors()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        rows = [list(chain.from_iterable(self._words.pieces(text.split() or [""]))) for text in texts]
        return [self._words.rows(each).mean(axis=0).tolist() for each in rows]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def embedded_as_ours(house: Application) -> Embeddings:
    """Return the house's own model of passages."""
    if house.embeddings is None:
        raise RuntimeError("this benchmark needs embeddings")
    return SameEmbeddings(house.embeddings, asyncio.get_running_loop())


async def chroma_of(house: Application, books: Sequence[Book], folder: str, embeddings: Embeddings) -> Chroma:
    """Return one collection in `folder` with the chunks of the books, their pages as metadata."""
    peer = Chroma(
        collection_name="books",
        embedding_function=embeddings,
        persist_directory=folder,
        collection_metadata={"hnsw:space": "cosine"},
    )
    texts: list[str] = []
    metadatas: list[dict[str, object]] = []
    for book in books:
        for chunk in await house.library._books.chunks(book.book_id):  # noqa: SLF001 (the same chunks for both)
            texts.append(chunk.text)
            metadatas.append({"book_id": book.book_id, "start_page": chunk.start_page, "end_page": chunk.end_page})
    for start in range(0, len(texts), _BATCH):
        rows = slice(start, start + _BATCH)
        await asyncio.to_thread(peer.add_texts, texts[rows], metadatas[rows])
    return peer
