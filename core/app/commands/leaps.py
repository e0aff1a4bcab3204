"""Leaps: moves so far ahead that whoever makes one is asked first; the button that makes it holds its two pages."""

from collections.abc import Callable
from fractions import Fraction

from core.app.commands.values import SEPARATOR, Choice, CommandResponse
from core.domain.position import NamedPosition, NeedsChoice, NeedsConfirmation, Position


def is_that_right(leap: NeedsConfirmation, name: Callable[[int], str], *, command: str, text: str) -> CommandResponse:
    """Ask whoever leaps whether they mean it; `command` and `text` are those of the button that says yes."""
    begin = f"p. {name(leap.from_page)}" if leap.from_page else "the beginning"
    told = f"From {begin} to p. {name(leap.to_page)} of {leap.pages} is a big leap. Is that right?"
    return CommandResponse(
        text=f"{leap.note} {told}".lstrip(),
        choices=(Choice(label=f"Yes, p. {name(leap.to_page)}", command=command, text=text, confirms=True),),
    )


def which_one(
    choice: NeedsChoice, name: Callable[[int], str], *, command: str, reading_id: str, standing: Position
) -> CommandResponse:
    """Ask whoever said what may mean several pages for the one they mean; `standing` is the page that moves then."""
    return CommandResponse(
        text="That could be more than one page. Which do you mean?",
        choices=tuple(
            Choice(
                label=label_of(meaning, name),
                command=command,
                text=leap_text(reading_id, standing, meaning.position or 0, meaning.percent),
            )
            for meaning in choice.meanings
        ),
    )


def label_of(meaning: NamedPosition, name: Callable[[int], str]) -> str:
    """Return what somebody is shown who may choose a position: what it is called, and its page."""
    page = f"p. {name(meaning.position)}" if meaning.position else "the beginning"
    label = page if meaning.words in {"", page} else f"{meaning.words}: {page}"
    return label if label.startswith("p. ") else f"{label[0].upper()}{label[1:]}"


def leap_text(reading_id: str, from_page: Position, to_page: int, percent: Fraction | None = None) -> str:
    """Return what a button holds that leaps from one page of a reading to another, with the share that was said."""
    said = () if percent is None else (str(percent),)
    return SEPARATOR.join((reading_id, str(from_page or 0), str(to_page), *said))


def page_of_leap(text: str, reading_id: str, current: Position) -> int | None:
    """Return where a button leaps to; None where the page stands elsewhere by now than when it was offered."""
    said_reading, said_from, said_to, *_ = text.split(SEPARATOR)
    return int(said_to) if (said_reading, said_from) == (reading_id, str(current or 0)) else None


def percent_of_leap(text: str) -> Fraction | None:
    """Return the share that was said for where a button leaps to."""
    said = text.split(SEPARATOR)[3:]
    return Fraction(said[0]) if said else None
