"""Wires the services for clubs and organisers other than answers: commands, listening, inbox, work queue, timers.

Built on first use (`bot.wiring`): a single question from a shell needs none of it.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from adapters.persistence.inbox import SqlInbox
from adapters.persistence.work import SqlWorkQueue
from adapters.platform.services import ExclusiveGate
from bot.answering_parts import AnsweringParts
from bot.hearing import hearing
from bot.lazy import Lazy
from bot.noting import add_sample
from bot.settings import Settings
from bot.timed import Timed, timed
from core.answering.given_answers import Answers
from core.answering.positions import PositionService
from core.answering.threads import ThreadTitles
from core.club.books.book_commands import BookCommands
from core.club.browser.member_clubs import MemberClubs
from core.club.hearing.addressing import AddressingService
from core.club.watch.watching import PostWatch
from core.ports.inbox import Inbox

if TYPE_CHECKING:
    from core.club.commands.registry import CommandRegistry


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
    times = timed(by)
    heard_by = hearing(by, schedules=times.schedules)
    answers = Answers(record=by.record, books=by.books, threads=by.threads, quoting=by.quoting)
    work = SqlWorkQueue(by.database)
    titles = ThreadTitles(threads=by.threads, books=by.books, shelf=by.quoting.shelf, clock=by.clock)
    book_commands = BookCommands(
        library=by.library,
        threads=by.threads,
        titles=titles,
        add_sample=partial(add_sample, by.library, by.noted().notes, settings),
    )

    def all_commands() -> "CommandRegistry":
        from bot.all_commands import registry

        return registry(
            by,
            times=times,
            positions=positions,
            answers=answers,
            book_commands=book_commands,
            prompts_dir=settings.prompts_dir,
            work=work,
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
        work=work,
        registry=Lazy(all_commands),
    )
