"""Timers for reminders, returning questions and the like. They are stored, and each runs once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from core.domain.thread import Thread


class TimerState(StrEnum):
    """The state of a timer. A claimed one is being run, or its process has ended."""

    WAITING = "waiting"
    CLAIMED = "claimed"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timer:
    """Something that falls due in a club, once.

    Attributes:
        kind: which rule works it off.
        name: tells it from the others of its kind in its club; another of that name takes its place.
        thread: where it was asked for; what it has to say belongs there.
        due: when, in UTC.
        late: how long after that it is still worth something.
        reading_id: what it is about; it goes with the reading's book.
        member_id: whose it is; it goes when they are forgotten. Empty where it is the club's.
        payload: what its kind keeps in it.
    """

    kind: str
    name: str
    thread: Thread
    due: datetime
    late: timedelta
    reading_id: str | None = None
    member_id: str = ""
    payload: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedTimer:
    """A timer that one process works off for a while; `claim` is its right to say what became of it.

    `begun` is when that was first tried, `attempts` how often, this time counted: what an earlier one posted may stand.
    """

    timer: Timer
    timer_id: int
    claim: str
    begun: datetime
    attempts: int

    @property
    def ref(self) -> str:
        """The name for good of what is posted for it."""
        return f"timer:{self.timer_id}:{self.timer.due.timestamp():.0f}"
