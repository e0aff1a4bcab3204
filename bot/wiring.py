"""Connects every port with its adapter; no other module knows which."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from adapters.persistence.books import SqlBookRepository
from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.conversations import SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.notes import SqlNoteRepository
from adapters.persistence.readings import SqlReadingRepository
from adapters.persistence.threads import SqlThreadRepository
from adapters.persistence.turn_record import SqlTurnRecord
from adapters.persistence.vectors import SqlVectorRepository
from adapters.retrieval.chroma_index import ChromaPassageIndex
from bot.answering import answered_by, verifying
from bot.counting import ModelCalls
from bot.home import open_database
from bot.lazy import Lazy
from bot.providers import ModelProvider, chat_provider, embedding_provider, price_list
from bot.retrieving import Keeping, retrieval
from bot.settings import Settings
from bot.system_clock import SystemClock
from core.answering.answer_message import AnswerMessage
from core.answering.ask import AskQuestion
from core.answering.club_lines import ClubLines
from core.answering.costs import CallPrice
from core.answering.drafting import Drafting
from core.answering.notes import NoteShelf
from core.answering.prompt_builder import PromptBuilder
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.search import SearchBooksUseCase
from core.answering.threads import ThreadService
from core.answering.turns import Turns
from core.answering.verified_guard import VerifiedGuard
from core.guard.findings import SentenceFinding
from core.guard.guard import SpoilerGuard
from core.guard.review import DraftReview
from core.language.book_memory import BookMemory
from core.library.library import Derived, Library
from core.ports.book_reader import BookReader
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.clock import Clock
from core.ports.embedding_provider import EmbeddingProvider
from core.ports.word_vectors import WordVectors

if TYPE_CHECKING:
    from bot.noting import Noting
    from bot.serving_clubs import ServingClubs
    from core.ports.sealed_items import SealedItemRepository

_CPU_WORKERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Application:
    """The wired application for the command line and the platforms. Close it after use."""

    settings: Settings
    books: BookRepository
    library: Library
    memory: BookMemory
    calls: ModelCalls
    search: SearchBooksUseCase
    guard: SpoilerGuard
    verified_guard: VerifiedGuard | None
    ask: AskQuestion
    answer_message: AnswerMessage
    quoting: Quoting
    threads: ThreadService
    price: CallPrice
    quota: Quota
    database: Database
    chroma: ChromaPassageIndex | None
    embeddings: EmbeddingProvider | None
    words: WordVectors | None
    former_embeddings: tuple[EmbeddingProvider, ...]
    model: ModelProvider | None
    workers: Executor
    noted: "Lazy[Noting]"
    clubs: "Lazy[ServingClubs]"
    hands_on: bool = False
    """Whether other processes answer members' questions."""
    crashed: bool = False
    """Whether the previous serving process crashed."""

    def set_aside_index(self) -> None:
        """Search without Chroma from now on; SQL has all vectors."""
        if self.chroma is not None:
            self.chroma.set_aside()

    async def close(self) -> None:
        """Finish current work and release files, locks and connections."""
        if (noted := self.noted.made) is not None and noted.jobs is not None:
            await noted.jobs.close()
        if self.chroma is not None:
            await self.chroma.close()
        for each in (self.embeddings, *self.former_embeddings):
            if each is not None:
                await each.close()
        if self.model is not None:
            await self.model.close()
        if (clubs := self.clubs.made) is not None:
            await clubs.work.close()
        self.workers.shutdown(wait=True)
        self.database.close()


def build(
    settings: Settings,
    *,
    answers_with: ChatProvider | None = None,
    clock: Clock | None = None,
    stays: bool = True,
    patience: float = 0.0,
    on_findings: Callable[[Sequence[SentenceFinding]], None] | None = None,
) -> Application:
    """Open the home (created and upgraded if needed) and wire everything.

    `answers_with` replaces the configured model, for example with a scripted one; `clock` replaces the machine's. A
    process that `stays` searches WordLlama's vectors in Chroma, a short-lived one searches them exactly. An unreachable
    database is waited for; `patience` is in seconds. Benchmarks get each draft's findings by `on_findings`.

    Raises:
        SettingsError: a model is named without its key.
        StorageError: the home or the database cannot be used.
    """
    model = chat_provider(settings)
    workers = ThreadPoolExecutor(max_workers=_CPU_WORKERS, thread_name_prefix="cpu")
    embeddings = embedding_provider(settings, workers)
    database = open_database(settings, patience=patience)
    price = price_list(model)

    best_model_id = embeddings.model_id if embeddings is not None else None
    books = SqlBookRepository(database, embedding_model_id=best_model_id)
    clock = clock or SystemClock()
    readings = SqlReadingRepository(database, clock=clock)
    clubs = SqlClubRepository(database)
    keeping = Keeping.of(settings, stays=stays)
    found_by = retrieval(
        settings,
        embeddings,
        books=books,
        vectors=SqlVectorRepository(database),
        notes=SqlNoteRepository(database),
        workers=workers,
        keeping=keeping,
    )

    search = SearchBooksUseCase(books=books, lexical=found_by.lexical, dense=found_by.dense)
    guard = SpoilerGuard(
        books=books, notes=SqlNoteRepository(database), level=settings.guard, memory=keeping.memory, files=keeping.files
    )
    threads = ThreadService(
        readings=readings,
        conversations=SqlConversationRepository(database),
        threads=SqlThreadRepository(database, embedding_model_id=best_model_id),
        clock=clock,
    )
    calls = ModelCalls()
    by = answered_by(settings, calls.of(answers_with or model))
    record = SqlTurnRecord(database, embedding_model_id=best_model_id)
    quoting = Quoting(
        search=search,
        books=books,
        notes=NoteShelf(notes=SqlNoteRepository(database), guard=guard, near=found_by.dense.near_notes),
        index=found_by.lexical,
        memory=keeping.memory,
    )
    quota = Quota(
        clubs=clubs,
        clock=clock,
        tokens_a_day=settings.club_tokens_a_day,
        questions_a_minute=settings.questions_a_minute,
        dollars_a_month=settings.budget_a_month,
    )
    answer_message = AnswerMessage(
        turns=Turns(
            record=record,
            search=search,
            guard=guard,
            price=price,
            clock=clock,
            provider=by.provider,
            limits=by.limits,
        ),
        quota=quota,
        scope=by.scope,
        drafting=Drafting(
            provider=by.provider,
            strategy=by.strategy,
            prompts=PromptBuilder(
                context=by.context,
                prompts_dir=settings.prompts_dir,
                service=by.provider.name if by.provider else "",
                verifier=by.verifier,
            ),
            guard=guard,
            review=DraftReview(guard=guard, books=books, verifier=by.verifier, on_findings=on_findings),
            quoting=quoting,
            club_lines=ClubLines(threads=threads, sealed_items=lambda: _sealed_items(database), guard=guard),
        ),
        quoting=quoting,
        threads=threads,
    )
    library = Library(
        books=books,
        lexical=found_by.lexical,
        dense=found_by.dense,
        reader_for=_reader_for(settings),
        derived=Derived(books=books, files=keeping.files, indexes=(found_by.lexical, guard)),
    )

    def all_noting() -> "Noting":
        from bot.noting import noting

        return noting(
            settings, answers_with or model, database=database, books=books, guard=guard, price=price, clock=clock
        )

    def all_that_serves_clubs() -> "ServingClubs":
        from bot.answering_parts import AnsweringParts
        from bot.serving_clubs import serving_clubs

        answering = AnsweringParts(
            database=database,
            books=books,
            readings=readings,
            clubs=clubs,
            record=record,
            threads=threads,
            guard=guard,
            quoting=quoting,
            quota=quota,
            answer_message=answer_message,
            library=library,
            noted=noted,
            clock=clock,
            has_model=by.provider is not None,
            has_verifier=by.verifier is not None,
        )
        return serving_clubs(settings, answering)

    noted = Lazy(all_noting)
    return Application(
        settings=settings,
        books=books,
        library=library,
        memory=keeping.memory,
        calls=calls,
        search=search,
        guard=guard,
        verified_guard=verifying(settings, calls.of(answers_with or model), guard=guard, search_books=search),
        ask=AskQuestion(books=books, answer_message=answer_message),
        quoting=quoting,
        noted=noted,
        clubs=Lazy(all_that_serves_clubs),
        answer_message=answer_message,
        threads=threads,
        price=price,
        quota=quota,
        database=database,
        chroma=found_by.chroma,
        embeddings=embeddings,
        words=found_by.words,
        former_embeddings=found_by.former,
        model=model,
        workers=workers,
    )


def _sealed_items(database: Database) -> "SealedItemRepository":
    """Return the store of predictions and quotes, whose tables a process for one question doesn't load."""
    from adapters.persistence.sealed_items import SqlSealedItemRepository

    return SqlSealedItemRepository(database)


def _reader_for(settings: Settings) -> Callable[[Path], BookReader]:
    """Return the reader for all files; it runs in its own process."""

    def reader() -> BookReader:
        from adapters.readers.isolated import IsolatedBookReader

        return IsolatedBookReader(max_bytes=settings.max_book_megabytes * 1_000_000)

    one = Lazy(reader)
    return lambda _path: one()
