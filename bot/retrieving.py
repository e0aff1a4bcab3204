"""Builds search from the settings: the word index, and Chroma if passages are embedded."""

from concurrent.futures import Executor
from dataclasses import dataclass

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.index_files import NpzIndexFiles
from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.chroma_address import ChromaAddress
from adapters.retrieval.chroma_folder import ChromaFolder
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.chroma_server import ChromaServer
from adapters.retrieval.chroma_store import ChromaStore
from adapters.retrieval.exact_index import ExactPassageIndex
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from adapters.retrieval.minilm_embedding import MiniLmEmbeddingProvider
from adapters.retrieval.note_vectors import NoteVectors
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider
from bot.logs import say_to_operator
from bot.providers import former_embedding_providers, word_vectors
from bot.settings import Settings
from core.answering.dense import DenseSearch, Rung, whole
from core.language.book_memory import MEGABYTE, BookMemory
from core.language.chunking import windows
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.index_files import IndexFiles
from core.ports.note_index import NoteIndex
from core.ports.notes import NoteRepository
from core.ports.passage_index import PassageIndex
from core.ports.word_vectors import WordVectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """The indexes over one database; `chroma` is None without embeddings, or in a short-lived process."""

    lexical: Bm25LexicalIndex
    dense: DenseSearch
    chroma: ChromaPassageIndex | None
    words: WordVectors | None
    former: tuple[EmbeddingProvider, ...]


def retrieval(
    settings: Settings,
    embeddings: EmbeddingProvider | None,
    *,
    books: SqlBookRepository,
    vectors: SqlVectorRepository,
    notes: NoteRepository,
    workers: Executor,
    keeping: "Keeping",
) -> Retrieval:
    """Build the indexes; nothing is opened or loaded before the first search.

    Chroma searches the vectors of the best available model; other vectors are searched exactly. A short-lived process
    would take longer to load Chroma than to search, so it searches WordLlama's vectors exactly too.
    """
    words = word_vectors(settings)
    former = former_embedding_providers(settings, workers)
    rungs = [_rung(each, _exact(each, vectors, keeping.memory), is_former=True) for each in former]
    is_static = isinstance(embeddings, WordLlamaEmbeddingProvider)
    chroma = wholes = None
    if embeddings is not None and (keeping.stays or not is_static):
        chroma = _chroma(settings, embeddings, vectors, keeping.memory)
    if words is not None:
        static = WordLlamaEmbeddingProvider(words, workers=workers)
        wholes = _rung(static, chroma if chroma and is_static else _exact(static, vectors, keeping.memory))
    if embeddings is not None and chroma is not None and not is_static:
        by_notes = None
        if isinstance(embeddings, MiniLmEmbeddingProvider):  # notes are not sent to a server for this
            by_notes = NoteVectors(
                books=books,
                notes=notes,
                embeddings=embeddings,
                files=keeping.files,
                workers=workers,
                memory=keeping.memory,
            )
        rungs.insert(0, _rung(embeddings, chroma, notes=by_notes))
    return Retrieval(
        lexical=Bm25LexicalIndex(
            books, workers=workers, notes=notes, word_vectors=words, memory=keeping.memory, files=keeping.files
        ),
        dense=DenseSearch(rungs, vectors=vectors, wholes=wholes),
        chroma=chroma,
        words=words,
        former=tuple(former),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """Caches of books: a shared memory limit, and index files.

    `stays` says whether the process serves many questions, which makes loading Chroma worthwhile.
    """

    memory: BookMemory
    files: IndexFiles
    stays: bool

    @classmethod
    def of(cls, settings: Settings, *, stays: bool) -> "Keeping":
        """Build it from the settings; nothing is read or written yet."""
        return cls(
            stays=stays,
            memory=BookMemory(settings.books_memory_megabytes * MEGABYTE),
            files=NpzIndexFiles(settings.indexes_folder),
        )


def _chroma(
    settings: Settings, embeddings: EmbeddingProvider, vectors: SqlVectorRepository, memory: BookMemory
) -> ChromaPassageIndex:
    return ChromaPassageIndex(
        _store(settings),
        exact=_exact(embeddings, vectors, memory),
        model_id=embeddings.model_id,
        memory=memory,
    )


def _store(settings: Settings) -> ChromaStore:
    if settings.chroma_url is None:
        return ChromaFolder(settings.chroma_folder, say_to_operator)
    return ChromaServer(ChromaAddress.of(settings.chroma_url.get_secret_value()), say_to_operator)


def _exact(embeddings: EmbeddingProvider, vectors: SqlVectorRepository, memory: BookMemory) -> ExactPassageIndex:
    return ExactPassageIndex(vectors, model_id=embeddings.model_id, dimensions=embeddings.dimensions, memory=memory)


def _rung(
    embeddings: EmbeddingProvider, passages: PassageIndex, *, notes: NoteIndex | None = None, is_former: bool = False
) -> Rung:
    """MiniLM works best on one to three sentences (ADR 9); OpenAI's models take a whole passage."""
    cut = windows if isinstance(embeddings, MiniLmEmbeddingProvider) else whole
    return Rung(embeddings=embeddings, passages=passages, cut=cut, notes=notes, former=is_former)
