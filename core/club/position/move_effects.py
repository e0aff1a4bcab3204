"""What follows a move: which sealed items it opens, announced without their text, and which threads stay.

A button shows the text and checks the page again. So a mistaken move can be undone before it has revealed anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.positions import PositionMoved
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import Choice
from core.domain.club_state import ClubState
from core.domain.conversation import Conversation
from core.domain.messages import plain_name
from core.domain.position import Position
from core.domain.scopes import is_private
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.domain.thread import Thread, thread_in

LOOK_BACK: Final = ".finish"
OPEN_QUOTE: Final = ".quote"
OPEN_PREDICTION: Final = ".prediction"
_MOST_BUTTONS: Final = 3
_THE_END: Final = sentence("That's the end of the book.")
_THE_END_FOR_ALL: Final = sentence("That's the end of the book. An organiser can look back on it for all of you.")
_WHOSE: Final = {
    SealedItemKind.QUOTE: (sentence("Your quote"), sentence("{name}'s quote")),
    SealedItemKind.PREDICTION: (sentence("Your prediction"), sentence("{name}'s prediction")),
}
"""The label of an own item, and of another member's item."""
_OPENS: Final = {SealedItemKind.QUOTE: OPEN_QUOTE, SealedItemKind.PREDICTION: OPEN_PREDICTION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """The text to add to the line about a move, and its buttons; both empty where nothing opened."""

    told: str = ""
    choices: tuple[Choice, ...] = ()


def opened_by(club: ClubState, moved: PositionMoved, thread: Thread) -> Opened:
    """Return the announcement of what a move has opened in a thread, and of the end of the book if it is reached."""
    reached = moved.made.standing.public(club.now)
    return opened_at(reached, moved.made.opened, story_end=club.outline.at(reached).story_end, thread=thread)


def opened_at(reached: Position, items: Sequence[SealedItem], *, story_end: int, thread: Thread) -> Opened:
    """Return the announcement of opened items in a thread that has reached a page, and of the end of the book."""
    if reached is None:
        return Opened()
    opened = _opened(items, thread)
    if reached < story_end:
        return opened
    ended = say(_THE_END if is_private(thread.scope) else _THE_END_FOR_ALL)
    finish = Choice(label=say("Look back"), command=LOOK_BACK)
    return Opened(told=f"{opened.told} {ended}", choices=(*opened.choices, finish))


def _opened(opened: Sequence[SealedItem], thread: Thread) -> Opened:
    """Return how many items opened, with buttons for the first three."""
    if not opened:
        return Opened()
    counts = [
        _counted(len(found), kind)
        for kind in SealedItemKind
        if (found := [each for each in opened if each.kind is kind])
    ]
    told = say(
        "You can open {items} here now. `/predictions` and `/quotes` keep them.", items=say(" and ").join(counts)
    )
    return Opened(
        told=f" {told}",
        choices=tuple(_button(each, thread) for each in opened[:_MOST_BUTTONS]),
    )


def _button(sealed_item: SealedItem, thread: Thread) -> Choice:
    own, of_member = _WHOSE[sealed_item.kind]
    label = say(own if is_private(thread.scope) else of_member, name=plain_name(sealed_item.member_name))
    return Choice(label=label, command=_OPENS[sealed_item.kind], text=str(sealed_item.keepsake_id))


def _counted(number: int, kind: SealedItemKind) -> str:
    if kind is SealedItemKind.QUOTE:
        return say_count("a quote", "{number} quotes", number)
    return say_count("a prediction", "{number} predictions", number)


def unmoved_threads(club: ClubState, moved: PositionMoved, thread: Thread) -> list[str]:
    """Return the threads that keep their own page when the club's page moves, without the threads of sections."""
    if isinstance(club.owner, Conversation):
        return []
    of_sections = {section.thread for section in club.schedule.sections} if club.schedule else set()
    theirs = (thread_in(each, scope=thread.scope, place=thread.place) for each in moved.made.own_pages)
    return [each for each in theirs if each and each not in of_sections]
