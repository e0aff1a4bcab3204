"""Fills every port with its adapter: the only place that knows which."""

import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files

from adapters.llm.openai import OpenAIChatProvider
from adapters.persistence.books import SqlBookRepository
from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.inbox import SqlInbox
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.threads import SqlThreadRepository
from adapters.persistence.turns import SqlTurnRepository
from adapters.persistence.vectors import SqlVectorRepository
from adapters.readers.choose import reader_for
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.exact_index import ExactPassageIndex
from adapters.retrieval.lexical_index import Bm25LexicalIndex
from bot.home import open_database
from bot.providers import (
    ModelProvider,
    chat_provider,
    embedding_providers,
    former_embedding_providers,
    generation_options,
    word_vectors,
)
from bot.sample import sample_book
from bot.settings import Settings
from core.agent.context import FullHistoryContextStrategy
from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.agent.strategies.tool_use import ToolUseRetrievalStrategy
from core.app.answer_message import AnswerMessage
from core.app.answers import Answers
from core.app.ask import AskQuestion
from core.app.chat import ChatWithBookUseCase
from core.app.commands.book_commands import BookCommands
from core.app.commands.club_commands import ClubCommands
from core.app.commands.position_commands import PositionCommands
from core.app.commands.question_commands import QuestionCommands
from core.app.commands.registry import CommandRegistry
from core.app.costs import PriceTable, read_prices
from core.app.dense import DenseSearch, Rung
from core.app.hear_message import HearMessage
from core.app.library import Library
from core.app.positions import PositionService
from core.app.quote_instead import QuoteInstead
from core.app.search import SearchBooksUseCase
from core.app.threads import ThreadService
from core.app.turns import RecordTurn
from core.domain.book import Book
from core.domain.deadline import TurnLimits
from core.ports.clock import Clock
from core.ports.inbox import Inbox
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
    hear_message: HearMessage
    commands: CommandRegistry
    book_commands: BookCommands
    answers: Answers
    inbox: Inbox
    positions: PositionService
    threads: ThreadService
    prices: PriceTable
    database: Database
    chroma: ChromaPassageIndex | None
    embeddings: tuple[EmbeddingProvider, ...]
    former_embeddings: tuple[EmbeddingProvider, ...]
    model: ModelProvider | None
    workers: Executor

    async def close(self) -> None:
        """Finish the work under way and let go of files, locks and connections."""
        if self.chroma is not None:
            await self.chroma.close()
        for each in (*self.embeddings, *self.former_embeddings):
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
    prices = price_table(model)

    books = SqlBookRepository(database, embedding_model_id=embeddings[0].model_id if embeddings else None)
    readings = SqlReadingRepository(database)
    clubs = SqlClubRepository(database)
    conversations = SqlConversationRepository(database)
    messages = SqlChatMessageRepository(database)
    vectors = SqlVectorRepository(database)
    lexical = Bm25LexicalIndex(books, workers=workers, word_vectors=word_vectors(embeddings))
    chroma = _chroma(settings, embeddings, vectors)
    former = former_embedding_providers(settings)
    dense = DenseSearch(_rungs(embeddings, former, vectors, chroma), vectors=vectors)

    search = SearchBooksUseCase(books=books, lexical=lexical, dense=dense)
    clock = SystemClock()
    positions = PositionService(readings=readings, books=books, clock=clock)
    threads = ThreadService(readings=readings, conversations=conversations, threads=SqlThreadRepository(database))
    chat = ChatWithBookUseCase(
        chat_provider=model or NoChatProvider(),
        search_books=search,
        messages=messages,
        conversations=conversations,
        books=books,
        positions=positions,
        retrieval_strategy=_strategy(settings, model),
        context_strategy=FullHistoryContextStrategy(max_messages=settings.max_history_messages),
        prompts_dir=settings.prompts_dir,
        max_messages=settings.max_history_messages,
    )
    turns = SqlTurnRepository(database)
    record_turn = RecordTurn(chat=chat, turns=turns, prices=prices)
    library = Library(
        books=books,
        lexical=lexical,
        dense=dense,
        reader_for=partial(reader_for, max_bytes=settings.max_book_megabytes * 1_000_000),
    )
    ask = AskQuestion(books=books, threads=threads, chat=chat, record_turn=record_turn)
    answers = Answers(turns=turns, books=books, threads=threads, positions=positions)
    book_commands = BookCommands(library=library, threads=threads, add_sample=partial(add_sample, library, settings))
    commands = CommandRegistry(
        [
            *PositionCommands(
                positions=positions, threads=threads, readings=readings, clubs=clubs, books=books
            ).commands(),
            *QuestionCommands(ask=ask, answers=answers, positions=positions, threads=threads, clubs=clubs).commands(),
            *book_commands.commands(),
            *ClubCommands(threads=threads, clubs=clubs, clock=clock).commands(),
        ]
    )
    return Application(
        settings=settings,
        library=library,
        search=search,
        ask=ask,
        hear_message=HearMessage(threads=threads, clubs=clubs, messages=messages, clock=clock),
        commands=commands,
        book_commands=book_commands,
        answers=answers,
        inbox=SqlInbox(database),
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
        former_embeddings=tuple(former),
        model=model,
        workers=workers,
    )


async def add_sample(library: Library, settings: Settings, scope: str) -> Book:
    """Import the novel that comes with the program into a scope; where it is there already, that one is given."""
    sample = sample_book(settings.sample_folder)
    return (await library.add(sample.path, scope=scope, title=sample.title, author=sample.author)).book


def price_table(model: ModelProvider | None) -> PriceTable:
    """Read the prices that come with the program; those of a provider's own do not hold on a compatible server."""
    prices = read_prices(files("adapters.llm").joinpath("prices.toml").read_text(encoding="utf-8"))
    return replace(prices, models={}) if isinstance(model, OpenAIChatProvider) and not model.native else prices


def say_to_operator(line: str) -> None:
    """Tell whoever started the program one line, out of the way of what it prints."""
    print(line, file=sys.stderr)  # noqa: T201


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
