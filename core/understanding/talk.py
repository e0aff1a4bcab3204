"""How a message stands in the talk of its thread: who spoke last, about what, how like it is, and what it wants."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.domain.conversation import Line
from core.domain.understanding import ABOUT_BOOK
from core.language.words import content_stems
from core.understanding.features import dense, place, sense

LOOKED_BACK: Final = 12
"""So many lines of a thread are looked at."""

_WEIGHT_OF_PAIRS: Final = 0.5
_SOON, _LATER = 3, 6
_OF_TWO: Final = 2


def in_its_talk(
    line: Line, before: Sequence[Line], wanted: NDArray[np.float32], *, direct: bool
) -> NDArray[np.float32]:
    """Return a message's features with how it stands in its talk, what may be `wanted`, and all of these in pairs.

    `wanted` is how likely each intent is, in their order; together 1.
    """
    latest = before[-_OF_TWO:]
    talk = _talk(line, before[-LOOKED_BACK:])
    stands = np.array(place(line, latest, direct=direct), np.float32)
    both = np.concatenate([stands, np.array(talk, np.float32)])
    first, second = np.triu_indices(len(both), 1)
    of_book = wanted[: len(ABOUT_BOOK)].sum()
    return np.concatenate(
        [
            dense(line, latest, direct=direct),
            both[len(stands) :],
            both[first] * both[second] * _WEIGHT_OF_PAIRS,
            np.sqrt(wanted),
            np.append(both, 1) * of_book,
            np.outer(wanted, stands).ravel(),
        ]
    )


def _talk(line: Line, before: Sequence[Line]) -> list[float]:
    ago = next((at for at, one in enumerate(reversed(before)) if one.is_bot), LOOKED_BACK)
    nobody = Line(text="")
    of_bot = before[-1 - ago] if ago < LOOKED_BACK else nobody
    of_member = next((one for one in reversed(before) if not one.is_bot), nobody)
    last = before[-1] if before else nobody
    return [
        *_how_long_ago(ago),
        _likeness(line, of_bot),
        _likeness(line, last),
        _shared(line, of_bot) * (ago < _SOON),
        _shared(line, of_member),
        *_who_spoke(line, before, ago),
        (ago < _OF_TWO) & of_bot.text.rstrip().endswith("?"),
        (ago > 0) & of_member.text.rstrip().endswith("?"),
    ]


def _how_long_ago(ago: int) -> list[bool]:
    """Return how many lines ago the bot spoke, if it did."""
    return [
        ago == 0,
        ago == 1,
        ago == _OF_TWO,
        _SOON <= ago < _LATER,
        _LATER <= ago < LOOKED_BACK,
        ago == LOOKED_BACK,
    ]


def _who_spoke(line: Line, before: Sequence[Line], ago: int) -> list[bool]:
    """Return whether the author asked what the bot answered last, spoke just before, and how many talk."""
    earlier = before[: max(len(before) - 1 - ago, 0)]
    asker = next((one.author for one in reversed(earlier) if not one.is_bot), "")
    is_own = bool(before) and not before[-1].is_bot and before[-1].author == line.author
    return [
        bool(asker) and asker == line.author,
        ago == 1 and is_own,
        ago == 1 and not is_own,
        is_own,
        len({one.author for one in before if not one.is_bot}) > _OF_TWO,
    ]


def _likeness(line: Line, other: Line) -> float:
    return float(sense(line.text) @ sense(other.text)) if other.text else 0.0


def _shared(line: Line, other: Line) -> float:
    """Return which share of a line's words of matter another line has too."""
    stems = content_stems(line.text)
    return len(stems & content_stems(other.text)) / max(len(stems), 1)
