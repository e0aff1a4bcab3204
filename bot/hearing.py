"""Wires what checks every message: whether it is for the bot, and whether a post gives something away."""

from dataclasses import dataclass

from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.database import Database
from adapters.persistence.watches import SqlWatches
from core.answering.threads import ThreadService
from core.club.hearing.addressing import AddressingService, KeptMessages, Presence, WaitingQuestions
from core.club.schedule.schedules import Schedules
from core.club.watch.watching import PostWatch
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.guard import Guard
from core.understanding.listening import RecentLines


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningParts:
    """The services that check messages: addressing, and the watch on other posts."""

    addressing: AddressingService
    watch: PostWatch


def hearing(  # noqa: PLR0913 (what is wired)
    database: Database,
    *,
    threads: ThreadService,
    clubs: ClubRepository,
    books: BookRepository,
    schedules: Schedules,
    guard: Guard,
    clock: Clock,
    has_model: bool,
) -> ListeningParts:
    """Build them over one database; `has_model`: a model answers, and may report that nobody asked."""
    watch = PostWatch(
        watches=SqlWatches(database),
        threads=threads,
        clubs=clubs,
        books=books,
        schedules=schedules,
        guard=guard,
        clock=clock,
    )
    kept = KeptMessages(
        messages=SqlChatMessageRepository(database),
        conversations=SqlConversationRepository(database),
        books=books,
        guard=guard,
    )
    addressing = AddressingService(
        threads=threads,
        presence=Presence(clubs=clubs, clock=clock),
        kept=kept,
        recent_lines=RecentLines(),
        waiting=WaitingQuestions(),
        watch=watch,
        has_model=has_model,
    )
    return ListeningParts(addressing=addressing, watch=watch)
