"""The bot's questions about a move of the page: whether a leap is meant, which page, and whose page.

A leap is a move far ahead, or a move of a shared page far back. It has to be confirmed by a button, which contains the
page before and after the move.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.answering.positions import PositionMoved
from core.catalogue.sentences import say, say_count
from core.club.commands.values import SEPARATOR, Choice, CommandRequest, CommandResponse
from core.domain.book import OF_WORK
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.position import NamedPosition, NeedsChoice, NeedsConfirmation, Position, goes_far_back, place_of
from core.domain.schedule import DatedSection
from core.domain.scopes import is_direct

CLUB: Final = ".page-club"
HERE: Final = ".page-here"
UNDO_CLUB: Final = ".undo-club"
ONLY_ME: Final = ".onlyme"
_CLUB_COMMANDS: Final = {".leap": ".leap-club", ".undo": UNDO_CLUB, HERE: CLUB}
"""The command for the club's page, for each command that moves the page of the thread."""
YES: Final = f"{SEPARATOR}yes"
"""The end of a button's text that confirms a move far back."""
_LONGEST_PAGE: Final = 40

Run = Callable[[CommandRequest], Awaitable[CommandResponse]]


def confirm_leap(
    leap: NeedsConfirmation, name: Callable[[int], str], *, command: str, text: str, only_me: Choice | None = None
) -> CommandResponse:
    """Ask a member to confirm a leap.

    Args:
        leap: the move.
        name: returns the printed name of a page.
        command: the command of the button that confirms.
        text: the text of that button.
        only_me: the button for a member who would take everyone far back but means only themselves; None to offer none.
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
    """Ask a member to confirm a leap of a shared page, or its undo."""
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
    return confirm_leap(asks, club.page_name, command=command, text=text, only_me=only_me)


def choose_meaning(
    choice: NeedsChoice, name: Callable[[int], str], *, command: str, reading_id: str, standing: Position
) -> CommandResponse:
    """Ask a member which of several pages they mean. `standing` is the current page that the choice moves."""
    in_book = len({meaning.book for meaning in choice.meanings}) > 1
    return CommandResponse(
        text=say("That could be more than one page. Which do you mean?"),
        choices=tuple(
            Choice(
                label=label_of(meaning, name, in_book=in_book),
                command=command,
                text=leap_text(reading_id, standing, meaning.position or 0, meaning.percent),
            )
            for meaning in choice.meanings
        ),
    )


def label_of(meaning: NamedPosition, name: Callable[[int], str], *, in_book: bool = False) -> str:
    """Return the label of a position that a member may choose: its name and its page, with `in_book` also its book."""
    page = place_of(meaning.position or 0, name)
    is_page = meaning.words in {"", page} or page.startswith(f"{meaning.words}{OF_WORK}")
    words = say("{book}, {words}", book=meaning.book, words=meaning.words) if in_book else meaning.words
    label = page if is_page else say("{words}: {page}", words=words, page=page)
    return label if label.startswith(say("p. {page}", page="")) else f"{label[0].upper()}{label[1:]}"


def leap_text(reading_id: str, from_page: Position, to_page: Position, percent: Fraction | None = None) -> str:
    """Return the text of a button that moves a reading from one page to another, with the share if one was given."""
    said = () if percent is None else (str(percent),)
    return SEPARATOR.join((reading_id, str(from_page or 0), str(to_page or 0), *said))


def page_of_leap(text: str, reading_id: str, current: Position) -> int | None:
    """Return the page that a leap's button moves to; None if the current page has changed since it was offered."""
    said_reading, said_from, said_to, *_ = text.removesuffix(YES).split(SEPARATOR)
    return int(said_to) if (said_reading, said_from) == (reading_id, str(current or 0)) else None


def percent_of_leap(text: str) -> Fraction | None:
    """Return the share of the book in a leap's button; None where none was given."""
    said = text.removesuffix(YES).split(SEPARATOR)[3:]
    return Fraction(said[0]) if said else None


def offer_page(page: str, *, own: bool) -> CommandResponse:
    """Offer to set the page that somebody may have meant, for all or as their `own`. `page` is typed as a command's."""
    told = say("Shall I set your own page?") if own else say("Shall I set the page for everyone here?")
    yes = Choice(label=say("Yes, {page}", page=page), command="mypage" if own else "setpage", text=page)
    return CommandResponse(text=told, choices=(yes,))


def offer_undo() -> CommandResponse:
    """Offer to take back the last move of the page."""
    yes = Choice(label=say("Yes, undo"), command="setpage", text="undo")
    return CommandResponse(text=say("Shall I undo the last move of the page?"), choices=(yes,))


def choose_club_or_thread(section: DatedSection, name: Callable[[int], str], typed: str) -> CommandResponse:
    """Ask whether the club's page or the page of a section's thread is meant.

    Raises:
        PositionError: the typed text is too long to be a page.
    """
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
    """Return a command that runs `run` for the thread's whole club, as do the buttons of its response."""

    async def of_club(request: CommandRequest) -> CommandResponse:
        response = await run(replace(request, of_club=True))
        kept = (each for each in response.choices if each.command != ONLY_ME)
        choices = tuple(replace(each, command=_CLUB_COMMANDS.get(each.command, each.command)) for each in kept)
        return replace(response, choices=choices)

    return of_club


def under_move(moved: PositionMoved, request: CommandRequest) -> tuple[Choice, ...]:
    """Return the buttons that undo a move; empty if nothing moved. "Only for me" is offered only in a club."""
    if moved.made.change is None:
        return ()
    change_id = moved.made.change.change_id
    undo = Choice(label=say("Undo"), command=".undo", text=str(change_id))
    if is_direct(request.thread.scope):
        return (undo,)
    mover = request.member.member_id
    return (undo, Choice(label=say("Only for me"), command=ONLY_ME, text=f"{change_id}{SEPARATOR}{mover}"))


def threads_with_own_page(threads: int) -> str:
    """Return the sentence that so many threads keep their own page, after a space; empty for none."""
    if not threads:
        return ""
    told = say_count("{number} thread keeps its own page.", "{number} threads keep their own page.", threads)
    return f" {told}"
