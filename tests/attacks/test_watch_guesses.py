"""Guessing tells nobody anything: the watch reacts the same to any guess, at any page.

Sampled: at each pair of pages every sixth leak, others at the next pair.
"""

from dataclasses import replace
from functools import cache

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import BookText, Page
from core.guard.guard import SpoilerGuard
from tests.attacks.labels import SAMPLE, labelled
from tests.unit.club_house import House
from tests.unit.watched import WatchedClub

_ELSEWHERE = "The Alderman had done it, and Mr. Clegg wept, and Denis sailed for Canada with Miss Tasker's umbrella. "


async def _club(text: BookText, *, page: int, own_page: int | None) -> WatchedClub:
    house = House()
    club = WatchedClub(house, SpoilerGuard(books=house.books))
    await club.open(page=page, own_page=own_page, book=await house.add_book(text))
    return club


@pytest.mark.parametrize(("page", "own_page"), [(10, 9), (45, 45), (70, None)])
async def test_a_member_who_is_no_further_is_met_with_silence_whatever_they_post(
    page: int, own_page: int | None
) -> None:
    club, leaks = await _club(_sample(), page=page, own_page=own_page), labelled(SAMPLE).leaks[page % 6 :: 6]
    posts = [text for leak in leaks for text in (leak.text, leak.evidence, f"I bet: {leak.text}")]
    assert len(posts) > 35
    for post in posts:
        assert await club.says(post) is None
    assert await club.nudged() == []


@pytest.mark.parametrize(("page", "own_page"), [(20, 30), (10, 60)])
async def test_the_same_guess_is_met_alike_whether_it_will_prove_right_or_wrong(page: int, own_page: int) -> None:
    right = await _club(_sample(), page=page, own_page=own_page)
    wrong = await _club(_otherwise_after(own_page), page=page, own_page=own_page)
    guesses = [leak.text for leak in labelled(SAMPLE).leaks if leak.page > own_page][::3]
    assert len(guesses) > 7
    for guess in guesses:
        met = []
        for club in (right, wrong):
            met.append(await club.says(f"I bet this: {guess}"))
            club.next_day()
        assert met[0] == met[1], guess


@cache
def _sample() -> BookText:
    path = labelled(SAMPLE).file
    return reader_for(path).read(path, title="Short Weight", author="Thusfar contributors")


def _otherwise_after(page: int) -> BookText:
    """Return the sample as if its riddle were solved in another way behind a page."""
    text = _sample()
    pages = tuple(
        one if one.number <= page else Page(number=one.number, text=_ELSEWHERE * 10, start_offset=one.start_offset)
        for one in text.pages
    )
    return replace(text, pages=pages, chapters=())
