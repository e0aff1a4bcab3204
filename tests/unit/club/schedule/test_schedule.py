"""Sections are whole, in order, and end where chapters do; a weekly time is the wall clock's through the year."""

from datetime import UTC, date, datetime, time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.club.schedule.schedule_forms import parse_plan, plan_of, plan_text
from core.domain.book import BookOutline, Chapter
from core.domain.errors import PositionError
from core.domain.schedule import Plan, sections_of

_NOW = datetime(2026, 2, 20, 12, 0, tzinfo=UTC)


def test_a_plan_is_read_as_people_write_it() -> None:
    plan = parse_plan("6 weeks from 2 March, Sundays 19:00 Europe/Berlin", now=_NOW)
    assert plan == Plan(sections=6, first_due=date(2026, 3, 8), at=time(19), zone="Europe/Berlin")
    assert [f"{due:%d.%m. %H:%M} {due.utcoffset()}" for due in plan.due()][2:5] == [
        "22.03. 19:00 1:00:00",
        "29.03. 19:00 2:00:00",
        "05.04. 19:00 2:00:00",
    ]


@pytest.mark.parametrize(
    ("text", "first_due", "at", "zone", "weeks"),
    [
        ("4 sections Friday 7pm", date(2026, 2, 27), time(19), "UTC", 1),
        (
            "4 weeks from January 5, mondays at 18.30 america/new_york",
            date(2027, 1, 11),
            time(18, 30),
            "America/New_York",
            1,
        ),
        ("4 weeks from 2 March 2026, Sundays 19:00 berlin", date(2026, 3, 8), time(19), "Europe/Berlin", 1),
        ("4 weeks every other week from 2025-12-30, Tue 8:05 UTC", date(2026, 1, 6), time(8, 5), "UTC", 2),
        ("four weeks from 8.3., Sundays 19:00 in New York", date(2026, 3, 15), time(19), "America/New_York", 1),
        ("4 weeks from 08.03.2026 Sundays 19:00 CET", date(2026, 3, 15), time(19), "CET", 1),
        ("4 weeks from 3/13 Sundays 19:00 GMT", date(2026, 3, 15), time(19), "GMT", 1),
        ("4 weeks from 13/3/2026 Sundays 19:00", date(2026, 3, 15), time(19), "UTC", 1),
        ("4 weeks from 5/5 Sundays 19:00", date(2026, 5, 10), time(19), "UTC", 1),
        ("4 weeks from tomorrow, Sundays 19:00", date(2026, 2, 22), time(19), "UTC", 1),
        ("4 weeks from Today, Fridays 19:00", date(2026, 2, 27), time(19), "UTC", 1),
    ],
)
def test_what_is_left_out_is_today_utc_and_every_week(
    text: str, first_due: date, at: time, zone: str, weeks: int
) -> None:
    plan = parse_plan(text, now=_NOW)
    assert (plan.first_due, plan.at, plan.zone, plan.weeks) == (first_due, at, zone, weeks)
    assert plan_of(plan_text(plan)) == plan


@pytest.mark.parametrize(
    "text",
    ["", "soon", "0 weeks Sunday 19:00", "99 weeks Sunday 19:00", "6 weeks from 40 March, Sundays 19:00",
     "6 weeks from 2 March, Sundays 25:00", "6 weeks from 2 March, Sundays 19:00 Mars/Olympus",
     "6 weeks Sundays 19:00 Louisville", "6 weeks from 2 March", "some weeks Sundays 19:00",
     "6 weeks from 31.2., Sundays 19:00", "6 weeks from 3.31., Sundays 19:00", "6 weeks from 0/0, Sundays 19:00"],
)  # fmt: skip
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(PositionError):
        parse_plan(text, now=_NOW)


@pytest.mark.parametrize("zone", ["GMT+2", "utc-5", "Etc/GMT+2", "EST", "HST", "UTC+01:00"])
def test_offsets_and_letters_of_half_a_year_are_asked_for_as_a_city(zone: str) -> None:
    with pytest.raises(PositionError, match="one of its cities"):
        parse_plan(f"6 weeks Sundays 19:00 {zone}", now=_NOW)


@pytest.mark.parametrize("day", ["8/3", "03/08/2026", "8-3-26"])
def test_a_day_in_numbers_that_may_be_two_is_asked_for(day: str) -> None:
    with pytest.raises(PositionError, match="name the month"):
        parse_plan(f"6 weeks from {day}, Sundays 19:00", now=_NOW)


@given(
    pages=st.integers(1, 300),
    ends=st.sets(st.integers(1, 300), max_size=40),
    count=st.integers(1, 60),
)
def test_sections_hold_each_page_once_in_order(pages: int, ends: set[int], count: int) -> None:
    bounds = [0, *sorted(end for end in ends if end < pages), pages]
    chapters = tuple(
        Chapter(number=number, title="", first_page=before + 1, last_page=last)
        for number, (before, last) in enumerate(pairwise(bounds), start=1)
    )
    found = sections_of(BookOutline(pages=pages, chapters=chapters), count)
    held = [page for each in found for page in range(each.first_page, each.last_page + 1)]
    assert held == list(range(1, pages + 1))
    assert len(found) == min(count, pages)


def test_sections_end_where_chapters_do_within_the_story() -> None:
    chapters = tuple(Chapter(number=n, title="", first_page=10 * n + 1, last_page=10 * n + 10) for n in range(1, 10))
    outline = BookOutline(pages=120, chapters=chapters, first_story_page=11, last_story_page=100)
    assert [(each.first_page, each.last_page) for each in sections_of(outline, 4)] == [
        (11, 30), (31, 50), (51, 80), (81, 100)
    ]  # fmt: skip
