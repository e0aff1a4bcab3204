"""How passages are found, by the settings: the index of words, and the ladder of embeddings with Chroma at its top."""

from concurrent.futures import Executor
from dataclasses import dataclass

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.exact_index import ExactPassageIndex
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from bot.operator import say_to_operator
from bot.providers import former_embedding_providers, word_vectors
from bot.settings import Settings
from core.app.dense import DenseSearch, Rung
from core.ports.embedding_provider import EmbeddingProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """The indexes over one database; `chroma` is None where nothing is embedded."""

    lexical: Bm25LexicalIndex
    dense: DenseSearch
    chroma: ChromaPassageIndex | None
    former: tuple[EmbeddingProvider, ...]


def retrieval(
    settings: Settings,
    embeddings: list[EmbeddingProvider],
    *,
    books: SqlBookRepository,
    vectors: SqlVectorRepository,
    workers: Executor,
) -> Retrieval:
    """Build the indexes; nothing is opened or loaded before the first search."""
    chroma = _chroma(settings, embeddings, vectors)
    former = former_embedding_providers(settings)
    return Retrieval(
        lexical=Bm25LexicalIndex(books, workers=workers, word_vectors=word_vectors(embeddings)),
        dense=DenseSearch(_rungs(embeddings, former, vectors, chroma), vectors=vectors),
        chroma=chroma,
        former=tuple(former),
    )


def _chroma(
    settings: Settings, embeddings: list[EmbeddingProvider], vectors: SqlVectorRepository
) -> ChromaPassageIndex | None:
    if not embeddings:
        return None
    best = embeddings[0].model_id
    return ChromaPassageIndex(
        settings.chroma_folder, exact=ExactPassageIndex(vectors, model_id=best), model_id=best, say=say_to_operator
    )


def _rungs(
    embeddings: list[EmbeddingProvider],
    former: list[EmbeddingProvider],
    vectors: SqlVectorRepository,
    chroma: ChromaPassageIndex | None,
) -> list[Rung]:
    """The best model searches in Chroma; what stands in for it is searched exactly, and needs no index of its own."""
    if chroma is None:
        return []
    best, *others = embeddings
    stand_ins = [(each, True) for each in former] + [(each, False) for each in others]
    return [
        Rung(embeddings=best, passages=chroma),
        *(
            Rung(embeddings=each, passages=ExactPassageIndex(vectors, model_id=each.model_id), former=is_former)
            for each, is_former in stand_ins
        ),
    ]
