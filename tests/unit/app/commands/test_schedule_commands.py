"""Sections with dates are shown to the organiser first, and to all only by the button."""

import pytest

from core.domain.book import Chapter
from core.domain.errors import NotPermittedError
from tests.builders import a_book_text
from tests.unit.app.commands.house import House

_LINE = "3 weeks from 2 March 2026, Sundays 19:00 Europe/Berlin"
_TOLD = """\
**What we read by when** (Europe/Berlin):
1. p. 1 to p. 2: by Sunday, 8 March 2026, 19:00
2. p. 3 to p. 4: by Sunday, 15 March 2026, 19:00
3. p. 5 to p. 6: by Sunday, 22 March 2026, 19:00"""


async def test_an_organiser_sees_it_first_and_posts_it_by_the_button() -> None:
    house = House()
    chapters = [Chapter(number=n, title=f"The Secret {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)]
    await house.reading(position=1, book=await house.add_book(a_book_text(chapters=chapters)))
    shown = await house.use("schedule make", _LINE, organiser=True)
    assert (shown.text, shown.announcement) == (_TOLD, "")
    (button,) = shown.choices
    assert len(button.text) <= 80
    posted = await house.press(button, organiser=True)
    assert (posted.text, posted.announcement) == ("", _TOLD)
    with pytest.raises(NotPermittedError):
        await house.press(button)
    with pytest.raises(NotPermittedError):
        await house.use("schedule make", _LINE)
