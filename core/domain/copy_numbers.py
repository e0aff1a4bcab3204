"""Reads and writes what the devices of members count: pages, Kindle locations, and the time of an audiobook."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from core.catalogue.sentences import say, say_count

_MINUTES: Final = 60

NUMBER: Final = r"(?:\d{1,3}(?:[,.]\d{3})+|\d{1,6})(?!\d|:\d)"
_HOURS: Final = r"\d{1,3}(?:[.,]\d{1,2})? ?(?:h|hrs?|hours?)(?![a-z])"
_OF_AN_HOUR: Final = r",? ?(?:and )?\d\d?(?!\d) ?(?:m|mins?|minutes?)?"
_SECONDS: Final = r",? ?\d\d? ?s(?:ec(?:ond)?s?)?"
TIME: Final = (
    rf"(?:\d{{1,3}}:\d\d(?::\d\d)?|{_HOURS}(?:{_OF_AN_HOUR})?(?:{_SECONDS})?"
    r"|\d{1,4} ?(?:m|mins?|minutes?))(?!\w|:\d)"
)
_LOCATION_WORD: Final = r"(?:(?:kindle )?loc(?:ation)?s?\.?:? ?#?)"
LOCATION: Final = (
    rf"(?:{_LOCATION_WORD}{NUMBER}|{NUMBER} ?(?:kindle )?loc(?:ation)?s?|kindle {NUMBER}(?! ?p)|{NUMBER} kindle)"
)
PAGE: Final = rf"(?:(?:page |pg?\.? ?)?{NUMBER})"

_IS_LOCATION: Final = re.compile(LOCATION)
_IS_TIME: Final = re.compile(TIME)


class Unit(StrEnum):
    """What the numbers of a copy count. Minutes are counted from the beginning of an audiobook."""

    PAGES = "pages"
    LOCATIONS = "locations"
    MINUTES = "minutes"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceInCopy:
    """A number in the unit of a copy."""

    unit: Unit
    number: int


def read_place(text: str) -> PlaceInCopy:
    """Read what `PAGE`, `LOCATION` or `TIME` matches: `81`, `p. 81`, `loc 812`, `1h10`."""
    text = text.casefold()
    if _IS_TIME.fullmatch(text):
        return PlaceInCopy(unit=Unit.MINUTES, number=_minutes(text))
    number = int(re.sub(r"\D", "", text))
    return PlaceInCopy(unit=Unit.LOCATIONS if _IS_LOCATION.fullmatch(text) else Unit.PAGES, number=number)


def place_in_words(unit: Unit, number: int) -> str:
    """Write a place in a copy: `p. 81`, `loc 812`, `1h10`."""
    if unit is Unit.PAGES:
        return say("p. {page}", page=number)
    return say("loc {number}", number=number) if unit is Unit.LOCATIONS else _time(number)


def length_in_words(unit: Unit, number: int) -> str:
    """Write how long a copy is: `312 pages`, `5200 locations`, `9h30`."""
    if unit is Unit.PAGES:
        return say_count("{number} page", "{number} pages", number)
    return say_count("{number} location", "{number} locations", number) if unit is Unit.LOCATIONS else _time(number)


def _time(minutes: int) -> str:
    return f"{minutes // _MINUTES}h{minutes % _MINUTES:02}"


def _minutes(text: str) -> int:
    """Return a time in whole minutes, rounded down."""
    if ":" in text:
        hours, minutes, *_ = text.split(":")
        return int(hours) * _MINUTES + int(minutes)
    said = re.findall(r"(\d+(?:[.,]\d+)?) ?([hms]?)", text)
    each = {"h": _MINUTES, "s": 0}
    return int(sum(Fraction(amount.replace(",", ".")) * each.get(unit, 1) for amount, unit in said))
