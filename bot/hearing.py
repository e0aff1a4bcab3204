"""Wires what checks every message: whether it is for the bot, and whether a post gives something away."""

from dataclasses import dataclass

from adapters.persistence.conversations import SqlChatMessageRepository, SqlConversationRepository
from adapters.persistence.watches import SqlWatches
from bot.answering_parts import AnsweringParts
from core.club.hearing.addressing import AddressingService, KeptMessages, Presence, WaitingQuestions
from core.club.schedule.schedules import Schedules
from core.club.watch.watching import PostWatch
from core.understanding.listening import RecentLines


@dataclass(frozen=True, slots=True, kw_only=True)
class ListeningParts:
    """The services that check messages: addressing, and the watch on other posts."""

    addressing: AddressingService
    watch: PostWatch


def hearing(by: AnsweringParts, *, schedules: Schedules) -> ListeningParts:
    """Build them; where a model answers, it may report that nobody asked."""
    watch = PostWatch(
        watches=SqlWatches(by.database),
        threads=by.threads,
        clubs=by.clubs,
        books=by.books,
        schedules=schedules,
        guard=by.guard,
        clock=by.clock,
    )
    kept = KeptMessages(
        messages=SqlChatMessageRepository(by.database),
        conversations=SqlConversationRepository(by.database),
        books=by.books,
        guard=by.guard,
    )
    addressing = AddressingService(
        threads=by.threads,
        presence=Presence(clubs=by.clubs, clock=by.clock),
        kept=kept,
        recent_lines=RecentLines(),
        waiting=WaitingQuestions(),
        running=by.answer_message.running,
        watch=watch,
        has_model=by.has_model,
    )
    return ListeningParts(addressing=addressing, watch=watch)
