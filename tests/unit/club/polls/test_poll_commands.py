"""What to read next: suggested without names, voted on without counts, and once more where it is even."""

import pytest

from core.domain.errors import ThusfarError
from tests.builders import ADA, BO
from tests.unit.club_house import House


async def _suggested(*titles: str) -> House:
    house = House()
    for who, title in zip((ADA, BO), titles, strict=False):
        await house.use("suggest", title, by=who)
    return house


async def test_titles_are_shown_without_names() -> None:
    house = await _suggested("Death by Drowning by J. Cole", "emma, by Jane Austen")
    again = await house.use("suggest", "Dracula")
    assert again.text.startswith("Suggested: *Dracula*. No one sees that it was you")
    assert again.text.endswith("There are 2 titles so far.")
    shown = await house.use("suggest")
    assert shown.text == "Suggested so far:\n- *Dracula*\n- *emma* by Jane Austen"
    assert shown.announcement == ""


async def test_the_poll_counts_when_it_closes() -> None:
    house = await _suggested("Dracula", "Emma by Jane Austen")
    opened = await house.use("poll", "next", organiser=True)
    assert [choice.label for choice in opened.choices] == ["Dracula", "Emma (Jane Austen)"]
    voted = await house.press(opened.choices[1])
    assert voted.text == "You voted for *Emma* by Jane Austen. You can change your vote until the poll closes."
    assert voted.announcement == ""
    closed = await house.use("poll", "close", organiser=True)
    assert closed.announcement.startswith("*Emma* by Jane Austen: 1\n**The next book is *Emma* by Jane Austen.**")
    with pytest.raises(ThusfarError, match="over"):
        await house.press(opened.choices[0])
    assert (await house.use("suggest")).text == "Suggested so far:\n- *Dracula*"


async def test_a_tie_is_voted_on_once_more() -> None:
    house = await _suggested("Dracula", "Emma")
    opened = await house.use("poll", "next", organiser=True)
    await house.press(opened.choices[0])
    await house.press(opened.choices[1], by=BO)
    again = await house.use("poll", "close", organiser=True)
    assert again.announcement.startswith("*Dracula*: 1, *Emma*: 1\nIt's a tie, so vote once more:")
    with pytest.raises(ThusfarError, match="over"):
        await house.press(opened.choices[0])
    await house.press(again.choices[0])
    assert "next book is *Dracula*" in (await house.use("poll", "close", organiser=True)).announcement


@pytest.mark.parametrize(
    ("said", "why"), [("next", "two titles"), ("close", "No poll is open"), ("tomorrow", "takes `next` or `close`")]
)
async def test_what_cannot_be_is_refused(said: str, why: str) -> None:
    with pytest.raises(ThusfarError, match=why):
        await (await _suggested("Dracula")).use("poll", said, organiser=True)
