"""What tells nothing of any book: greetings and thanks; and what says too little to be judged.

It needs no page to rest on; nor do the names of those who are spoken to.
"""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from core.domain.folding import as_printed, folded
from core.language.sentences import sentences
from core.language.words import FUNCTION_WORDS, content_stems, words

_TALK: Final = content_stems(
    "hello hi hey greetings morning afternoon evening night day today goodbye bye welcome thanks thank thanking "
    "cheers please sorry apologise pardon congratulations great good nice lovely wonderful awesome perfect fine "
    "well glad happy pleased pleasure enjoy enjoyed enjoying love fun hope hopes help helps helped helpful helping "
    "assist answer answered answering ask asking asked question questions talk talking chat chatting friend "
    "friends anytime course sure okay ok alright welcome back see later soon again let know feel free happy "
    "anything everyone everybody guys folks club look forward problem worry meet hear come go ahead want like "
    "bot robot human machine model ai thusfar name introduce work works feeling doing everything bit lot much very "
    "really quite just always ready next kind"
)
_MARKS: Final = frozenset(
    words(
        "hello hi hey greetings morning afternoon evening goodbye bye welcome thanks thank cheers sorry pardon glad "
        "happy pleased pleasure hope help congratulations great good nice lovely wonderful "
        "awesome perfect bot robot human thusfar"
    )
)
_MAY_ANSWER: Final = content_stems("sure course okay ok alright later soon again go come ahead always next happy well")
_OF_A_DENIAL: Final = content_stems(
    "say says said tell tells told know find see answer answers mention mentions explain explains reveal describe "
    "state give page pages passage passages text book novel story chapter chapters read reading far yet question "
    "nothing none nowhere never anything something sorry afraid unfortunately able unable unknown up now come though"
)
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_OF_THE_STORY: Final = frozenset(
    words(
        "he him his she her hers they them their theirs himself herself themselves who whom whose why when where "
        "no not never none nobody yes dies died dead"
    )
)

_PATTERNS_KEPT: Final = 256


def is_small_talk(message: str) -> bool:
    """Whether a member's message is made of courtesies alone: greeting, thanks, farewell."""
    said = sentences(message)
    return bool(said) and all(map(states_nothing, said))


def states_nothing(sentence: str) -> bool:
    """Whether a sentence is made of courtesies alone, so that it can tell nothing of any book.

    It must hold at least one of them; a bare yes or no, or a word that points into the story, is no courtesy.
    """
    found = words(sentence)
    if not _MARKS.intersection(found) or _OF_THE_STORY.intersection(found):
        return False
    return content_stems(sentence) <= _TALK


def is_courtesy(sentence: str) -> bool:
    """Whether a sentence of an answer is made of courtesies alone, and of none that could answer a question."""
    return states_nothing(sentence) and content_stems(sentence).isdisjoint(_MAY_ANSWER)


def matter(sentence: str) -> int:
    """Count the words of matter by which a sentence can be judged.

    Those of a name or a number alone are none, nor are those that say only whether something is said.
    """
    has_any = any(word[0].islower() and word.casefold() not in FUNCTION_WORDS for word in _WORD.findall(sentence))
    return len(content_stems(sentence) - _OF_A_DENIAL) if has_any else 0


def without_address(text: str, names: Collection[str]) -> str:
    """Return a text without the names of those it speaks to: between commas, behind a greeting, or before a comma."""
    if not any(name and folded(name) in folded(text) for name in names):
        return text
    return _address(tuple(sorted(filter(None, names)))).sub("", text)


@lru_cache(maxsize=_PATTERNS_KEPT)
def _address(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of what belongs to an address: the name, and the comma that sets it apart."""
    name = rf"(?:{'|'.join(map(as_printed, names))})"
    return re.compile(
        rf",\s+{name}(?=\s*(?:[,.!?:;…)\-–—]|$))"
        rf"|^{name},\s+"
        rf"|(?<=[.!?:;]\s){name},\s+"
        rf"|(?i:(?<=\bhi)|(?<=\bhey)|(?<=\bhello)|(?<=\bdear)|(?<=\bthanks)|(?<=\bsorry)|(?<=\byou)|(?<=\bwelcome)"
        rf"|(?<=\bcongratulations))\s+{name}(?=\s*(?:[,.!?:;…)\-–—]|$))"
    )
