"""Who somebody is and who has come up, at the member's own page; what is not read yet is as what never comes."""

import pytest

from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import NOT_MET
from tests.builders import BO, a_book_text
from tests.unit.club_house import House


async def test_somebody_is_shown_to_the_asker_alone_at_their_own_page() -> None:
    house = House()
    await house.reading(position=1)
    await house.use("mypage", "3")
    shown = await house.use("who", "Tobias Fenn")
    assert shown.announcement == ""
    assert shown.text.startswith(
        "**Tobias Fenn** once (p. 2)\n\n> The lighthouse keeper, Tobias Fenn, kept seven clocks."
    )
    assert shown.text.endswith("\n\n(up to p. 3)")
    assert (await house.use("who", "Tobias Fenn", by=BO)).text == f"{NOT_MET}\n\n(up to p. 1)"


@pytest.mark.parametrize("name", ["Tobias Fenn", "Ebenezer Quill", "the magistrate", "the beekeeper", "zzz", "?"])
async def test_not_met_yet_and_never_there_are_the_same_fixed_sentence(name: str) -> None:
    house = House()
    await house.reading(position=1)
    if name == "?":
        with pytest.raises(ThusfarError, match="needs a name"):
            await house.use("who", name)
        return
    response = await house.use("who", name)
    assert (response.text, response.choices) == (f"{NOT_MET}\n\n(up to p. 1)", ())


async def test_a_misspelt_name_is_asked_back_with_read_names_alone() -> None:
    house = House()
    book = await house.add_book(
        a_book_text(["So Lindqvist came, and Lindqvist spoke to Lindqvist.", "Then Lundqvist asked Lundqvist."])
    )
    await house.reading(position=1, book=book)
    response = await house.use("who", "Lindkvist")
    assert response.text.startswith(NOT_MET)
    assert [choice.label for choice in response.choices] == ["Lindqvist?"]
    assert (await house.press(response.choices[0])).text.startswith("**Lindqvist** 3 times (p. 1)")


async def test_the_cast_has_more_behind_a_button_and_nobody_from_unread_pages() -> None:
    house = House()
    letters = "BCDFGHJKLMNPRSTW"
    pages = [f"Then {first}arrow said it, and so {first}arrow went." for first in letters]
    book = await house.add_book(a_book_text(pages))
    await house.reading(position=14, book=book)
    first = await house.use("cast")
    more = await house.press(first.choices[0])
    assert first.announcement == more.announcement == ""
    shown = [line.split("**")[1] for text in (first.text, more.text) for line in text.splitlines() if "**" in line]
    assert shown == [f"{letter}arrow" for letter in letters[:14]]
    assert more.choices == ()


async def test_without_a_page_it_is_asked_for_and_with_none_read_nobody_is_there() -> None:
    house = House()
    await house.reading(position=None)
    with pytest.raises(PositionError, match="How far have you all read"):
        await house.use("cast")
    await house.use("mypage", "0")
    assert (await house.use("cast")).text.startswith("The pages you've read name no one yet.")
    assert (await house.use("who", "Ada")).text.startswith(NOT_MET)


async def test_names_are_offered_from_read_pages_while_one_types() -> None:
    house = House()
    book = await house.add_book(a_book_text(["So Fenn said no, and Ada laughed.", "Then Quill said yes."]))
    await house.reading(position=1, book=book)
    assert [one.text for one in await house.offered("who", "")] == ["Fenn", "Ada"]
    assert [one.text for one in await house.offered("who", "fe")] == ["Fenn"]
    assert await house.offered("who", "Qu") == []


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("who Tobias Fenn", ("who", "Tobias Fenn")),
        ("who is Tobias Fenn?", None),
        ("who killed the pilot", None),
        ("who", ("who", "")),
        ("Who stole it?", None),
        ("cast", ("cast", "")),
        ("cast a light on this", None),
        ("cast I = Jim Hawkins", ("cast", "I = Jim Hawkins")),
    ],
)
def test_said_to_the_bot_it_is_a_command_only_with_a_name(text: str, command: tuple[str, str] | None) -> None:
    assert House().commands.said(text) == command


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("who Ada", "who"),
        ("who ada", "who"),
        ("who is Ada?", "ask"),
        ("who stole it then", "ask"),
        ("recap ch 3", "recap"),
    ],
)
def test_typed_behind_the_bots_own_command_a_question_is_one(line: str, words: str) -> None:
    assert House().commands.typed(line)[0] == words


_TOLD = "“Ada” is **Tobias Fenn**, as an organiser said (p. 3)."


async def test_an_organiser_says_that_one_name_is_another_and_it_shows_from_their_page_on() -> None:
    house = House()
    await house.reading(position=2)
    await house.use("mypage", "3")
    said = await house.use("cast", "Ada = Tobias Fenn", organiser=True)
    assert (said.announcement, said.text.splitlines()[0]) == (
        "",
        (f"{_TOLD} `/who` and `/cast` show that to anyone who has read this far. `/cast Ada =` undoes it."),
    )
    assert (await house.use("who", "ada")).text.startswith(f"{_TOLD}\n\n**Tobias Fenn** once (p. 2)")
    assert (await house.use("who", "Tobias Fenn")).text.startswith(f"{_TOLD}\n\n**Tobias Fenn** once (p. 2)")
    assert _TOLD not in (await house.use("who", "Ada", by=BO)).text
    assert _TOLD not in (await house.use("who", "Tobias Fenn", by=BO)).text


@pytest.mark.parametrize(
    ("text", "unmet"),
    [("Ada = Ebenezer Quill", "Ebenezer Quill"), ("Ebenezer Quill = Ada", "Ebenezer Quill"), ("zzz = Ada", "zzz")],
)
async def test_both_names_are_of_read_pages_and_one_that_comes_later_is_as_one_that_never_comes(
    text: str, unmet: str
) -> None:
    house = House()
    await house.reading(position=2)
    said = (await house.use("cast", text, organiser=True)).text
    assert said == f"I don't find “{unmet}” in the pages you've read.\n\n(up to p. 2)"


@pytest.mark.parametrize(
    ("text", "organiser"), [("Ada = Tobias Fenn", False), ("Ada Fenn", True), ("= Ada", True), ("Ada = ada", True)]
)
async def test_who_may_not_or_says_it_otherwise_is_told_so(text: str, organiser: bool) -> None:
    house = House()
    await house.reading(position=2)
    with pytest.raises(ThusfarError, match="organisers" if not organiser else "Use `"):
        await house.use("cast", text, organiser=organiser)
