"""Wires the services for clubs and organisers other than answers: commands, listening, inbox, work queue, timers.

Built on first use (`bot.wiring`): a single question from a shell needs none of it.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from adapters.persistence.inbox import SqlInbox
from adapters.persistence.work import SqlWorkQueue
from adapters.platform.services import ExclusiveGate
from bot.all_commands import AllCommands
from bot.hearing import hearing
from bot.lazy import Lazy
from bot.noting import Noting, add_sample
from bot.settings import Settings
from bot.timed import Timed, timed
from core.answering.answer_message import AnswerMessage
from core.answering.given_answers import Answers
from core.answering.positions import PositionService
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.threads import ThreadService, ThreadTitles
from core.club.books.book_commands import BookCommands
from core.club.browser.member_clubs import MemberClubs
from core.club.hearing.addressing import AddressingService
from core.club.watch.watching import PostWatch
from core.guard.guard import SpoilerGuard
from core.library.library import Library
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.inbox import Inbox
from core.ports.readings import ReadingRepository
from core.ports.turn_record import TurnRecord

if TYPE_CHECKING:
    from adapters.persistence.database import Database
    from core.club.commands.registry import CommandRegistry


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringParts:
    """The answering services that clubs use too. `has_model`: answers are not only quotations."""

    database: "Database"
    books: BookRepository
    readings: ReadingRepository
    clubs: ClubRepository
    record: TurnRecord
    threads: ThreadService
    guard: SpoilerGuard
    quoting: Quoting
    quota: Quota
    answer_message: AnswerMessage
    library: Library
    noted: Lazy[Noting]
    clock: Clock
    has_model: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingClubs:
    """The platforms' services other than answering a message."""

    times: Timed
    positions: PositionService
    answers: Answers
    book_commands: BookCommands
    addressing: AddressingService
    member_clubs: MemberClubs
    thread_titles: ThreadTitles
    watch: PostWatch
    inbox: Inbox
    work: SqlWorkQueue
    registry: "Lazy[CommandRegistry]"
    exclusive: ExclusiveGate = field(default_factory=ExclusiveGate)


def serving_clubs(settings: Settings, by: AnsweringParts) -> ServingClubs:
    """Build it; nothing is read or called yet."""
    positions = PositionService(readings=by.readings)
    times = timed(by.database, books=by.books, readings=by.readings, threads=by.threads, clock=by.clock)
    heard_by = hearing(
        by.database,
        threads=by.threads,
        clubs=by.clubs,
        books=by.books,
        schedules=times.schedules,
        guard=by.guard,
        clock=by.clock,
        has_model=by.has_model,
    )
    answers = Answers(record=by.record, books=by.books, threads=by.threads, quoting=by.quoting)
    titles = ThreadTitles(threads=by.threads, books=by.books, shelf=by.quoting.shelf, clock=by.clock)
    book_commands = BookCommands(
        library=by.library,
        threads=by.threads,
        titles=titles,
        add_sample=partial(add_sample, by.library, by.noted().notes, settings),
    )
    commands = AllCommands(
        database=by.database,
        answer_message=by.answer_message,
        answers=answers,
        quota=by.quota,
        quoting=by.quoting,
        guard=by.guard,
        library=by.library,
        book_commands=book_commands,
        noted=by.noted(),
        times=times,
        positions=positions,
        threads=by.threads,
        clubs=by.clubs,
        books=by.books,
        readings=by.readings,
        clock=by.clock,
        prompts_dir=settings.prompts_dir if by.has_model else None,
    )
    return ServingClubs(
        times=times,
        positions=positions,
        answers=answers,
        book_commands=book_commands,
        addressing=heard_by.addressing,
        member_clubs=MemberClubs(threads=by.threads),
        thread_titles=titles,
        watch=heard_by.watch,
        inbox=SqlInbox(by.database),
        work=SqlWorkQueue(by.database),
        registry=Lazy(commands.registry),
    )
