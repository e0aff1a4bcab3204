"""Leaps: moves so far ahead that whoever makes one is asked first; the button that makes it holds its two pages."""

from collections.abc import Callable

from core.app.commands.values import SEPARATOR, Choice, CommandResponse
from core.domain.position import NeedsConfirmation, Position


def is_that_right(leap: NeedsConfirmation, name: Callable[[int], str], *, command: str, text: str) -> CommandResponse:
    """Ask whoever leaps whether they mean it; `command` and `text` are those of the button that says yes."""
    told = f"From p. {name(leap.from_page)} to p. {name(leap.to_page)} of {leap.pages} is a leap. Is that right?"
    return CommandResponse(
        text=f"{leap.note} {told}".lstrip(),
        choices=(Choice(label=f"Yes, p. {name(leap.to_page)}", command=command, text=text, confirms=True),),
    )


def leap_text(reading_id: str, from_page: Position, to_page: int) -> str:
    """Return what a button holds that leaps from one page of a reading to another."""
    return SEPARATOR.join((reading_id, str(from_page or 0), str(to_page)))


def page_of_leap(text: str, reading_id: str, current: Position) -> int | None:
    """Return where a button leaps to; None where the page stands elsewhere by now than when it was offered."""
    said_reading, said_from, said_to = text.split(SEPARATOR)
    return int(said_to) if (said_reading, said_from) == (reading_id, str(current or 0)) else None
