"""What opens where a thread has come to, told in the line about the move: that it opened, and no word of it.

The words come by a button, which looks at the page anew: a move that was a slip is taken back, and has told nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.answering.positions import PositionMoved
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
_THE_END: Final = " That is the end of the book"
_FOR_ALL: Final = "; an organiser can look back on it for all of you"
_FINISH: Final = Choice(label="Look back", command=LOOK_BACK)
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
    ended = f"{_THE_END}{'' if is_private(thread.scope) else _FOR_ALL}."
    return Opened(told=opened.told + ended, choices=(*opened.choices, _FINISH))


def _opened(opened: Sequence[SealedItem], thread: Thread) -> Opened:
    """Tell how many opened; nothing where none did."""
    if not opened:
        return Opened()
    counts = [
        _counted(len(found), kind)
        for kind in SealedItemKind
        if (found := [each for each in opened if each.kind is kind])
    ]
    opens = "opens" if len(opened) == 1 else "open"
    return Opened(
        told=f" Here {opens} {' and '.join(counts)}; `/predictions` and `/quotes` keep them.",
        choices=tuple(_button(each, thread) for each in opened[:_MOST_BUTTONS]),
    )


def _button(sealed_item: SealedItem, thread: Thread) -> Choice:
    whose = "Your" if is_private(thread.scope) else f"{plain_name(sealed_item.member_name)}'s"
    return Choice(
        label=f"{whose} {sealed_item.kind}", command=_OPENS[sealed_item.kind], text=str(sealed_item.keepsake_id)
    )


def _counted(number: int, kind: SealedItemKind) -> str:
    return f"a {kind}" if number == 1 else f"{number} {kind}s"
