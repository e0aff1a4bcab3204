"""The dates of a kept schedule are a wall clock's in every zone, also after they were moved."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import given
from hypothesis import strategies as st

from core.club.schedule.schedule_forms import parse_plan
from core.domain.schedule import Schedule, Section, schedule_of

_NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)
_ZONES = sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/"))
_DAYS = ("Mondays", "tue", "Wednesday", "THU", "friday", "Sat", "Sundays")
_GAP = timedelta(hours=24)
"""No clock ever skipped more: an island that changes sides of the date line."""


def _kept(line: str) -> Schedule:
    plan = parse_plan(line, now=_NOW)
    sections = [Section(number=n, first_page=n, last_page=n) for n in range(1, plan.sections + 1)]
    return schedule_of(plan, sections)


@given(
    sections=st.integers(1, 60),
    start=st.dates(date(2026, 2, 20), date(2031, 12, 31)),
    day=st.sampled_from(_DAYS),
    at=st.times().map(lambda each: each.replace(second=0, microsecond=0)),
    zone=st.sampled_from(_ZONES),
    days=st.integers(-5, 400),
    every=st.sampled_from(["", " every other week"]),
)
def test_every_date_is_that_time_on_the_clock_of_its_zone(
    *, sections: int, start: date, day: str, at: time, zone: str, days: int, every: str
) -> None:
    kept = _kept(f"{sections} weeks{every} from {start.isoformat()}, {day} {at:%H:%M} {zone}")
    moved, skipping = kept.shifted(days, _NOW), kept.skipping(_NOW)
    for schedule, by in ((kept, 0), (moved, days), (skipping, 7 * kept.weeks)):
        for section, before in zip(schedule.sections, kept.sections, strict=True):
            assert section.day == before.day + timedelta(days=by)
            due = schedule.due(section)
            local = due.astimezone(ZoneInfo(zone))
            wanted = datetime.combine(section.day, at)
            skipped = local.replace(tzinfo=None) - wanted
            assert timedelta(0) <= skipped <= _GAP
            # What a zone's own clock shows is wanted; where it does not, the clock was put on there.
            assert not skipped or local.utcoffset() != (due - _GAP - skipped).astimezone(ZoneInfo(zone)).utcoffset()
        dues = [schedule.due(section) for section in schedule.sections]
        assert all(one < other for one, other in pairwise(dues))
