"""Fills every port with its adapter: the only place that knows which."""

import logging
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.migrate import upgrade
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.turns import SqlTurnRepository
from adapters.persistence.vectors import SqlVectorRepository
from adapters.readers.choose import reader_for
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.exact_index import ExactPassageIndex
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider, wordllama_is_installed
from bot.settings import Embeddings, Settings
from core.agent.context import FullHistoryContextStrategy
from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.app.answer_message import AnswerMessage
from core.app.ask import AskQuestion
from core.app.chat import ChatWithBookUseCase
from core.app.library import Library
from core.app.positions import PositionService
from core.app.search import SearchBooksUseCase
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.domain.errors import StorageError
from core.ports.clock import Clock
from core.ports.vectors import EmbeddingProvider

_log = logging.getLogger(__name__)
_CPU_WORKERS = 2


class SystemClock(Clock):
    """The machine's clock."""

    def now(self) -> datetime:
        """Return the time now in UTC."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """What the command line and the platforms use. Close it when done."""

    settings: Settings
    library: Library
    search: SearchBooksUseCase
    ask: AskQuestion
    answer_message: AnswerMessage
    positions: PositionService
    threads: ThreadService
    database: Database
    passages: ChromaPassageIndex | None
    embeddings: EmbeddingProvider | None
    workers: ThreadPoolExecutor

    async def close(self) -> None:
        """Finish the work under way and let go of files, locks and connections."""
        if self.passages is not None:
            await self.passages.close()
        self.workers.shutdown(wait=True)
        self.database.close()


def build(settings: Settings) -> Application:
    """Open the home (made and upgraded where needed) and wire everything.

    Raises:
        StorageError: the home or the database cannot be used.
    """
    database = open_database(settings)
    workers = ThreadPoolExecutor(max_workers=_CPU_WORKERS, thread_name_prefix="cpu")
    embeddings = _embeddings(settings, workers)
    model_id = embeddings.model_id if embeddings else None
    books = SqlBookRepository(database, embedding_model_id=model_id)
    readings = SqlReadingRepository(database)
    conversations = SqlConversationRepository(database)
    vectors = SqlVectorRepository(database)
    lexical = Bm25LexicalIndex(books, workers=workers)
    passages = (
        ChromaPassageIndex(
            settings.chroma_folder,
            exact=ExactPassageIndex(vectors, model_id=model_id),
            model_id=model_id,
            say=say_to_operator,
        )
        if model_id
        else None
    )
    search = SearchBooksUseCase(books=books, lexical=lexical, passages=passages, embeddings=embeddings)
    positions = PositionService(readings=readings, books=books, clock=SystemClock())
    threads = ThreadService(readings=readings, conversations=conversations)
    chat = ChatWithBookUseCase(
        chat_provider=NoChatProvider(),
        search_books=search,
        messages=SqlChatMessageRepository(database),
        conversations=conversations,
        books=books,
        positions=positions,
        retrieval_strategy=QuotingRetrievalStrategy(),
        context_strategy=FullHistoryContextStrategy(max_messages=settings.max_history_messages),
        prompts_dir=settings.prompts_dir,
    )
    record_turn = RecordTurn(chat=chat, turns=SqlTurnRepository(database))
    return Application(
        settings=settings,
        library=Library(
            books=books,
            vectors=vectors,
            lexical=lexical,
            reader_for=partial(reader_for, max_bytes=settings.max_book_megabytes * 1_000_000),
            embeddings=embeddings,
            passages=passages,
        ),
        search=search,
        ask=AskQuestion(books=books, threads=threads, chat=chat, record_turn=record_turn),
        answer_message=AnswerMessage(threads=threads, positions=positions, record_turn=record_turn),
        positions=positions,
        threads=threads,
        database=database,
        passages=passages,
        embeddings=embeddings,
        workers=workers,
    )


def open_database(settings: Settings) -> Database:
    """Open the database; SQLite is made and upgraded by itself, another one only by `thusfar db upgrade`."""
    home = settings.thusfar_home.resolve()
    _make_home(home)
    database = Database(settings.database)
    if database.engine.dialect.name == "sqlite":
        upgrade(database.engine, lock_path=home / "upgrade.lock")
    return database


def say_to_operator(line: str) -> None:
    """Tell whoever started the program one line, out of the way of what it prints."""
    print(line, file=sys.stderr)  # noqa: T201


def _make_home(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {home} cannot be used ({error.strerror}); THUSFAR_HOME names another one."
        ) from error


def _embeddings(settings: Settings, workers: ThreadPoolExecutor) -> EmbeddingProvider | None:
    if settings.embeddings is Embeddings.NONE:
        return None
    if not wordllama_is_installed():
        _log.warning("wordllama is not installed; searching by words alone.")
        return None
    return WordLlamaEmbeddingProvider(workers=workers)
