"""What opens where a thread has come to, told in the line about the move: that it opened, and no word of it.

The words come by a button, which looks at the page anew: a move that was a slip is taken back, and has told nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.positions import PositionMoved
from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import Choice
from core.domain.club_state import ClubState
from core.domain.messages import plain_name
from core.domain.position import Position
from core.domain.scopes import is_private
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.domain.thread import Thread

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
"""What opens of one's own, and of another member."""
_OPENS: Final = {SealedItemKind.QUOTE: OPEN_QUOTE, SealedItemKind.PREDICTION: OPEN_PREDICTION}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What is added to the line about a move, and its buttons; both empty where nothing opened."""

    told: str = ""
    choices: tuple[Choice, ...] = ()


def opened_by(club: ClubState, moved: PositionMoved, thread: Thread) -> Opened:
    """Return what a move, told in a thread, has opened, and whether it is the end of the book."""
    reached = moved.made.standing.public(club.now)
    return opened_at(reached, moved.made.opened, story_end=club.outline.story_end, thread=thread)


def opened_at(reached: Position, items: Sequence[SealedItem], *, story_end: int, thread: Thread) -> Opened:
    """Return what is told in a thread of items that opened where it has come to, and of the end of the book."""
    if reached is None:
        return Opened()
    opened = _opened(items, thread)
    if reached < story_end:
        return opened
    ended = say(_THE_END if is_private(thread.scope) else _THE_END_FOR_ALL)
    finish = Choice(label=say("Look back"), command=LOOK_BACK)
    return Opened(told=f"{opened.told} {ended}", choices=(*opened.choices, finish))


def _opened(opened: Sequence[SealedItem], thread: Thread) -> Opened:
    """Tell how many opened; nothing where none did."""
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
