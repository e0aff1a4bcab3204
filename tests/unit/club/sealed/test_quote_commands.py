"""Lines that members choose: posted where they are read, and kept without a word of them where they are not."""

import pytest

from adapters.persistence.club_life_tables import SealedItemRow
from core.club.commands.values import CommandResponse
from core.domain.conversation import Author
from core.domain.errors import PositionError, ThusfarError
from tests.builders import ADA, BO, a_book_text
from tests.fakes.clock import FrozenClock
from tests.unit.club_house import House

_PAGES = (
    "The ferry would not sail on that day of the storm, said the pilot. So Fenn went home by the long wall.",
    "The ledger lay on the table all day, and nobody touched the ledger at all. Then Ada laughed aloud.",
    "At last Quill said that he had drowned the pilot for the sake of the ledger, and the magistrate wept.",
    "The wall stands there still.",
)
_NOT_READ = "I don't find these words in the pages you've read. If they come later, the quote opens there."
_AHEAD = "drowned the pilot for the sake of the ledger"


async def _house(position: int | None = 2, *, clock: FrozenClock | None = None) -> House:
    house = House(clock=clock)
    await house.reading(position=position, book=await house.add_book(a_book_text(_PAGES)))
    return house


def _words(response: CommandResponse) -> str:
    return response.text + response.announcement


async def test_a_read_line_is_posted_as_the_book_has_it() -> None:
    house = await _house()
    shown = await house.use("quote", "nobody touched the leger at all")
    assert shown.announcement == "> nobody touched the ledger at all (p. 2)\nchosen by Ada"
    assert shown.text == ""
    assert (await house.use("quotes", by=BO)).text == shown.announcement


async def test_a_line_ahead_waits_until_the_thread_gets_there_and_not_a_word_of_it_is_told() -> None:
    house = await _house()
    kept = await house.use("quote", "drowned the pilt for the sake of the ledger")
    assert (kept.announcement, kept.text) == ("", _NOT_READ)
    assert "drowned" not in _words(await house.use("quotes", by=BO))
    moved = await house.moved("3")
    assert moved.announcement.endswith("You can open a quote here now. `/predictions` and `/quotes` keep them.")
    assert "drowned" not in _words(moved)
    choice = moved.choices[-1]
    assert choice.label == "Ada's quote"
    assert (await house.press(choice, by=BO)).announcement == f"> {_AHEAD} (p. 3)\nchosen by Ada"
    assert "You can open" not in (await house.use("setpage", "3")).announcement


async def test_words_of_a_later_page_and_words_that_are_nowhere_look_alike_everywhere(row_clock: FrozenClock) -> None:
    later, nowhere = await _house(clock=row_clock), await _house(clock=row_clock)
    for house, words in ((later, _AHEAD), (nowhere, "sold seven silent sailors to nobody")):
        assert (await house.use("quote", words)).text == _NOT_READ
        assert await house.use("quote", words) == await house.use(".quote-this", words)
    shown = [
        [await house.use(words, organiser=True) for words in ("quotes", "statistics", "progress", "predictions")]
        for house in (later, nowhere)
    ]
    assert shown[0] == shown[1]
    exported = [(await house.use("export", organiser=True)).files for house in (later, nowhere)]
    assert exported[0] == exported[1]
    kept = [await each.rows(SealedItemRow) for each in (later, nowhere)]
    assert [(each.text, each.opens_at) for each in kept[0]] == [(_AHEAD, 3)]
    assert [each.opens_at for each in kept[1]] == [5]
    moved = [await house.moved("end") for house in (later, nowhere)]
    assert ["quote" in each.announcement.split("opens")[-1] for each in moved] == [True, False]


async def test_its_button_looks_at_the_page_anew() -> None:
    house = await _house()
    await house.use("quote", _AHEAD)
    moved = await house.moved("3")
    await house.press(moved.choices[0])
    with pytest.raises(ThusfarError, match="hasn't reached that quote"):
        await house.press(moved.choices[-1])
    with pytest.raises(ThusfarError, match="hasn't reached that quote"):
        await house.use(".quote", "99")


async def test_a_member_who_is_further_sees_it_alone() -> None:
    house = await _house()
    await house.use("quote", _AHEAD)
    await house.use("mypage", "3", by=BO)
    assert "drowned" in (await house.use("quotes", by=BO)).text
    assert "drowned" not in (await house.use("quotes", by=ADA)).text


async def _of_message(house: House, said: str, *, by: Author = ADA) -> CommandResponse:
    return await house.use(".quote-this", said, by=by)


async def test_of_a_line_ahead_nobody_is_told_that_there_is_one() -> None:
    house = await _house()
    none = await _of_message(house, "What will be on the last pages, I wonder, and will anybody weep?")
    ahead = await _of_message(house, f"I bet that {_AHEAD}!", by=BO)
    assert (ahead, none.announcement, none.text) == (none, "", _NOT_READ)
    for said in ("word " * 70, f"{_AHEAD} {'word ' * 70}"):
        with pytest.raises(PositionError, match="at most 60 words"):
            await _of_message(house, said)
    assert "quote" not in (await house.use("statistics", organiser=True)).text
    moved = await house.moved("3")
    assert (await house.press(moved.choices[-1])).announcement == f"> {_AHEAD} (p. 3)\nchosen by Bo"


async def test_the_read_line_is_taken_where_a_longer_one_lies_ahead() -> None:
    house = await _house()
    both = f"“nobody touched the ledger at all” and “At last Quill said that he had {_AHEAD}”"
    assert (await _of_message(house, both)).announcement.startswith("> nobody touched the ledger at all (p. 2)")


async def test_nothing_is_found_in_a_message_before_a_page_is_set_or_a_page_is_read() -> None:
    with pytest.raises(PositionError, match="How far"):
        await _of_message(await _house(None), "nobody touched the ledger at all")
    assert (await _of_message(await _house(0), "nobody touched the ledger at all")).text == _NOT_READ
