"""Wires timers: their table, their kinds, and the schedules that create most of them.

A new kind is one more line in `kinds`.
"""

from dataclasses import dataclass

from adapters.persistence.club_links import SqlClubLinks
from adapters.persistence.later_questions import SqlLaterQuestions
from adapters.persistence.schedules import SqlScheduleRepository
from adapters.persistence.sealed_items import SqlSealedItemRepository
from adapters.persistence.timers import SqlTimerTable
from bot.answering_parts import AnsweringParts
from core.club.links.link_news import LinkNews
from core.club.schedule.schedules import Schedules
from core.club.sealed.weekly_quotes import WeeklyQuotes
from core.club.timers.due import Due, TimerKind
from core.club.timers.timer_kinds import LaterKind, SectionReminders, WeeklyQuoteKind
from core.ports.timers import TimerTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """The timers, and the service that runs them."""

    timers: TimerTable
    due: Due
    schedules: Schedules
    weekly: WeeklyQuotes


def timed(by: AnsweringParts) -> Timed:
    """Build them over one database."""
    timers, kept = SqlTimerTable(by.database), SqlScheduleRepository(by.database)
    schedules = Schedules(schedules=kept, timers=timers, clock=by.clock)
    weekly = WeeklyQuotes(timers=timers, clock=by.clock)
    kinds: list[TimerKind] = [
        SectionReminders(schedules=kept, readings=by.readings, books=by.books),
        WeeklyQuoteKind(weekly, threads=by.threads, sealed_items=SqlSealedItemRepository(by.database)),
        LaterKind(questions=SqlLaterQuestions(by.database), readings=by.readings, books=by.books),
        LinkNews(
            links=SqlClubLinks(by.database),
            readings=by.readings,
            books=by.books,
            schedules=schedules,
            threads=by.threads,
            clock=by.clock,
        ),
    ]
    return Timed(timers=timers, due=Due(table=timers, kinds=kinds, clock=by.clock), schedules=schedules, weekly=weekly)
