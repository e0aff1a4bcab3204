"""Fills every port with its adapter: the only place that knows which."""

import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
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
from bot.providers import ModelProvider, chat_provider, embedding_providers, generation_options
from bot.settings import Settings
from core.agent.context import FullHistoryContextStrategy
from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.agent.strategies.tool_use import ToolUseRetrievalStrategy
from core.app.answer_message import AnswerMessage
from core.app.ask import AskQuestion
from core.app.chat import ChatWithBookUseCase
from core.app.costs import PriceTable, read_prices
from core.app.dense import DenseSearch, Rung
from core.app.library import Library
from core.app.positions import PositionService
from core.app.quote_instead import QuoteInstead
from core.app.search import SearchBooksUseCase
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.domain.deadline import TurnLimits
from core.domain.errors import StorageError
from core.ports.clock import Clock
from core.ports.strategies import RetrievalStrategy
from core.ports.vectors import EmbeddingProvider

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
    prices: PriceTable
    database: Database
    chroma: ChromaPassageIndex | None
    embeddings: tuple[EmbeddingProvider, ...]
    model: ModelProvider | None
    workers: Executor

    async def close(self) -> None:
        """Finish the work under way and let go of files, locks and connections."""
        if self.chroma is not None:
            await self.chroma.close()
        for each in self.embeddings:
            await each.close()
        if self.model is not None:
            await self.model.close()
        self.workers.shutdown(wait=True)
        self.database.close()


def build(settings: Settings) -> Application:
    """Open the home (made and upgraded where needed) and wire everything.

    Raises:
        SettingsError: a model is named without its key.
        StorageError: the home or the database cannot be used.
    """
    model = chat_provider(settings)
    workers = ThreadPoolExecutor(max_workers=_CPU_WORKERS, thread_name_prefix="cpu")
    embeddings = embedding_providers(settings, workers)
    database = open_database(settings)
    prices = price_table()

    books = SqlBookRepository(database, embedding_model_id=embeddings[0].model_id if embeddings else None)
    readings = SqlReadingRepository(database)
    conversations = SqlConversationRepository(database)
    vectors = SqlVectorRepository(database)
    lexical = Bm25LexicalIndex(books, workers=workers)
    chroma = _chroma(settings, embeddings, vectors)
    dense = DenseSearch(_rungs(embeddings, vectors, chroma), vectors=vectors)

    search = SearchBooksUseCase(books=books, lexical=lexical, dense=dense)
    positions = PositionService(readings=readings, books=books, clock=SystemClock())
    threads = ThreadService(readings=readings, conversations=conversations)
    chat = ChatWithBookUseCase(
        chat_provider=model or NoChatProvider(),
        search_books=search,
        messages=SqlChatMessageRepository(database),
        conversations=conversations,
        books=books,
        positions=positions,
        retrieval_strategy=_strategy(settings, model),
        context_strategy=FullHistoryContextStrategy(max_messages=settings.max_history_messages),
        prompts_dir=settings.prompts_dir,
    )
    record_turn = RecordTurn(chat=chat, turns=SqlTurnRepository(database), prices=prices)
    return Application(
        settings=settings,
        library=Library(
            books=books,
            lexical=lexical,
            dense=dense,
            reader_for=partial(reader_for, max_bytes=settings.max_book_megabytes * 1_000_000),
        ),
        search=search,
        ask=AskQuestion(books=books, threads=threads, chat=chat, record_turn=record_turn),
        answer_message=AnswerMessage(
            threads=threads,
            positions=positions,
            record_turn=record_turn,
            quote_instead=QuoteInstead(search_books=search),
        ),
        positions=positions,
        threads=threads,
        prices=prices,
        database=database,
        chroma=chroma,
        embeddings=tuple(embeddings),
        model=model,
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


def price_table() -> PriceTable:
    """Read the prices that come with the program."""
    return read_prices(files("adapters.llm").joinpath("prices.toml").read_text(encoding="utf-8"))


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


def _strategy(settings: Settings, model: ModelProvider | None) -> RetrievalStrategy:
    if model is None:
        return QuotingRetrievalStrategy()
    return ToolUseRetrievalStrategy(
        max_iterations=settings.max_iterations,
        options=generation_options(settings),
        limits=TurnLimits(seconds=settings.turn_seconds, retries=settings.turn_retries),
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
    embeddings: list[EmbeddingProvider], vectors: SqlVectorRepository, chroma: ChromaPassageIndex | None
) -> list[Rung]:
    """The best model searches in Chroma; what stands in for it is searched exactly, and needs no index of its own."""
    if chroma is None:
        return []
    best, *others = embeddings
    return [
        Rung(embeddings=best, passages=chroma),
        *(Rung(embeddings=each, passages=ExactPassageIndex(vectors, model_id=each.model_id)) for each in others),
    ]
