"""A series: joined by buttons, read one book at a time, with the books before it open."""

from dataclasses import replace

import pytest

from core.club.commands.values import CommandResponse
from core.domain.book import BookText, Chapter
from core.domain.edition import Edition
from core.domain.errors import PositionError, ThusfarError
from core.domain.passage import readable
from core.library.works import works_of
from tests.builders import ADA, a_book_text
from tests.unit.club_house import CHANNEL, House


def _book(title: str, thing: str, pages: int = 40) -> BookText:
    chapters = tuple(
        Chapter(number=at + 1, title=f"Chapter {at + 1}", first_page=at * 10 + 1, last_page=at * 10 + 10)
        for at in range(pages // 10)
    )
    texts = [f"The {thing} of page {number} lay on the table of the harbour inn." for number in range(1, pages + 1)]
    return a_book_text(texts, title=title, chapters=chapters)


QUAY, PIER = _book("The Quay", "compass"), _book("The Pier", "lantern")


async def _house(reads: str, *, at: str) -> House:
    """Return a house whose club has read one of both books up to a place."""
    house = House()
    for book in (QUAY, PIER):
        await house.add_book(book)
    await house.use("book use", reads, thread=CHANNEL, organiser=True)
    await _set(house, at)
    return house


async def _set(house: House, text: str) -> CommandResponse:
    response = await house.use("setpage", text, thread=CHANNEL)
    yes = next((choice for choice in response.choices if choice.confirms), None)
    return response if yes is None else await house.press(yes, thread=CHANNEL)


async def _join(house: House, other: str, first: str) -> CommandResponse:
    asked = await house.use("book series", other, thread=CHANNEL, organiser=True)
    (choice,) = [each for each in asked.choices if each.label.startswith(first)]
    return await house.press(choice, thread=CHANNEL, organiser=True)


async def test_organisers_are_asked_which_comes_first() -> None:
    house = await _house("The Quay", at="40")
    asked = await house.use("book series", "The Pier", thread=CHANNEL, organiser=True)
    assert [choice.label for choice in asked.choices] == ["The Quay, then The Pier", "The Pier, then The Quay"]
    told = await house.press(asked.choices[0], thread=CHANNEL, organiser=True)
    assert told.announcement.startswith("Ada joined The Quay and The Pier as a series.")
    shown = await house.use("book series", thread=CHANNEL, organiser=True)
    assert shown.text == "This series: 1. The Quay, 2. The Pier."


async def test_the_next_book_is_read_by_its_own_pages() -> None:
    house = await _house("The Quay", at="40")
    await _join(house, "The Pier", "The Quay")
    asked = await house.use("setpage", "12", thread=CHANNEL)
    assert [choice.label for choice in asked.choices] == ["p. 12 of The Pier", "p. 12"]
    told = await house.press(asked.choices[0], thread=CHANNEL)
    assert "from p. 40 to p. 12 of The Pier (30 %)" in told.announcement
    assert await house.page_for_all(CHANNEL) == 52
    for text, page in (("14", 54), ("ch 2 done", 60), ("+3", 63), ("60%", 62), ("end", 80), ("start", 40)):
        await _set(house, text)
        assert await house.page_for_all(CHANNEL) == page, text
    assert (await house.use("where", thread=CHANNEL)).announcement.endswith("The Quay, 40 pages: up to p. 40.")


async def test_a_book_being_read_gets_the_one_before_it_opened() -> None:
    house = await _house("The Pier", at="12")
    await _join(house, "The Quay", "The Quay")
    club = await house.threads.club(CHANNEL)
    assert (club.page_of_all, club.footer(club.page_of_all)) == (52, "up to p. 12")
    span = readable(club.book, club.page_of_all)
    assert [page.text[:20] for page in await house.books.pages(span)][39:41] == [
        "The compass of page ",
        "The lantern of page ",
    ]
    assert (span.first_page, span.last_page) == (1, 52)


async def test_leaving_a_book_leaves_the_one_before_it_open() -> None:
    house = await _house("The Pier", at="12")
    await _join(house, "The Quay", "The Quay")
    await _set(house, "reset")
    assert await house.page_for_all(CHANNEL) == 40
    await _set(house, "book 1 ch 2 done")
    assert await house.page_for_all(CHANNEL) == 20
    await _set(house, "reset")
    assert await house.page_for_all(CHANNEL) is None


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("book 1 ch 3 done", 30),
        ("the quay done", 40),
        ("ch 4 done", 80),
        ("book 2 ch 1 done", 50),
        ("page 7", 47),
        ("p. 5 of The Quay", 5),
        ("book 2 p. 9", 49),
        ("ch 2 done of the quay", 20),
    ],
)
async def test_a_place_is_one_of_the_book_that_is_read(text: str, page: int) -> None:
    house = await _house("The Pier", at="12")
    await _join(house, "The Quay", "The Quay")
    await _set(house, text)
    assert await house.page_for_all(CHANNEL) == page


async def test_what_the_book_does_not_have_is_refused_by_its_own_numbers() -> None:
    house = await _house("The Pier", at="12")
    await _join(house, "The Quay", "The Quay")
    with pytest.raises(PositionError, match="from 1 to 40"):
        await house.use("setpage", "41", thread=CHANNEL)
    with pytest.raises(PositionError, match="chapters 1 to 4"):
        await house.use("setpage", "ch 7 done", thread=CHANNEL)


async def test_the_end_of_each_book_is_told() -> None:
    house = await _house("The Pier", at="12")
    await _join(house, "The Quay", "The Quay")
    assert "the end of the book" not in (await _set(house, "39")).announcement
    assert "the end of the book" in (await _set(house, "40")).announcement


async def test_a_copy_counts_in_its_own_book_alone() -> None:
    house = await _house("The Quay", at="40")
    await house.use("edition", "400", thread=CHANNEL)
    await _join(house, "The Pier", "The Quay")
    await _set(house, "book 2 ch 1 done")
    assert (await house.threads.club(CHANNEL, ADA.member_id)).at(50).own_edition is None
    await house.use("edition", "80", thread=CHANNEL)
    await _set(house, "60")
    club = await house.threads.club(CHANNEL, ADA.member_id)
    assert club.own_edition == Edition(last_page=80, begin=40)
    assert 67 <= (club.page_of_all or 0) <= 70


async def test_an_omnibus_counts_in_the_whole_file_and_ends_with_each_novel() -> None:
    chapters = tuple(
        Chapter(number=at, title=f"Chapter {(at - 1) % 2 + 1}", path=(work,), first_page=at * 5 - 4, last_page=at * 5)
        for at, work in enumerate(("The Quay", "The Quay", "The Pier", "The Pier"), 1)
    )
    text = a_book_text([f"Page {number} of the inn." for number in range(1, 21)], title="Both", chapters=chapters)
    house = House()
    await house.add_book(replace(text, works=works_of(text)))
    await house.use("book use", "Both", thread=CHANNEL, organiser=True)
    assert "p. 10 (50 %). That's the end of the book." in (await _set(house, "end")).announcement
    assert (await house.use("where", thread=CHANNEL)).announcement.endswith("Both, 20 pages: up to p. 10.")
    asked = await house.use("setpage", "ch 1 done", thread=CHANNEL)
    assert [choice.label.rpartition(": ")[2] for choice in asked.choices] == ["p. 15", "p. 5"]
    await _set(house, "14")
    await _set(house, "end")
    assert await house.page_for_all(CHANNEL) == 20


async def test_a_single_book_is_told_from_a_series() -> None:
    house = await _house("The Quay", at="4")
    shown = await house.use("book series", thread=CHANNEL, organiser=True)
    assert shown.text.startswith("The Quay is a single book.")
    for wrong, told in (("The Quay", "You're reading that one"), ("The Mole", "no book 'The Mole'")):
        with pytest.raises(ThusfarError, match=told):
            await house.use("book series", wrong, thread=CHANNEL, organiser=True)


async def test_a_button_of_another_book_joins_nothing() -> None:
    house = await _house("The Quay", at="4")
    asked = await house.use("book series", "The Pier", thread=CHANNEL, organiser=True)
    await house.add_book(replace(QUAY, title="The Mole"))
    await house.use("book use", "The Mole", thread=CHANNEL, organiser=True)
    with pytest.raises(ThusfarError, match="another book now"):
        await house.press(asked.choices[0], thread=CHANNEL, organiser=True)


async def _series_of(first: BookText, then: BookText, *, at: str) -> House:
    """Return a house whose club reads the second of two books up to a place, with the first before it."""
    house = House()
    for book in (first, then):
        await house.add_book(book)
    await house.use("book use", then.title, thread=CHANNEL, organiser=True)
    await _set(house, at)
    await _join(house, first.title, first.title)
    return house


@pytest.mark.parametrize(
    ("text", "page"),
    [("book 1 done", 40), ("book 2 ch 1 done", 50), ("book 1", None), ("the quay done", 40), ("book 2", 40)],
)
async def test_a_book_without_chapters_counts_as_one_of_the_series(text: str, page: int | None) -> None:
    house = await _series_of(replace(QUAY, chapters=()), PIER, at="12")
    await _set(house, text)
    assert (await house.page_for_all(CHANNEL) or None) == page


async def test_a_book_without_chapters_has_none_in_a_series() -> None:
    house = await _series_of(PIER, replace(QUAY, chapters=()), at="20")
    with pytest.raises(PositionError, match=r"This book has no chapters\. Give a page from 1 to 40"):
        await _set(house, "ch 1")
    assert await house.page_for_all(CHANNEL) == 60


FRAMED_QUAY = replace(QUAY, last_story_page=36)
FRAMED_PIER = replace(PIER, first_story_page=5, last_story_page=38)
"""Books with four pages behind their stories, and in front."""


async def test_leaving_a_book_goes_to_the_end_of_the_story_before_it() -> None:
    house = await _series_of(FRAMED_QUAY, FRAMED_PIER, at="12")
    for place in ("book 2 ch 1 done", "book 2"):
        await _set(house, place)
        told = await _set(house, "reset")
        assert await house.page_for_all(CHANNEL) == 36
        assert "to p. 36 of The Quay (100 %)" in told.announcement


async def test_more_pages_and_this_chapter_leave_out_what_stands_between_two_stories() -> None:
    house = await _series_of(FRAMED_QUAY, FRAMED_PIER, at="12")
    await _set(house, "reset")
    await _set(house, "+3")
    assert await house.page_for_all(CHANNEL) == 47
    await _set(house, "start")
    await _set(house, "reset")
    await _set(house, "book 2 ch 1")
    await _set(house, "this chapter done")
    assert await house.page_for_all(CHANNEL) == 50


async def test_the_last_page_is_told_as_it_is_printed() -> None:
    house = await _series_of(QUAY, PIER, at="12")
    for text in ("+60", "120%"):
        with pytest.raises(PositionError, match=r"The last page (of this book )?is p\. 40"):
            await _set(house, text)


async def test_a_chapter_that_begins_before_the_story_counts() -> None:
    named = zip(PIER.chapters, ("Ash", "Birch", "Cedar", "Dogwood"), strict=True)
    untitled = replace(PIER, chapters=tuple(replace(each, title=name) for each, name in named))
    house = await _series_of(QUAY, replace(untitled, first_story_page=5), at="12")
    await _set(house, "ch 2 done")
    assert await house.page_for_all(CHANNEL) == 60


async def test_places_of_two_books_are_offered_with_their_books() -> None:
    house = await _series_of(QUAY, PIER, at="12")
    await _set(house, "reset")
    asked = await house.use("setpage", "ch 4 done", thread=CHANNEL)
    assert [choice.label for choice in asked.choices] == [
        "The Pier, chapter 4 done: p. 40 of The Pier",
        "The Quay, chapter 4 done: p. 40",
    ]
    asked = await house.use("setpage", "end", thread=CHANNEL)
    assert [choice.label for choice in asked.choices] == [
        "The Pier, the whole book: p. 40 of The Pier",
        "The Quay, the whole book: p. 40",
    ]


async def test_a_member_who_is_in_the_next_book_is_told_their_share_of_it() -> None:
    house = await _series_of(QUAY, PIER, at="12")
    await _set(house, "reset")
    await house.use("mypage", "book 2 ch 1 done", thread=CHANNEL)
    told = (await house.use("progress", thread=CHANNEL)).text
    assert "p. 40 of 40 (100 %)" in told
    assert "p. 10 of 40 (25 %)" in told


async def test_the_story_of_a_series_is_that_of_its_books() -> None:
    house = await _series_of(FRAMED_QUAY, FRAMED_PIER, at="12")
    with pytest.raises(ThusfarError, match="before you join them"):
        await house.use("book story", "1 80", thread=CHANNEL, organiser=True)
    shown = await house.use("book story", thread=CHANNEL, organiser=True)
    assert (shown.text.startswith("Story: pp. 1"), shown.choices) == (True, ())


async def test_a_member_ahead_is_told_the_pages_of_the_book_they_are_in() -> None:
    house = await _series_of(QUAY, PIER, at="12")
    await _set(house, "reset")
    await house.use("mypage", "book 2 ch 1 done", thread=CHANNEL)
    told = (await house.use("recap", "last", thread=CHANNEL)).text
    assert "(p. 9)" in told
    assert told.endswith("(up to p. 10)")


async def test_a_chapter_is_told_by_the_number_that_its_book_prints() -> None:
    parts = ("Part I: Out / I: Gate", "Part I: Out / II: Road", "Part II: Home / I: Inn", "Part II: Home / II: Bed")
    chapters = tuple(replace(each, title=title) for each, title in zip(PIER.chapters, parts, strict=True))
    house = await _series_of(QUAY, replace(PIER, chapters=chapters), at="25")
    told = (await house.use("recap", thread=CHANNEL)).text
    assert "**Chapter 2: Road**" in told
    assert "Chapter 6" not in told


async def test_a_member_who_resets_their_page_goes_by_the_threads() -> None:
    house = await _series_of(QUAY, PIER, at="12")
    for place in ("book 2 ch 2 done", "reset"):
        await house.use("mypage", place, thread=CHANNEL)
    club = await house.threads.club(CHANNEL, ADA.member_id)
    assert (club.own_page, club.reached) == (None, 52)
