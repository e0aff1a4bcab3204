"""What a message is about that takes up what was said before: the one place that knows how a club talks on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.folding import CAPITAL, SMALL, folded
from core.language.words import FUNCTION_WORDS, content_stems, words

_FEW_STEMS: Final = 2
_LOOKED_AT: Final = 8
_SOMEBODY: Final = frozenset(words("he him his she her hers they them their theirs himself herself themselves"))
_POINTING: Final = _SOMEBODY | frozenset(words("it its that this those these there then"))
_GOES_ON = re.compile(r"^\W*(?:and|but|so|or|why|how|really)\b", re.IGNORECASE)
_NAME = re.compile(rf"\b[{CAPITAL}][\w’'-]*[{SMALL}][\w’'-]*")
_SOMEBODY_IS_ASKED = re.compile(r"\bwho\b|\bwhom\b|\bwhose\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A member's message, and who wrote it: an id or a name, as long as it is the same for all of theirs."""

    text: str
    author: str = ""


def in_context(said: Said, before: Sequence[Said]) -> str:
    """Return what to search for: the message, and for one that takes up what was said, also what that was about.

    "And why did he?" holds no word to search for. It is about the last message of the same member's talk that is no
    follow-up itself; of the others' talk, where theirs does not say whom they mean. The names of all
    links between go along.

    Args:
        said: the message.
        before: what members said before it, oldest first, without what was turned away.
    """
    if not takes_up(said.text):
        return said.text
    chain = _chain(said, before[-_LOOKED_AT:])
    if not chain:
        return said.text
    *links, anchor = chain
    names = [name for link in links for name in names_of(link.text) if name not in anchor.text]
    return " ".join([said.text, anchor.text, *dict.fromkeys(names)])


def names_of(text: str) -> list[str]:
    """Return the words of a message that are written as names: a capital inside, or at its beginning no common word."""
    return [name for name in _NAME.findall(text) if folded(name) not in FUNCTION_WORDS]


def takes_up(message: str) -> bool:
    """Whether a message only makes sense with what was said before it: it points back, or holds next to no matter."""
    found = set(words(message))
    stems = len(set(content_stems(message)))
    if not names_of(message) and (not stems or (stems < _FEW_STEMS and _GOES_ON.match(message))):
        return True
    if _SOMEBODY & found:
        return not names_of(message)
    return bool(_POINTING & found) and not names_of(message)


def points_at_another(message: str) -> bool:
    """Whether a message has no words of its own, or none but what points at another message: “can you answer that?”."""
    said = set(words(message))
    if not said:
        return True
    pointing = (_POINTING - _SOMEBODY) & said
    return bool(pointing) and not names_of(message) and len(set(content_stems(message))) <= _FEW_STEMS


def _chain(said: Said, before: Sequence[Said]) -> list[Said]:
    """Return what a message goes back to, nearest link first, what it is about last; empty where it stands alone."""
    if not takes_up(said.text):
        return []
    own = _last(before, author=said.author)
    anyone = _last(before)
    found = _from(before, own)
    if anyone != own and (own is None or (_asks_of_somebody(said.text) and not _names_anybody(found))):
        others = _from(before, anyone)
        found = others if own is None or _names_anybody(others) else found
    return found


def _from(before: Sequence[Said], at: int | None) -> list[Said]:
    if at is None:
        return []
    return [before[at], *_chain(before[at], before[:at])]


def _last(before: Sequence[Said], *, author: str | None = None) -> int | None:
    fits = (at for at in reversed(range(len(before))) if author is None or before[at].author == author)
    return next(fits, None)


def _asks_of_somebody(message: str) -> bool:
    return bool(_SOMEBODY.intersection(words(message)))


def _names_anybody(chain: Sequence[Said]) -> bool:
    return any(names_of(each.text) or _SOMEBODY_IS_ASKED.search(each.text) for each in chain)
