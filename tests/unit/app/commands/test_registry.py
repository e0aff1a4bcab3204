"""The commands by their words: who may, what is listed, how a typed line is read."""

import pytest

from core.app.commands.values import Choice
from core.domain.errors import ThusfarError
from tests.unit.app.commands.house import House


async def test_help_lists_what_one_may_use() -> None:
    house = House()
    for_ada = (await house.use("help")).text
    for_organisers = (await house.use("help", organiser=True)).text
    assert for_ada.startswith("`setpage 120, ch 7, ")
    assert "`book list`: list the books here" in for_ada
    assert "`help`: show this" in for_ada
    assert "pace" not in for_ada
    assert "`pace thread or slowest`: say whom I wait for" in for_organisers
    assert "`.undo" not in for_organisers


@pytest.mark.parametrize(
    ("line", "words", "rest"),
    [
        ("setpage 120", "setpage", "120"),
        ("SetPage  ch 7   done", "setpage", "ch 7 done"),
        ("book use The Lamp", "book use", "The Lamp"),
        ("forget me", "forget me", ""),
        ("where", "where", ""),
    ],
)
def test_a_typed_line_is_a_command_and_its_text(line: str, words: str, rest: str) -> None:
    assert House().commands.parse(line) == (words, rest)


@pytest.mark.parametrize("line", ["", "   ", "read on", "book", ".undo 3", "forget everything"])
def test_a_line_that_begins_with_no_command_is_refused(line: str) -> None:
    with pytest.raises(ThusfarError, match="`help` lists what I know"):
        House().commands.parse(line)


async def test_an_unknown_command_is_refused_and_offers_nothing() -> None:
    house = House()
    with pytest.raises(ThusfarError, match="don't know that command"):
        await house.use("bookmark")
    with pytest.raises(ThusfarError, match="don't know that command"):
        await house.offered("bookmark")


async def test_every_button_runs_a_command_that_exists() -> None:
    house = House()
    await house.reading(position=2)
    shown: list[Choice] = []
    for words, text in (
        ("setpage", "1"),
        ("setpage", "end"),
        ("book remove", "the marrow"),
        ("forget club", ""),
        ("forget thread", ""),
        ("ask", "Who kept the clocks?"),
    ):
        shown += (await house.use(words, text, organiser=True)).choices
    assert [choice.label for choice in shown if not 0 < len(choice.text) <= 80] == [
        "Forget this club",
        "Forget this thread",
    ]
    for choice in shown:
        if choice.command != ".post":
            assert await _is_known(house, choice)


async def _is_known(house: House, choice: Choice) -> bool:
    """A button's command may refuse, but not since there is none."""
    try:
        await house.press(choice, organiser=True)
    except ThusfarError as error:
        return "don't know that command" not in str(error)
    return True


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("setpage 120", ("setpage", "120")),
        ("/setpage 120", ("setpage", "120")),
        ("  SetPage ch 7 done ", ("setpage", "ch 7 done")),
        ("where", ("where", "")),
        ("help", ("help", "")),
        ("chat", ("chat", "")),
        ("ask Who kept the clocks?", ("ask", "Who kept the clocks?")),
        ("book use sample", ("book use", "sample")),
        ("listen ALL", ("listen", "ALL")),
        ("where are the clocks?", None),
        ("help me with the clocks", None),
        ("chat about the clocks", None),
        ("listen to the clocks", None),
        ("book list of clocks", None),
        ("Who kept the clocks?", None),
        (".undo 1", None),
        ("", None),
    ],
)
def test_what_is_said_is_a_command_only_where_it_cannot_be_a_question(
    text: str, command: tuple[str, str] | None
) -> None:
    assert House().commands.said(text) == command
