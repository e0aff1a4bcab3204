"""Wires what hears members before they ask anything: is it for us, and does a post give away what lies ahead?"""

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
    """What hears messages, and what looks at those that are for nobody of us."""

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
    """Put it together over one database; `has_model`: a model answers, and may say that nobody asked."""
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
