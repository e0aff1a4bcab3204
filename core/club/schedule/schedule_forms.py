"""Parses the schedule that an organiser types: `6 weeks from 2 March, Sundays 19:00 Europe/Berlin`."""

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
_RELATIVE_DAYS: Final = {"today": 0, "tomorrow": 1}
_NUMERIC_DAY: Final = re.compile(r"(?P<one>\d{1,2})(?P<between>[/.-])(?P<other>\d{1,2})(?:[/.-](?P<year>\d{4}|\d\d)?)?")
_MONTHS: Final = 12
_PLAN: Final = re.compile(
    rf"(?P<sections>\d+|[a-z]+)\s+(?:weeks?|sections?)(?P<other>\s+every\s+(?:other|second|2)\s+weeks?)?"
    rf"(?:\s+(?:from|starting)\s+(?P<start>.+?))?,?\s+(?:on\s+|every\s+)?(?P<day>{_DAY})s?,?"
    r"\s+(?:at\s+)?(?P<time>\d{1,2}(?:[:.]\d\d)?\s*(?:am|pm)?)(?:,?\s+(?:in\s+)?(?P<zone>\S.*))?",
    re.IGNORECASE,
)


def parse_plan(text: str, *, now: datetime) -> Plan:
    """Parse a plan. Defaults: a day without a year is the next such day, the start is today, the zone is UTC.

    Raises:
        PositionError: the text is not a plan; the message shows the form, or says what is wrong.
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
    """Return a plan as the text of a button."""
    parts = (plan.sections, plan.first_due.isoformat(), plan.at.isoformat("minutes"), plan.zone, plan.weeks)
    return SEPARATOR.join(map(str, parts))


def plan_of(text: str) -> Plan:
    """Return the plan from the text of a button."""
    sections, first_due, at, zone, weeks = text.split(SEPARATOR)
    return Plan(
        sections=int(sections),
        first_due=date.fromisoformat(first_due),
        at=time.fromisoformat(at),
        zone=zone,
        weeks=int(weeks),
    )


def _zone(typed: str) -> str | None:
    """Return the zone by its name or by its city; None if there is none, or more than one.

    Offsets are refused: zones with such names have the opposite sign (Etc/GMT+2 is behind UTC).
    So are abbreviations such as EST, which are right for only half of the year.
    """
    name = "_".join(typed.casefold().split())
    if _OFFSET.fullmatch(name):
        return None
    if (known := _zones().get(name)) is not None:
        return None if _is_seasonal(known) else known
    by_city = [zone for key, zone in _zones().items() if key.endswith(f"/{name}")]
    return by_city[0] if len(by_city) == 1 else None


def _is_seasonal(zone: str) -> bool:
    """Whether a zone is named by an abbreviation that elsewhere is used in winter or summer only."""
    halves = [datetime(2024, month, 1, tzinfo=ZoneInfo(zone)) for month in (1, 7)]
    return all(each.tzname() == zone and each.utcoffset() for each in halves)


@cache
def _zones() -> dict[str, str]:
    """Return the names of all zones, keyed in lower case; cached, since listing them is slow."""
    return {name.casefold(): name for name in available_timezones()}


def _date(text: str, today: date) -> date:
    """Parse a day as people write it; a past day without a year is next year's.

    The parser fills in missing parts from a default, so two different defaults show which parts were typed. In numbers
    with dots the day comes first; with other separators, a day that could be the month is refused.
    """
    if text.casefold() in _RELATIVE_DAYS:
        return today + timedelta(days=_RELATIVE_DAYS[text.casefold()])
    text = _day_first(text)
    found = _moment(text, datetime(today.year, 1, 1), refusal=_NO_DAY)  # noqa: DTZ001 (a calendar day)
    other = _moment(text, datetime(today.year - 1, 3, 2), refusal=_NO_DAY)  # noqa: DTZ001 (a calendar day)
    if (found.month, found.day) != (other.month, other.day):
        raise PositionError(say(_NO_DAY, form=say(FORM)))
    if found.year == other.year or found.date() >= today:
        return found.date()
    return _moment(text, datetime(today.year + 1, 1, 1), refusal=_NO_DAY).date()  # noqa: DTZ001 (a calendar day)


def _day_first(text: str) -> str:
    """Return a day in numbers as day, month and year; any other text unchanged.

    Raises:
        PositionError: either number could be the month, or neither.
    """
    found = _NUMERIC_DAY.fullmatch(text)
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
    return _moment(text.replace(".", ":"), datetime(2000, 1, 1), refusal=_NO_TIME).time()  # noqa: DTZ001 (local time)


def _moment(text: str, default: datetime, *, refusal: str) -> datetime:
    """Parse a date or time; parts that are missing come from the default.

    Raises:
        PositionError: the text is not a date or time.
    """
    from dateutil.parser import ParserError, parse  # noqa: PLC0415 (takes 30 ms, so only when needed)

    try:
        found: datetime = parse(text, default=default)
    except (ParserError, OverflowError, ValueError):
        raise PositionError(say(refusal, form=say(FORM))) from None
    return found
