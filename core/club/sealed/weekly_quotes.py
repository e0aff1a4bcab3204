"""The weekly quote: its timers, and the line that is posted."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from core.catalogue.sentences import say
from core.domain.messages import plain_name
from core.domain.scopes import is_private
from core.domain.sealed_item import SealedItem
from core.domain.thread import Thread
from core.domain.timer import Timer
from core.ports.clock import Clock
from core.ports.timers import TimerTable

WEEKLY_QUOTE: Final = "quote"
"""The kind of these timers."""
_WEEK: Final = timedelta(weeks=1)
_LATE: Final = timedelta(days=1)


class WeeklyQuotes:
    """Sets the timer of a club's next weekly quote; it is named after its due time, so it cannot be set twice."""

    def __init__(self, *, timers: TimerTable, clock: Clock) -> None:
        self._timers = timers
        self._clock = clock

    async def switch_on(self, thread: Thread) -> datetime:
        """Post a weekly quote in a thread from now on, and in no other; return when the first is due.

        Raises:
            BookError: there is no such club.
        """
        await self._timers.cancel(thread=thread, kind=WEEKLY_QUOTE)
        due = (self._clock.now() + _WEEK).replace(microsecond=0)
        await self._keep(thread, due)
        return due

    async def switch_off(self, thread: Thread) -> bool:
        """Stop the weekly quote; return False if it was off."""
        return await self._timers.cancel(thread=thread, kind=WEEKLY_QUOTE) > 0

    async def keep_next(self, timer: Timer) -> None:
        """Set the next timer, unless the weekly quote is off now; weeks in the past are skipped."""
        if timer not in await self._timers.waiting(thread=timer.thread, kind=WEEKLY_QUOTE):
            return
        over = max((self._clock.now() - timer.due) // _WEEK, 0)
        await self._keep(timer.thread, timer.due + (over + 1) * _WEEK)

    async def _keep(self, thread: Thread, due: datetime) -> None:
        await self._timers.keep(Timer(kind=WEEKLY_QUOTE, name=due.isoformat(), thread=thread, due=due, late=_LATE))


def quote_line(sealed_item: SealedItem, name: Callable[[int], str], *, scope: str) -> str:
    """Return a saved line with its page and who chose it; in a private scope that is “you”."""
    whose = plain_name(sealed_item.member_name)
    by = say("chosen by you") if is_private(scope) else say("chosen by {member}", member=whose)
    return f"> {sealed_item.text} (p. {name(sealed_item.opens_at)})\n{by}"
