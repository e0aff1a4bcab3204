"""Wires the commands of a club's life: who is who, what happened so far, how far it has come, what to talk about."""

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
from core.club.later.later import Later
from core.club.later.later_commands import LaterCommands
from core.club.links.link_commands import LinkCommands
from core.club.people.people_commands import PeopleCommands
from core.club.polls.poll_commands import PollCommands
from core.club.position.asked_back import SectionThreads
from core.club.position.move_effects import MoveEffects
from core.club.position.position_commands import PositionCommands
from core.club.position.who_moves import WhoMoves
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
    """Where a club's life is kept."""

    aliases: AliasRepository
    marks: Bookmarks
    texts: ClubTexts
    sealed_items: SealedItemRepository
    polls: PollRepository
    record: ClubRecord
    later: LaterQuestions
    links: ClubLinks


def stored_in(database: Database) -> ClubStores:
    """Return all of them over one database."""
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
    """What the commands of a club's life are made of: its page, its questions, and all that is kept of it."""

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

    @property
    def later(self) -> Later:
        """Questions that are kept until more has been read."""
        return Later(
            questions=self.stores.later,
            positions=self.positions,
            clubs=self.clubs,
            books=self.books,
            timers=self.timers,
            schedules=self.schedules,
            clock=self.clock,
        )

    @property
    def move_effects(self) -> MoveEffects:
        """What a move of the page brings about."""
        return MoveEffects(
            sealed_items=self.stores.sealed_items, positions=self.positions, books=self.books, later=self.later
        )

    def commands(self) -> list[Command]:
        """Return the commands."""
        open_books = OpenBooks(
            threads=self.threads, positions=self.positions, clubs=self.clubs, books=self.books, shelf=self.shelf
        )
        leaving = Leaving(
            threads=self.threads,
            positions=self.positions,
            clubs=self.clubs,
            books=self.books,
            sealed_items=self.stores.sealed_items,
        )
        drafts = ClubDrafts(texts=self.stores.texts, writer=self.writer)
        calibration = Calibration(books=self.books)
        return [
            *PositionCommands(
                positions=self.positions,
                threads=self.threads,
                clubs=self.clubs,
                books=self.books,
                move_effects=self.move_effects,
                sections=SectionThreads(self.schedules),
                who_moves=WhoMoves(readings=self.readings, links=self.stores.links),
            ).commands(),
            *EditionCommands(
                positions=self.positions,
                editions=Editions(readings=self.readings, books=self.books),
                calibration=calibration,
                threads=self.threads,
                clubs=self.clubs,
                books=self.books,
                move_effects=self.move_effects,
            ).commands(),
            *self.questions.commands(),
            *PeopleCommands(open_books, aliases=self.stores.aliases).commands(),
            *RecapCommands(open_books, positions=self.positions, marks=self.stores.marks, drafts=drafts).commands(),
            *DiscussCommands(open_books, drafts=drafts, texts=self.stores.texts, guard=self.guard).commands(),
            *ScheduleCommands(threads=self.threads, books=self.books, schedules=self.schedules).commands(),
            *SectionCommands(
                threads=self.threads,
                positions=self.positions,
                clubs=self.clubs,
                books=self.books,
                schedules=self.schedules,
                move_effects=self.move_effects,
            ).commands(),
            *ProgressCommands(
                threads=self.threads,
                positions=self.positions,
                readings=self.readings,
                clubs=self.clubs,
                books=self.books,
                schedules=self.schedules,
                marks=self.stores.marks,
            ).commands(),
            *LaterCommands(
                self.later,
                answers=self.answers,
                threads=self.threads,
                positions=self.positions,
                ask=self.questions.ask,
            ).commands(),
            *QuoteCommands(leaving, weekly=self.weekly, calibration=calibration).commands(),
            *PredictionCommands(leaving).commands(),
            *FinishCommands(
                threads=self.threads,
                positions=self.positions,
                clubs=self.clubs,
                books=self.books,
                record=self.stores.record,
                move_effects=self.move_effects,
                now=self.schedules.now,
            ).commands(),
            *ExportCommands(
                threads=self.threads, positions=self.positions, books=self.books, record=self.stores.record
            ).commands(),
            *PollCommands(self.stores.polls).commands(),
            *LinkCommands(links=self.stores.links, threads=self.threads, books=self.books, clock=self.clock).commands(),
        ]
