"""What members type of a copy on a device."""

from fractions import Fraction

import pytest

from core.domain.copy_numbers import Unit
from core.domain.errors import PositionError
from core.domain.position_requests import PercentRequest, PlaceInCopyRequest
from core.understanding.position_forms import parse_position

LOCATION, MINUTES = Unit.LOCATIONS, Unit.MINUTES


@pytest.mark.parametrize(
    ("texts", "unit", "number", "of"),
    [
        ("loc 1234; location 1234; Loc. 1,234; I'm at loc 1234; kindle loc 1234; 1234 locations", LOCATION, 1234, None),
        ("Kindle location 1234 of 5000; loc 1234/5000; loc 1234 of 5,000 locations", LOCATION, 1234, 5000),
        ("1h 23m; 1h23; 1 hour and 23 minutes; 1:23:59; 83 min; I'm 1h23 in; 1 h 23 min", MINUTES, 83, None),
        ("1h 23m 12s; 83 minutes into the audiobook; at 1h23m on Audible", MINUTES, 83, None),
        ("two hours in; at the 2 hour mark; hour 2; two hours into it", MINUTES, 120, None),
        ("3h12m of 9h; 3:12:10 of 9:00:00; 3h12 / 9h; 3 hours 12 of 540 min", MINUTES, 192, 540),
    ],
)
def test_a_place_in_a_copy_is_read(texts: str, unit: Unit, number: int, of: int | None) -> None:
    request = PlaceInCopyRequest(unit=unit, number=number, of=of)
    assert {text: parse_position(text) for text in texts.split("; ")} == dict.fromkeys(texts.split("; "), request)


@pytest.mark.parametrize(
    "text", ["2 hours left", "2h left", "I have 2 hours to go", "120 min remaining in the audiobook"]
)
def test_so_much_may_be_left(text: str) -> None:
    assert parse_position(text) == PlaceInCopyRequest(unit=MINUTES, number=120, is_left=True)


@pytest.mark.parametrize(
    ("text", "next_step"),
    [
        ("CD 3 track 5", "like `3h12`"),
        ("epubcfi(/6/14!/4/2/10)", "`45%`, `loc 1234`"),
        ("DNF", "how far you read"),
        ("12-15", "`120`"),
        ("pp. 12–15", "`120`"),
        ("0.457", "`45%`"),
    ],
)
def test_what_names_no_place_is_refused_with_the_next_step(text: str, next_step: str) -> None:
    with pytest.raises(PositionError) as refused:
        parse_position(text)
    assert next_step in str(refused.value)


@pytest.mark.parametrize(
    "text", ["in 2 hours", "12 min left in chapter", "loc", "loc 12 of 9h", "1h of loc 5", "10:75x"]
)
def test_what_resembles_a_place_in_a_copy_is_none(text: str) -> None:
    with pytest.raises(PositionError):
        parse_position(text)


@pytest.mark.parametrize("text", ["Kindle 45%", "my kindle says 45%", "45% on my Kindle", "StoryGraph: 45%"])
def test_the_app_that_shows_a_share_may_be_named(text: str) -> None:
    assert parse_position(text) == PercentRequest(percent=Fraction(45))
