"""Wires the commands of club features: people, recaps, progress, discussions and more."""

from dataclasses import dataclass

from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.bookmarks import SqlBookmarks
from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.club_record import SqlClubRecord
from adapters.persistence.club_texts import SqlClubTexts
from adapters.persistence.database import Database
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.polls import SqlPollRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
from core.answering.editions import Editions
from core.answering.given_answers import Answers
from core.answering.positions import PositionService
from core.answering.read_book import PageCache
from core.answering.threads import ThreadService
from core.club.commands.open_books import OpenBooks
from core.club.commands.values import Command
from core.club.editions.calibration import Calibration
from core.club.editions.edition_commands import EditionCommands
from core.club.later.later_commands import LaterCommands
from core.club.links.link_commands import LinkCommands
from core.club.people.people_commands import PeopleCommands
from core.club.polls.poll_commands import PollCommands
from core.club.position.position_commands import PositionCommands
from core.club.progress.export_commands import ExportCommands
from core.club.progress.finish_commands import FinishCommands
from core.club.progress.progress_commands import ProgressCommands
from core.club.questions.question_commands import QuestionCommands
from core.club.recap.club_drafts import ClubDrafts, Writer
from core.club.recap.discuss_commands import DiscussCommands
from core.club.recap.recap_commands import RecapCommands
from core.club.schedule.schedule_commands import ScheduleCommands
from core.club.schedule.schedules import Schedules
from core.club.sealed.leaving import Leaving
from core.club.sealed.prediction_commands import PredictionCommands
from core.club.sealed.quote_commands import QuoteCommands
from core.club.sealed.weekly_quotes import WeeklyQuotes
from core.club.sections.section_commands import SectionCommands
from core.ports.aliases import AliasRepository
from core.ports.bookmarks import Bookmarks
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.club_links import ClubLinks
from core.ports.club_record import ClubRecord
from core.ports.club_texts import ClubTexts
from core.ports.clubs import ClubRepository
from core.ports.guard import Guard
from core.ports.later_questions import LaterQuestions
from core.ports.polls import PollRepository
from core.ports.readings import ReadingRepository
from core.ports.sealed_items import SealedItemRepository
from core.ports.timers import TimerTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStores:
    """The stores of club features."""

    aliases: AliasRepository
    marks: Bookmarks
    texts: ClubTexts
    sealed_items: SealedItemRepository
    polls: PollRepository
    record: ClubRecord
    later: LaterQuestions
    links: ClubLinks


def stored_in(database: Database) -> ClubStores:
    """Return all stores over one database."""
    return ClubStores(
        aliases=SqlAliasRepository(database),
        marks=SqlBookmarks(database),
        texts=SqlClubTexts(database),
        sealed_items=SqlSealedItemRepository(database),
        polls=SqlPollRepository(database),
        record=SqlClubRecord(database),
        later=SqlLaterQuestions(database),
        links=SqlClubLinks(database),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLife:
    """The dependencies of club commands: its page, its questions, its stores."""

    questions: QuestionCommands
    answers: Answers
    threads: ThreadService
    positions: PositionService
    clubs: ClubRepository
    books: BookRepository
    readings: ReadingRepository
    timers: TimerTable
    stores: ClubStores
    schedules: Schedules
    weekly: WeeklyQuotes
    guard: Guard
    clock: Clock
    shelf: PageCache
    writer: Writer | None

    def commands(self) -> list[Command]:
        """Return the commands."""
        threads, positions, stores = self.threads, self.positions, self.stores
        open_books = OpenBooks(threads=threads, books=self.books, shelf=self.shelf)
        leaving = Leaving(threads=threads, sealed_items=stores.sealed_items)
        drafts = ClubDrafts(texts=stores.texts, writer=self.writer)
        calibration = Calibration(books=self.books)
        editions = Editions(readings=self.readings)
        return [
            *PositionCommands(positions=positions, threads=threads).commands(),
            *EditionCommands(
                positions=positions, editions=editions, calibration=calibration, threads=threads
            ).commands(),
            *self.questions.commands(),
            *PeopleCommands(open_books, aliases=stores.aliases).commands(),
            *RecapCommands(open_books, marks=stores.marks, drafts=drafts).commands(),
            *DiscussCommands(open_books, drafts=drafts, texts=stores.texts, guard=self.guard).commands(),
            *ScheduleCommands(threads=threads, schedules=self.schedules).commands(),
            *SectionCommands(threads=threads, positions=positions, schedules=self.schedules).commands(),
            *ProgressCommands(threads=threads, marks=stores.marks).commands(),
            *LaterCommands(stores.later, answers=self.answers, threads=threads, ask=self.questions.ask).commands(),
            *QuoteCommands(leaving, weekly=self.weekly, calibration=calibration).commands(),
            *PredictionCommands(leaving).commands(),
            *FinishCommands(threads=threads, positions=positions, record=stores.record).commands(),
            *ExportCommands(threads=threads, record=stores.record).commands(),
            *PollCommands(self.stores.polls).commands(),
            *LinkCommands(links=self.stores.links, threads=self.threads, books=self.books, clock=self.clock).commands(),
        ]
