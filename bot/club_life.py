"""Wires the commands of club features: people, recaps, progress, discussions and more."""

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
from core.answering.notes import NoteShelf
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
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.guard import Guard
from core.ports.readings import ReadingRepository


def club_commands(  # noqa: PLR0913 (what is wired)
    database: Database,
    *,
    questions: QuestionCommands,
    answers: Answers,
    threads: ThreadService,
    positions: PositionService,
    books: BookRepository,
    readings: ReadingRepository,
    schedules: Schedules,
    weekly: WeeklyQuotes,
    guard: Guard,
    clock: Clock,
    shelf: PageCache,
    notes: NoteShelf,
    writer: Writer | None,
) -> list[Command]:
    """Return the commands, over the stores of one database."""
    marks, texts, record = SqlBookmarks(database), SqlClubTexts(database), SqlClubRecord(database)
    open_books = OpenBooks(threads=threads, books=books, shelf=shelf)
    leaving = Leaving(threads=threads, sealed_items=SqlSealedItemRepository(database))
    drafts = ClubDrafts(texts=texts, writer=writer, notes=notes)
    calibration = Calibration(books=books)
    editions = Editions(readings=readings)
    return [
        *PositionCommands(positions=positions, threads=threads).commands(),
        *EditionCommands(positions=positions, editions=editions, calibration=calibration, threads=threads).commands(),
        *questions.commands(),
        *PeopleCommands(open_books, aliases=SqlAliasRepository(database), drafts=drafts).commands(),
        *RecapCommands(open_books, marks=marks, drafts=drafts).commands(),
        *DiscussCommands(open_books, drafts=drafts, texts=texts, guard=guard).commands(),
        *ScheduleCommands(threads=threads, schedules=schedules).commands(),
        *SectionCommands(threads=threads, positions=positions, schedules=schedules).commands(),
        *ProgressCommands(threads=threads, marks=marks).commands(),
        *LaterCommands(SqlLaterQuestions(database), answers=answers, threads=threads, ask=questions.ask).commands(),
        *QuoteCommands(leaving, weekly=weekly, calibration=calibration).commands(),
        *PredictionCommands(leaving).commands(),
        *FinishCommands(threads=threads, positions=positions, record=record).commands(),
        *ExportCommands(threads=threads, record=record).commands(),
        *PollCommands(SqlPollRepository(database)).commands(),
        *LinkCommands(links=SqlClubLinks(database), threads=threads, books=books, clock=clock).commands(),
    ]
