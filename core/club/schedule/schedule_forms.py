"""Reads what an organiser types of a schedule: `6 weeks from 2 March, Sundays 19:00 Europe/Berlin`."""

import re
from calendar import month_abbr
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from core.catalogue.sentences import say, sentence
from core.club.commands.values import SEPARATOR
from core.domain.errors import PositionError
from core.domain.numbers import read_number
from core.domain.schedule import Plan

FORM: Final = sentence("Try `/schedule make 6 weeks from 2 March, Sundays 19:00 Europe/Berlin`.")
_NO_DAY: Final = sentence("I don't know that day. {form}")
_NO_TIME: Final = sentence("I don't know that time. {form}")
_MOST_SECTIONS: Final = 60
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY: Final = "|".join(f"{day[:3]}(?:{day[3:]})?" for day in _DAYS)
_OFFSET: Final = re.compile(r"(?:etc/)?(?:gmt|utc)[+-]?\d.*")
_NEARBY: Final = {"today": 0, "tomorrow": 1}
_IN_NUMBERS: Final = re.compile(r"(?P<one>\d{1,2})(?P<between>[/.-])(?P<other>\d{1,2})(?:[/.-](?P<year>\d{4}|\d\d)?)?")
_MONTHS: Final = 12
_PLAN: Final = re.compile(
    rf"(?P<sections>\d+|[a-z]+)\s+(?:weeks?|sections?)(?P<other>\s+every\s+(?:other|second|2)\s+weeks?)?"
    rf"(?:\s+(?:from|starting)\s+(?P<start>.+?))?,?\s+(?:on\s+|every\s+)?(?P<day>{_DAY})s?,?"
    r"\s+(?:at\s+)?(?P<time>\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm)?)(?:,?\s+(?:in\s+)?(?P<zone>\S.*))?",
    re.IGNORECASE,
)


def parse_plan(text: str, *, now: datetime) -> Plan:
    """Read a plan; a day without a year is the next one, no start is today, no zone is UTC.

    Raises:
        PositionError: it is none; the sentence shows the form, or says what is wrong.
    """
    found = _PLAN.fullmatch(" ".join(text.split()))
    if found is None:
        raise PositionError(say(FORM))
    sections = read_number(found["sections"])
    if sections is None:
        raise PositionError(say(FORM))
    if not 1 <= sections <= _MOST_SECTIONS:
        raise PositionError(say("A schedule has 1 to {most} sections.", most=_MOST_SECTIONS))
    zone = _zone(found["zone"] or "UTC")
    if zone is None:
        raise PositionError(
            say("I don't know that time zone. Name one of its cities, such as `Berlin`, `Europe/Berlin` or `New York`.")
        )
    today = now.astimezone(ZoneInfo(zone)).date()
    start = today if found["start"] is None else _date(found["start"], today)
    weekday = next(number for number, day in enumerate(_DAYS) if day.startswith(found["day"][:3].casefold()))
    return Plan(
        sections=sections,
        first_due=start + timedelta(days=(weekday - start.weekday() - 1) % 7 + 1),
        at=_time(found["time"]),
        zone=zone,
        weeks=2 if found["other"] else 1,
    )


def plan_text(plan: Plan) -> str:
    """Return a plan as a button holds it."""
    parts = (plan.sections, plan.first_due.isoformat(), plan.at.isoformat("minutes"), plan.zone, plan.weeks)
    return SEPARATOR.join(map(str, parts))


def plan_of(text: str) -> Plan:
    """Return the plan that a button holds."""
    sections, first_due, at, zone, weeks = text.split(SEPARATOR)
    return Plan(
        sections=int(sections),
        first_due=date.fromisoformat(first_due),
        at=time.fromisoformat(at),
        zone=zone,
        weeks=int(weeks),
    )


def _zone(typed: str) -> str | None:
    """Return the zone of a name, or of the one city that it ends in; None where there is none, or more than one.

    Of offsets there is none: the zones that are called so have the sign the other way round (Etc/GMT+2 is behind UTC).
    Nor of letters such as EST, which stand for one half of the year alone.
    """
    name = "_".join(typed.casefold().split())
    if _OFFSET.fullmatch(name):
        return None
    if (known := _zones().get(name)) is not None:
        return None if _is_of_half_a_year(known) else known
    in_city = [zone for key, zone in _zones().items() if key.endswith(f"/{name}")]
    return in_city[0] if len(in_city) == 1 else None


def _is_of_half_a_year(zone: str) -> bool:
    """Whether a zone is named by the letters of a time that others keep in one half of the year, and itself always."""
    halves = [datetime(2024, month, 1, tzinfo=ZoneInfo(zone)) for month in (1, 7)]
    return all(each.tzname() == zone and each.utcoffset() for each in halves)


@cache
def _zones() -> dict[str, str]:
    """Return the names of all zones by how they may be typed; looking for them takes a while."""
    return {name.casefold(): name for name in available_timezones()}


def _date(text: str, today: date) -> date:
    """Return a day as people write it; one that is past and has no year is that of the next year.

    What is not named comes from the default: named is what two defaults do not change. In numbers alone the day comes
    first where points stand between them; else it is asked for where both may be the month.
    """
    if text.casefold() in _NEARBY:
        return today + timedelta(days=_NEARBY[text.casefold()])
    text = _day_first(text)
    found = _moment(text, datetime(today.year, 1, 1), refusal=_NO_DAY)  # noqa: DTZ001 (a day of a calendar)
    other = _moment(text, datetime(today.year - 1, 3, 2), refusal=_NO_DAY)  # noqa: DTZ001 (a day of a calendar)
    if (found.month, found.day) != (other.month, other.day):
        raise PositionError(say(_NO_DAY, form=say(FORM)))
    if found.year == other.year or found.date() >= today:
        return found.date()
    return _moment(text, datetime(today.year + 1, 1, 1), refusal=_NO_DAY).date()  # noqa: DTZ001 (a day of a calendar)


def _day_first(text: str) -> str:
    """Return a day in numbers as day, month and year; any other text as it is.

    Raises:
        PositionError: either number may be the month, or neither.
    """
    found = _IN_NUMBERS.fullmatch(text)
    if found is None:
        return text
    one, other = int(found["one"]), int(found["other"])
    if found["between"] != "." and one != other and max(one, other) <= _MONTHS:
        raise PositionError(say("Please name the month, as in `8 March`: {day} could be either.", day=text))
    day, month = (one, other) if found["between"] == "." or one > _MONTHS else (other, one)
    if not 1 <= month <= _MONTHS:
        raise PositionError(say(_NO_DAY, form=say(FORM)))
    return " ".join(filter(None, (str(day), month_abbr[month], found["year"])))


def _time(text: str) -> time:
    return _moment(text.replace(".", ":"), datetime(2000, 1, 1), refusal=_NO_TIME).time()  # noqa: DTZ001 (a wall clock's)


def _moment(text: str, default: datetime, *, refusal: str) -> datetime:
    """Return what a text names, the rest from a default.

    Raises:
        PositionError: it names no such thing.
    """
    from dateutil.parser import ParserError, parse  # noqa: PLC0415 (30 ms, which no other start should wait)

    try:
        found: datetime = parse(text, default=default)
    except (ParserError, OverflowError, ValueError):
        raise PositionError(say(refusal, form=say(FORM))) from None
    return found
