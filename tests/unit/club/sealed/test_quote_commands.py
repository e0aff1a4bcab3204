"""Lines that members choose: posted where they are read, and kept without a word of them where they are not."""

import pytest

from adapters.persistence.club_life_tables import SealedItemRow
from core.club.commands.values import CommandResponse
from core.domain.conversation import Author
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import ASK_POSITION
from core.domain.thread import Thread
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


async def test_a_read_line_is_found_where_a_better_one_comes_later() -> None:
    house = House()
    pages = ("The ledger lay on that table all day.", "So.", "The ledger lay on the table all day.")
    await house.reading(position=1, book=await house.add_book(a_book_text(pages)))
    shown = await house.use("quote", "the ledger lay on the table all day")
    assert shown.announcement.startswith("> The ledger lay on that table all day (p. 1)")


async def test_so_many_quotes_wait_whether_they_come_or_not() -> None:
    house = await _house()
    for number in range(20):
        await house.use("quote", f"these are words number {number} of mine")
    for words in (_AHEAD, "and these words are nowhere at all"):
        with pytest.raises(ThusfarError, match="20 quotes waiting"):
            await house.use("quote", words)
    assert (await house.use("quote", _AHEAD, by=BO)).text == _NOT_READ


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


@pytest.mark.parametrize(
    ("words", "why"), [("zebra", "few more words"), ("drowned", "few more words"), ("a " * 61, "60 words")]
)
async def test_what_can_be_no_quote_is_refused(words: str, why: str) -> None:
    with pytest.raises(PositionError, match=why):
        await (await _house()).use("quote", words)


async def test_nothing_is_quoted_before_a_page_is_set() -> None:
    with pytest.raises(PositionError) as refused:
        await (await _house(None)).use("quote", "nobody touched the ledger at all")
    assert str(refused.value) == ASK_POSITION
    assert (await (await _house(None)).use("quotes")).text.startswith("No one has chosen a line")


async def test_a_long_line_is_whole() -> None:
    words = " ".join(f"word{number}" for number in range(80))
    house = House()
    await house.reading(position=1, book=await house.add_book(a_book_text((words,))))
    chosen = " ".join(words.split()[10:65])
    assert (await house.use("quote", chosen)).announcement.startswith(f"> {chosen} (p. 1)")


@pytest.mark.parametrize("scope", ["local", "discord:dm:7"])
async def test_who_reads_alone_is_called_you(scope: str) -> None:
    house, alone = House(), Thread(scope=scope, place="books", thread="t1")
    book = await house.add_book(a_book_text(_PAGES), scope=scope)
    await house.reading(alone, position=2, book=book)
    shown = await house.use("quote", "nobody touched the ledger at all", thread=alone)
    assert shown.announcement.endswith("\nchosen by you")
    await house.use("quote", _AHEAD, thread=alone)
    moved = await house.use("setpage", "3", thread=alone)
    moved = await house.press(moved.choices[0], thread=alone) if moved.choices[0].confirms else moved
    assert moved.choices[-1].label == "Your quote"


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


async def test_a_line_that_is_chosen_twice_is_kept_once() -> None:
    house = await _house()
    first, second = [await _of_message(house, "nobody touched the ledger at all") for _ in range(2)]
    assert first == second
    await _of_message(house, "nobody touched the ledger at all", by=BO)
    assert (await house.use("quotes")).text.count("nobody touched") == 2


async def test_of_a_long_message_so_many_words_are_quoted_as_a_quote_has() -> None:
    sentences = [" ".join(f"word{number}" for number in range(at, at + 25)) + "." for at in range(0, 100, 25)]
    house = House()
    await house.reading(position=1, book=await house.add_book(a_book_text((" ".join(sentences),))))
    shown = await _of_message(house, " ".join(sentences))
    assert shown.announcement.startswith(f"> {sentences[0]} {sentences[1]} (p. 1)")
    endless = " ".join(f"word{number}" for number in range(100))
    house = House()
    await house.reading(position=1, book=await house.add_book(a_book_text((endless,))))
    assert "word59 (p. 1)" in (await _of_message(house, endless)).announcement


async def test_nothing_is_found_in_a_message_before_a_page_is_set_or_a_page_is_read() -> None:
    with pytest.raises(PositionError, match="How far"):
        await _of_message(await _house(None), "nobody touched the ledger at all")
    assert (await _of_message(await _house(0), "nobody touched the ledger at all")).text == _NOT_READ
