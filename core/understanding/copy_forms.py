"""What members type of a copy on a device: locations, times and the names of apps (`core.domain.copy_numbers`)."""

import re
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.copy_numbers import LOCATION, NUMBER, TIME, Unit, read_place
from core.domain.errors import PositionError
from core.domain.numbers import read_number
from core.domain.position_requests import EitherRequest, PlaceInCopyRequest, PositionRequest

_MINUTES: Final = 60
_NAMES: Final = (
    r"(?:story ?graph|goodreads|kindle|kobo|nook|audible|libby|hoopla|spotify|fable|bookly|apple books|google play"
    r"|(?:e-?reader|phone|app))"
)
_APP: Final = re.compile(
    rf" \((?:on |in )?(?:my |the )?{_NAMES}\)$| (?:on|in|per) (?:my |the )?{_NAMES}$"
    rf"|^(?:(?:my|the) )?{_NAMES}(?: (?:says|shows|is at))?[: ]+(?=.*[0-9])"
)
_HOURS_IN_WORDS: Final = re.compile(r"(?P<hours>[a-z]+(?:-[a-z]+)?) hours?\b")
_HOUR_MARK: Final = re.compile(r"(?:at )?the (?P<hours>[0-9]+) hours? mark|hour (?P<hour>[0-9]+)")
_AT: Final = r"(?:(?:at|on|up to|reached|got to|listened to|(?:the|my) (?:audio ?book|audible)(?: is)?(?: at)?) )*"
_OF_IT: Final = r"(?:(?:the|my|this) )?(?:audio ?)?(?:book|it|audible|recording)"
_PLACE: Final = re.compile(
    rf"{_AT}(?P<place>{LOCATION}|{TIME})(?:(?: ?/ ?| (?:out )?of )(?:the )?(?P<of>{TIME}|{LOCATION}|{NUMBER}))?"
    rf"(?P<left> (?:left|to go|remaining))?(?: (?:in|into|of|through|done|listened|read)(?: {_OF_IT})?)?"
)
_SHORT_TIME: Final = re.compile(r"\d+:\d\d")
_REFUSED: Final = (
    (
        re.compile(r"(?:cds?|dis[ck]s?|tracks?) ?\d.*"),
        sentence("I can't tell a page from a CD or track. Say the time since the beginning, like `3h12`, or `45%`."),
    ),
    (
        re.compile(r"epubcfi\(.*"),
        sentence("I can't read that kind of bookmark. Say what your device shows, like `45%`, `loc 1234` or `ch 7`."),
    ),
    (
        re.compile(r"dnf|did(?: not|n't) finish(?: it)?|abandoned(?: it)?|gave up(?: on it)?"),
        sentence("Tell me how far you read before you stopped, like `120`, `ch 7 done` or `45%`."),
    ),
)


def without_app(form: str) -> str:
    """Return a form without the name of the app or device that shows it: `51% on StoryGraph`, `120 (Kobo)`."""
    return _APP.sub("", form)


def in_copy(form: str) -> PositionRequest | None:
    """Read a location, or a time of an audiobook; None for another form.

    Raises:
        PositionError: something that a device shows and that is no place; the sentence says what to type instead.
    """
    for pattern, why in _REFUSED:
        if pattern.fullmatch(form):
            raise PositionError(say(why))
    match = _PLACE.fullmatch(_in_digits(form))
    if match is None:
        return None
    place = read_place(match["place"])
    length = read_place(match["of"]) if match["of"] else None
    if length and length.unit is not place.unit and (length.unit, place.unit) != (Unit.PAGES, Unit.LOCATIONS):
        return None
    of, is_left = length.number if length else None, bool(match["left"])
    request = PlaceInCopyRequest(unit=place.unit, number=place.number, of=of, is_left=is_left)
    if of is None and not is_left and _SHORT_TIME.fullmatch(match["place"]):
        # A player shows 45:10 in the first hour: minutes and seconds.
        of_minutes = PlaceInCopyRequest(unit=place.unit, number=place.number // _MINUTES)
        return EitherRequest(readings=(request, of_minutes))
    return request


def _in_digits(form: str) -> str:
    """Return a form with its hours in digits: `two hours in`, `at the 3 hour mark`."""
    if mark := _HOUR_MARK.fullmatch(form):
        return f"{mark['hours'] or mark['hour']}h"
    said = _HOURS_IN_WORDS.search(form)
    number = read_number(said["hours"]) if said else None
    return form if said is None or number is None else f"{form[: said.start()]}{number} hours{form[said.end() :]}"
