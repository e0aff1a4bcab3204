"""Wires timers: their table, their kinds, and the schedules that create most of them.

A new kind is one more line in `kinds`.
"""

from dataclasses import dataclass

from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.database import Database
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
from adapters.persistence.timers import SqlTimerTable
from core.answering.threads import ThreadService
from core.club.links.link_news import LinkNews
from core.club.schedule.schedules import Schedules
from core.club.sealed.weekly_quotes import WeeklyQuotes
from core.club.timers.due import Due, TimerKind
from core.club.timers.timer_kinds import LaterKind, SectionReminders, WeeklyQuoteKind
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.readings import ReadingRepository
from core.ports.timers import TimerTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The timers, and the service that runs them."""

    timers: TimerTable
    due: Due
    schedules: Schedules
    weekly: WeeklyQuotes


def timed(
    database: Database,
    *,
    books: BookRepository,
    readings: ReadingRepository,
    threads: ThreadService,
    clock: Clock,
) -> Timed:
    """Build them over one database."""
    timers, kept = SqlTimerTable(database), SqlScheduleRepository(database)
    schedules = Schedules(schedules=kept, timers=timers, clock=clock)
    weekly = WeeklyQuotes(timers=timers, clock=clock)
    sealed_items = SqlSealedItemRepository(database)
    kinds: list[TimerKind] = [
        SectionReminders(schedules=kept, readings=readings, books=books),
        WeeklyQuoteKind(weekly, threads=threads, sealed_items=sealed_items),
        LaterKind(questions=SqlLaterQuestions(database), readings=readings, books=books),
        LinkNews(
            links=SqlClubLinks(database),
            readings=readings,
            books=books,
            schedules=schedules,
            threads=threads,
            clock=clock,
        ),
    ]
    return Timed(timers=timers, due=Due(table=timers, kinds=kinds, clock=clock), schedules=schedules, weekly=weekly)
