"""Half a year of a club: 27 sections, both clock changes, 20 restarts; a reminder comes once, or is told as dropped.

Processes end before a post, after it and between two; two serve at once for weeks; the platform loses answers, is away,
and clocks are set. Time is the test's own.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from adapters.persistence.database import Database
from core.club.schedule.schedules import LATE, Schedules
from core.club.timers.due import Due, DueMessage, NotSentError, ServedPlatform
from core.club.timers.timer_kinds import SectionReminders
from core.domain.schedule import Plan, Reminding, Schedule, schedule_of, sections_of
from core.domain.thread import Thread
from tests.builders import a_book_text
from tests.contracts.stores import Stores, open_database
from tests.fakes.clock import FrozenClock

_PLACE = Thread(scope="discord:1", place="club", thread="")
_SECTIONS = 27
_RESTARTS = 20
_BERLIN = ZoneInfo("Europe/Berlin")
_BEGIN = datetime(2026, 10, 1, tzinfo=UTC)
_LONGEST_STEP_H = 9
_TWO_AT_ONCE = 0.3


class _Ended(BaseException):
    """The process ends where it stands."""


class _Platform(ServedPlatform):
    """Keeps what was posted, with the moment; what is looked for stands once. Whatever can go wrong does."""

    def __init__(self, clock: FrozenClock, drawn: random.Random) -> None:
        """Everything works until it does not."""
        self.clock = clock
        self.drawn = drawn
        self.said: list[tuple[DueMessage, datetime]] = []
        self.refs: set[str] = set()
        self.ends: list[str] = []

    def timer_scopes(self) -> Sequence[str]:
        return ("discord:",)

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        await asyncio.sleep(0)  # another process may come in between
        if "before" in self.ends:
            self.ends.clear()
            raise _Ended
        if self.drawn.random() < 0.1:
            raise NotSentError("away", for_good=False)
        if since is None or ref not in self.refs:
            self.said.append((message, self.clock.now()))
            self.refs.add(ref)
        if "after" in self.ends:
            self.ends.clear()
            raise _Ended
        if self.drawn.random() < 0.1:
            raise NotSentError("nobody knows", for_good=False)

    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        return ref in self.refs


@contextmanager
def _process(file: Path) -> Iterator[Stores]:
    """A process of its own over the one file."""
    database = Database(f"sqlite:///{file}")
    try:
        yield Stores(database)
    finally:
        database.close()


def _due(stores: Stores, clock: FrozenClock) -> Due:
    kind = SectionReminders(schedules=stores.kept_schedules, readings=stores.readings, books=stores.books)
    return Due(table=stores.timers, kinds=[kind], clock=clock)


async def _kept(stores: Stores, clock: FrozenClock) -> Schedule:
    """Keep a schedule of weekly sections, of which an organiser wants to be reminded."""
    text = a_book_text([f"This is page {number}." for number in range(1, 2 * _SECTIONS + 1)])
    book = await stores.add_book(text, scope=_PLACE.scope)
    reading = await stores.readings.get_or_create(scope=_PLACE.scope, place=_PLACE.place, book_id=book.book_id)
    plan = Plan(sections=_SECTIONS, first_due=date(2026, 10, 4), at=time(19), zone="Europe/Berlin")
    sections = sections_of(await stores.books.outline(book.book_id), _SECTIONS)
    made = schedule_of(plan, sections)
    kept = Schedule(
        at=made.at,
        zone=made.zone,
        weeks=made.weeks,
        sections=made.sections,
        reminding=Reminding(thread="", wanted_by="discord:olga"),
    )
    schedules = Schedules(schedules=stores.kept_schedules, timers=stores.timers, clock=clock)
    await schedules.keep(_PLACE, reading.reading_id, kept)
    return kept


async def _lives(stores: Sequence[Stores], platform: _Platform, *, until: datetime) -> None:
    """Let a process, or two of them, look again and again until they are ended."""
    clock, drawn = platform.clock, platform.drawn
    dues = [_due(one, clock) for one in stores]
    while clock.now() < until:
        await asyncio.gather(*(due.run_due(platform) for due in dues))
        clock.advance(timedelta(minutes=drawn.choice([1, 20, 60, *[60 * _LONGEST_STEP_H] * 2])))
        if drawn.random() < 0.02:
            clock.set_back(timedelta(minutes=drawn.randrange(1, 90)))


async def test_every_reminder_comes_once_or_is_told_as_dropped(tmp_path: Path) -> None:
    clock, drawn = FrozenClock(_BEGIN), random.Random(1)
    platform = _Platform(clock, drawn)
    file = tmp_path / "thusfar.db"
    open_database(file).close()
    with _process(file) as stores:
        kept = await _kept(stores, clock)
    end = _BEGIN + timedelta(days=205)
    moments = sorted(_BEGIN + timedelta(days=drawn.uniform(1, 200)) for _ in range(_RESTARTS))
    for moment in (*moments, end):
        with _process(file) as one, _process(file) as other:
            at_once = [one, other] if drawn.random() < _TWO_AT_ONCE else [one]
            with suppress(_Ended):
                await _lives(at_once, platform, until=moment)
                # It ends while it posts, or just so; then it is away for a while.
                platform.ends = [drawn.choice(["before", "after"])]
                await _lives(at_once, platform, until=min(clock.now() + timedelta(days=8), end))
            platform.ends = []
        clock.advance(timedelta(hours=drawn.choice([0, 1, 6, 30])))
    told = Counter(_section_of(message) for message, _ in platform.said)
    assert told == Counter(range(1, _SECTIONS + 1))
    for message, at in platform.said:
        due = kept.due(kept.sections[_section_of(message) - 1])
        is_missed = bool(message.member_id)
        assert (at > due + LATE) if is_missed else (at >= due - timedelta(minutes=90))
    in_time = [message for message, _ in platform.said if not message.member_id]
    assert _SECTIONS / 2 < len(in_time) < _SECTIONS, "too little went wrong, or too much"
    assert {kept.due(section).astimezone(_BERLIN).time() for section in kept.sections} == {time(19)}
    assert {kept.due(section).hour for section in kept.sections} == {17, 18}


def _section_of(message: DueMessage) -> int:
    """Return which section a message is about."""
    words = message.text.replace("**", "").split()
    return int(words[words.index("section") + 1].rstrip(":"))
