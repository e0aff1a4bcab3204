"""The commands by their words: who may, what is listed, how a typed line is read."""

import pytest

from core.club.commands.values import Choice
from core.domain.errors import ThusfarError
from tests.unit.club_house import House


async def test_help_begins_with_how_to_ask_and_has_six_lines() -> None:
    told = await House().use("help")
    first, *others = told.text.splitlines()
    assert first.startswith("**To ask**")
    assert [line.partition(" ")[0].strip("`") for line in others] == [
        "/setpage", "/where", "/mypage", "/chat", "/listen"
    ]  # fmt: skip
    assert [choice.label for choice in told.choices] == ["More"]


async def test_more_lists_what_one_may_use() -> None:
    house = House()
    (more,) = (await house.use("help")).choices
    for_ada = (await house.press(more)).text
    for_organisers = (await house.press(more, organiser=True)).text
    assert "`/setpage 120, ch 7 done, 45% or end`: set how far the club has read" in for_ada
    assert "`/book list`: list the books here" in for_ada
    assert "pace" not in for_ada
    assert "`/pace thread or slowest`: choose who I wait for" in for_organisers
    assert "`/." not in for_organisers


@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        ("setpge 120", "setpage 120"),
        ("hlep", "help"),
        ("book lst", "book list"),
        ("/wher", "where"),
        ("page 20", "mypage 20"),
    ],
)
def test_an_unknown_word_suggests_the_nearest_command(line: str, nearest: str) -> None:
    with pytest.raises(ThusfarError, match=f"did you mean `/{nearest}`"):
        House().commands.parse(line)
    assert f"did you mean `/{nearest}`" in (House().commands.meant(line) or "")


@pytest.mark.parametrize(
    "line", ["Who is Hallam?", "who was the man at the door", "where is the key?", "help me, who is it"]
)
def test_a_question_behind_the_bots_own_command_is_asked(line: str) -> None:
    assert House().commands.typed(line) == ("ask", line)


@pytest.mark.parametrize("line", ["where", "setpage 120", "ask Who is it?", "book use The Lamp", "listen all"])
def test_a_command_behind_it_is_that_command(line: str) -> None:
    commands = House().commands
    assert commands.typed(line) == commands.parse(line)


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
        ("schedule show", ("schedule show", "")),
        ("schedule show here", ("schedule show", "here")),
        ("schedule show me the way", None),
        ("poll", None),
    ],
)
def test_what_is_said_is_a_command_only_where_it_cannot_be_a_question(
    text: str, command: tuple[str, str] | None
) -> None:
    assert House().commands.said(text) == command
