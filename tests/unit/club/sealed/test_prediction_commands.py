"""Predictions: sealed, told by nobody, opened by the page, voted on by the club."""

import pytest

from core.domain.book import Chapter
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import ASK_POSITION
from tests.builders import BO, a_book_text
from tests.unit.club_house import House


async def _house(position: int | None = 2) -> House:
    house = House()
    await house.reading(position=position)
    return house


async def test_one_is_sealed_and_its_words_are_for_its_member_alone() -> None:
    house = await _house()
    sealed = await house.use("predict", "The pilot did it until p. 4")
    assert sealed.announcement == "🔒 Ada sealed a prediction at p. 2."
    assert sealed.text.startswith("Sealed until p. 4: “The pilot did it”\n")
    listed = await house.use("predictions", by=BO)
    assert listed.text == "🔒 Ada, at p. 2: sealed"
    assert listed.choices == ()


@pytest.mark.parametrize(
    ("said", "words", "opens"),
    [
        ("The pilot did it.", "The pilot did it.", "the end"),
        ("The pilot did it until the end", "The pilot did it", "the end"),
        ("They will not talk until the storm is over", "They will not talk until the storm is over", "the end"),
        ("The pilot did it, until 5.", "The pilot did it", "5"),
    ],
)
async def test_until_names_a_place_or_is_a_word_of_it(said: str, words: str, opens: str) -> None:
    sealed = await (await _house()).use("predict", said)
    assert sealed.text.startswith(f"Sealed until {opens}: “{words}”\n")


async def test_where_a_chapter_begins_that_nobody_has_read_is_not_told() -> None:
    pages = [f"Page {number}." for number in range(1, 31)]
    chapters = [Chapter(number=1, title="", first_page=1, last_page=9)]
    chapters += [Chapter(number=2, title="", first_page=10, last_page=22)]
    chapters += [Chapter(number=3, title="", first_page=23, last_page=30)]
    house = House()
    await house.reading(position=2, book=await house.add_book(a_book_text(pages, chapters=chapters)))
    told = [await house.use("predict", f"He did it until {place}") for place in ("ch 3", "p. 12", "ch 2 done")]
    listed = (await house.use("predictions")).text
    said = "\n".join([listed, *(each.text + each.announcement for each in told)])
    assert not any(f"{page}" in said for page in (22, 23, 10, 9))
    assert told[0].text.startswith("Sealed until ch 3: “He did it”")
    assert listed.splitlines() == ["🔒 Ada, at p. 2: sealed"] * 3
    await house.moved("22")
    assert (await house.use("predictions")).text.count("open") == 3


async def test_a_page_set_back_closes_it_again() -> None:
    house = await _house()
    await house.use("predict", "The pilot did it until p. 3")
    moved = await house.moved("3")
    opened = await house.press(moved.choices[-1])
    await house.press(moved.choices[0])
    for choice in (moved.choices[-1], opened.choices[0]):
        with pytest.raises(ThusfarError, match="still sealed"):
            await house.press(choice)


async def test_it_can_be_changed_until_the_page_moves_and_by_its_member_alone() -> None:
    house = await _house()
    await house.use("predict", "The pilot did it")
    with pytest.raises(ThusfarError, match="no prediction to change"):
        await house.use("predict", "change The ferry did it", by=BO)
    changed = await house.use("predict", "change The ferry did it until 4")
    assert changed.text == "Changed, and sealed until 4: “The ferry did it”"
    assert changed.announcement == ""
    await house.moved("3")
    with pytest.raises(ThusfarError, match="no prediction to change"):
        await house.use("predict", "change Nobody did it")
    await house.moved("4")
    listed = await house.use("predictions")
    assert "The ferry did it" in (await house.press(listed.choices[0])).announcement


async def test_who_has_read_further_is_marked() -> None:
    house = await _house()
    await house.use("mypage", "5")
    await house.use("predict", "The pilot did it until p. 3")
    opened = await house.press((await house.moved("3")).choices[-1])
    assert opened.announcement.startswith("🔓 Ada (who had read further) at p. 2")


async def test_nothing_is_sealed_before_a_page_is_set() -> None:
    with pytest.raises(PositionError) as refused:
        await (await _house(None)).use("predict", "The pilot did it")
    assert str(refused.value) == ASK_POSITION
    assert (await (await _house(None)).use("predictions")).text.startswith("No one has sealed")
