"""What is asked back where somebody says a page: whether they mean so big a leap, which page, and whose.

A leap is a move so far ahead, or with others so far back, that its mover is asked first; its button holds both pages.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.answering.positions import PositionMoved
from core.catalogue.sentences import say, say_count
from core.club.commands.values import SEPARATOR, Choice, CommandRequest, CommandResponse
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.position import NamedPosition, NeedsChoice, NeedsConfirmation, Position, goes_far_back, place_of
from core.domain.schedule import DatedSection
from core.domain.scopes import is_direct

CLUB: Final = ".page-club"
HERE: Final = ".page-here"
UNDO_CLUB: Final = ".undo-club"
ONLY_ME: Final = ".onlyme"
_OF_CLUB: Final = {".leap": ".leap-club", ".undo": UNDO_CLUB, HERE: CLUB}
"""What a button under a move runs, so that it is about the club's page although it stands in a thread."""
YES: Final = f"{SEPARATOR}yes"
"""Ends the text of a button that may take everyone far back."""
_LONGEST_PAGE: Final = 40

Run = Callable[[CommandRequest], Awaitable[CommandResponse]]


def is_that_right(
    leap: NeedsConfirmation, name: Callable[[int], str], *, command: str, text: str, only_me: Choice | None = None
) -> CommandResponse:
    """Ask a mover whether they mean a leap; `command` and `text` are those of the button that says yes.

    `only_me` is the button of one who would take everyone far back, and may mean that of themselves.
    """
    begin, to_page = place_of(leap.from_page, name), place_of(leap.to_page, name)
    told = say(
        "From {begin} to {page} of {last} is a big leap. Is that right?", begin=begin, page=to_page, last=leap.pages
    )
    yes = say("Yes, {page}", page=to_page)
    if only_me is not None:
        told = say("That takes everyone back from {begin} to {page}. Is it only you?", begin=begin, page=to_page)
        yes = say("Move everyone back")
    choice = Choice(label=yes, command=command, text=text, confirms=True)
    return CommandResponse(text=f"{leap.note} {told}".lstrip(), choices=(*filter(None, (only_me,)), choice))


def confirm_move(club: ClubState, asks: NeedsConfirmation) -> CommandResponse:
    """Ask whether the page of all is to move so far."""
    only_me = None
    is_back = goes_far_back(asks.from_page, asks.to_page)
    command = ".leap"
    text = leap_text(club.reading_id, asks.from_page, asks.to_page, asks.percent) + YES * is_back
    if asks.undoes is not None:
        command, text = ".undo", f"{asks.undoes}{YES}"
    elif asks.text:
        command, text = HERE, asks.text + YES
    if is_back:
        own = leap_text(club.reading_id, club.own_page, asks.to_page)
        only_me = Choice(label=say("Only for me"), command=".mypage", text=own)
    return is_that_right(asks, club.page_name, command=command, text=text, only_me=only_me)


def which_one(
    choice: NeedsChoice, name: Callable[[int], str], *, command: str, reading_id: str, standing: Position
) -> CommandResponse:
    """Ask whoever said what may mean several pages for the one they mean; `standing` is the page that moves then."""
    return CommandResponse(
        text=say("That could be more than one page. Which do you mean?"),
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
    page = place_of(meaning.position or 0, name)
    label = page if meaning.words in {"", page} else say("{words}: {page}", words=meaning.words, page=page)
    return label if label.startswith(say("p. {page}", page="")) else f"{label[0].upper()}{label[1:]}"


def leap_text(reading_id: str, from_page: Position, to_page: Position, percent: Fraction | None = None) -> str:
    """Return what a button holds that leaps from one page of a reading to another, with the share that was said."""
    said = () if percent is None else (str(percent),)
    return SEPARATOR.join((reading_id, str(from_page or 0), str(to_page or 0), *said))


def page_of_leap(text: str, reading_id: str, current: Position) -> int | None:
    """Return where a button leaps to; None where the page stands elsewhere by now than when it was offered."""
    said_reading, said_from, said_to, *_ = text.removesuffix(YES).split(SEPARATOR)
    return int(said_to) if (said_reading, said_from) == (reading_id, str(current or 0)) else None


def percent_of_leap(text: str) -> Fraction | None:
    """Return the share that was said for where a button leaps to."""
    said = text.removesuffix(YES).split(SEPARATOR)[3:]
    return Fraction(said[0]) if said else None


def which_page(section: DatedSection, name: Callable[[int], str], typed: str) -> CommandResponse:
    """Ask which page is meant. Raises PositionError where what was typed is too long to be one."""
    if len(typed) > _LONGEST_PAGE:
        raise PositionError(say("Tell me how far you've read, like `/setpage 120`."))
    return CommandResponse(
        text=say(
            "This thread stays at p. {page}, the end of section {number}. Which page do you mean?",
            page=name(section.last_page),
            number=section.number,
        ),
        choices=(
            Choice(label=say("The club's page"), command=CLUB, text=typed),
            Choice(label=say("This thread's page"), command=HERE, text=typed),
        ),
    )


def for_club(run: Run) -> Run:
    """Return the same for the thread's whole club, with the buttons under it."""

    async def of_club(request: CommandRequest) -> CommandResponse:
        response = await run(replace(request, of_club=True))
        kept = (each for each in response.choices if each.command != ONLY_ME)
        choices = tuple(replace(each, command=_OF_CLUB.get(each.command, each.command)) for each in kept)
        return replace(response, choices=choices)

    return of_club


def under_move(moved: PositionMoved, request: CommandRequest) -> tuple[Choice, ...]:
    """Return the buttons that take a move back, if there was one; who is alone moves for nobody else."""
    if moved.made.change is None:
        return ()
    change_id = moved.made.change.change_id
    undo = Choice(label=say("Undo"), command=".undo", text=str(change_id))
    if is_direct(request.thread.scope):
        return (undo,)
    mover = request.member.member_id
    return (undo, Choice(label=say("Only for me"), command=ONLY_ME, text=f"{change_id}{SEPARATOR}{mover}"))


def keep_their_own(threads: int) -> str:
    """Return what is added to the line about a move where threads keep their own page; empty where none does."""
    if not threads:
        return ""
    told = say_count("{number} thread keeps its own page.", "{number} threads keep their own page.", threads)
    return f" {told}"
