"""What speaks for and against a line of a thread being for the bot: forms, words, and what was said before it.

Each signal is a number from 0 to 1. What they weigh is fitted (`benchmarks.listening_fit`); none knows of a book, so
that they hold for any.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Final

from core.domain.conversation import Line, RepliesTo
from core.domain.folding import folded
from core.domain.messages import opens_thread
from core.domain.patterns import late_pattern
from core.language.words import content_stems, words
from core.understanding.small_talk import is_small_talk
from core.understanding.talk_forms import NAME, forms

LOOKED_BACK: Final = 12
"""How many lines before a line are looked at."""

_LENGTHS: Final = {
    "one or two words": range(3),
    "three or four words": range(3, 5),
    "five to twelve words": range(5, 13),
    "long": range(17, 1_000),
}
_ONLY_CROSSED: Final = "again"
_OF_LATE: Final = 6
_A_WORD_OR_TWO: Final = 2
_FEW_WORDS: Final = 3
_A_SHORT_LINE: Final = 6
_LONG_SILENT: Final = 8
_SENTENCE_END = late_pattern(r"[.!?](?:\s|$)")
_QUESTION_THEN_MORE = late_pattern(r"\?\s+\S+\s+\S+")


_ASKS_FOR_WORDS: Final = late_pattern(
    r"\b(?:quotes?|recap|tl;?dr|cite|source|summary|translat\w+|hint)\b", re.IGNORECASE
)
_TAKES_UP: Final = {
    "like, after the bot": late_pattern(r"^\W*(?:so\s+|and\s+)?like\b", re.IGNORECASE),
    "though, after the bot": late_pattern(r"\b(?:though|tho)\W*$", re.IGNORECASE),
    "and the, after the bot": late_pattern(
        r"^\W*and\s+(?:the|his|her|their|in|at|on|with|from|to|what|who|\w+\?)", re.IGNORECASE
    ),
    "hold on, after the bot": late_pattern(
        r"^\W*(?:hold\s+on|wait|hang\s+on|hm+|huh)\b.*\?", re.IGNORECASE | re.DOTALL
    ),
    "by whom, after the bot": late_pattern(
        r"^\W*(?:and\s+|but\s+)?(?:by|to|from|with|for|of|in|at|on)\s+(?:whom?|what|which|where|how)\b", re.IGNORECASE
    ),
}
"""Forms that take up an answer, right after it or one line later."""

_THAT: Final = late_pattern(r"\b(?:it|that|this)\b", re.IGNORECASE)
_WAS: Final = late_pattern(
    r"\b(?:was|were|had|did(?!\s+(?:you|we|everyone|everybody|anyone|anybody)))\b", re.IGNORECASE
)


def signals(line: Line, before: Sequence[Line]) -> dict[str, float]:
    """Return what speaks for and against a line being for the bot, each from 0 to 1."""
    near = before[-LOOKED_BACK:]
    text = line.text.strip()
    found = {name: float(pattern.search(text) is not None) for name, pattern in forms().items()}
    around = _around(line, near)
    crossed = _crossed(found, around, line, near)
    plain = {name: value for name, value in found.items() if name != _ONLY_CROSSED}
    asks = max(crossed["asks"], found["ends with a mark"])
    return plain | _shape(text) | around | crossed | _taken_up(text, near) | _of_members(line, near, asks)


def _shape(text: str) -> dict[str, float]:
    count = len(words(text))
    return {
        **{name: float(count in lengths) for name, lengths in _LENGTHS.items()},
        "no letters": float(not any(character.isalpha() for character in text)),
        "small talk": float(is_small_talk(text)),
        "several sentences": float(len(_SENTENCE_END.findall(text)) > 1),
        "a question, then more": float(_QUESTION_THEN_MORE.search(text) is not None),
    }


def _around(line: Line, near: Sequence[Line]) -> dict[str, float]:
    """Return to whom a line is said, and what was said before."""
    people = {each.author for each in near if not each.is_bot} | {line.author}
    others = people - {line.author}
    return {
        "mentions a member": float(line.mentions_member),
        "replies to the bot": float(line.replies_to is RepliesTo.BOT),
        "replies to a member": float(line.replies_to is RepliesTo.MEMBER),
        "names a member": float(_names(others, line.text)),
        "calls a member": float(_called(others, line.text)),
        "first line": float(not near),
        "a name of the story": float(_tells_of(near, line.text, people)),
        **_since_the_bot(line, near),
        **_among_members(line, near),
        **_shared_words(line, near),
    }


def _since_the_bot(line: Line, near: Sequence[Line]) -> dict[str, float]:
    """Return how long ago the bot spoke, to whom, and how."""
    since = _lines_since_bot(near)
    bot = near[-1 - since] if since < len(near) else None
    asked = near[-2 - since] if since + 1 < len(near) else None
    said = bot.text if bot is not None and since <= 1 else ""
    pairs = pairwise(near[-_OF_LATE + 1 :])
    return {
        "after the bot": float(since == 0),
        "one after the bot": float(since == 1),
        "two or three after the bot": float(since in {2, 3}),
        "long after the bot": float(since > _FEW_WORDS),
        "whom the bot answered": float(since == 0 and asked is not None and asked.author == line.author),
        "share of the bot": sum(each.is_bot for each in near[-_OF_LATE:]) / _OF_LATE,
        "asked the bot of late": float(any(then.is_bot and each.author == line.author for each, then in pairs)),
        "the bot asked": float(said.rstrip(' .…"”)').endswith("?")),
        "the bot opened": float(since == 0 and opens_thread(said)),
    }


def _among_members(line: Line, near: Sequence[Line]) -> dict[str, float]:
    """Return whether a member may be waiting for an answer."""
    last = near[-1] if near else Line(text="", is_bot=True)
    others = [each for each in near if not each.is_bot and each.author != line.author]
    return {
        "a member asked": float(not last.is_bot and last.author != line.author and "?" in last.text),
        "a member asked me": float(bool(others) and _names({line.author}, others[-1].text)),
        "was mentioned": float(last.mentions_member),
    }


def _taken_up(text: str, near: Sequence[Line]) -> dict[str, float]:
    """Return how a line takes up an answer that was given just now."""
    is_close = _lines_since_bot(near) <= 1
    return {
        "asks for words": float(_ASKS_FOR_WORDS.search(text) is not None),
        **{name: float(is_close and form.search(text) is not None) for name, form in _TAKES_UP.items()},
    }


def _of_members(line: Line, near: Sequence[Line], asks: float) -> dict[str, float]:
    """Return whether a question is one about what a member has just said: "sure, which train?"."""
    talk = list(takewhile(lambda each: not each.is_bot, reversed(near)))
    is_after_member = bool(talk) and talk[0].author != line.author
    matter, is_of_third = len(content_stems(line.text)), forms()["a third person"].search(line.text) is not None
    after = asks * float(is_after_member)
    return {
        "bare, after a member": after * float(matter <= 1 and not is_of_third),
        "bare, of a third, after a member": after * float(matter <= 1 and is_of_third),
        "full, after a member": after * float(matter > 1),
        "that, after a member": after * float(matter <= _A_WORD_OR_TWO and _THAT.search(line.text) is not None),
        "short, after a member": float(is_after_member and len(words(line.text)) <= _A_WORD_OR_TWO * 2),
        "asks, the bot long silent": asks * float(len(talk) >= _LONG_SILENT),
        "asks amid plans": asks * float(any(_is_logistic(each.text) for each in talk[:_A_WORD_OR_TWO])),
        "asks in an exchange": after * float(len(talk) > 1 and talk[1].author == line.author),
    }


def _is_logistic(text: str) -> bool:
    return forms()["days and hours"].search(text) is not None or forms()["logistics"].search(text) is not None


def _shared_words(line: Line, near: Sequence[Line]) -> dict[str, float]:
    """Return how much of the matter of a line was spoken of before, and by whom."""
    matter, since = content_stems(line.text), _lines_since_bot(near)
    said = [each.text for each in near if each.is_bot]
    latest = said[-1] if said else ""
    return {
        "the bot's words": _share(matter, latest),
        "the bot's words now": _share(matter, latest if since <= 1 else ""),
        "a member's words": _share(matter, near[-1].text if near and since else ""),
        "any words of the bot's": _share(matter, " ".join(said)),
    }


def _lines_since_bot(near: Sequence[Line]) -> int:
    return next((count for count, each in enumerate(reversed(near)) if each.is_bot), LOOKED_BACK)


def _crossed(
    found: Mapping[str, float], around: Mapping[str, float], line: Line, near: Sequence[Line]
) -> dict[str, float]:
    """Return signals that only tell together."""
    is_alone = all(each.is_bot or each.author == line.author for each in near)
    asks = max(
        found["begins with a question word"],
        found["begins with an auxiliary"],
        found["begins with a foreign question word"],
        found["begins with a foreign auxiliary"],
    )
    after_bot = float(bool(near) and near[-1].is_bot)
    to_people = max(found["you"], found["the room"])
    count = len(words(line.text))
    # Members arrange what is to come; what was, a story tells.
    logistic = max(found["days and hours"], found["logistics"]) * (1 - float(_WAS.search(line.text) is not None))
    return {
        "asks": asks,
        "asks once more": asks * found["again"],
        "asks with a mark": asks * found["ends with a mark"],
        "a mark alone": (1 - asks) * found["ends with a mark"],
        "asks of the story": asks * (1 - to_people) * (1 - logistic) * (1 - found["i"]),
        "asks people": asks * to_people,
        "asks of logistics": max(asks, found["ends with a mark"]) * logistic,
        "goes on after the bot": after_bot * found["begins by going on"],
        "asks after the bot": after_bot * asks,
        "a mark after the bot": after_bot * found["ends with a mark"],
        "corrects after the bot": after_bot * found["corrects"],
        "you after the bot": after_bot * found["you"],
        "neither asks nor orders": float(not asks and not found["ends with a mark"] and not found["an order first"]),
        "asks with a name": asks * around["a name of the story"],
        "a short one goes on": float(count <= _A_SHORT_LINE) * after_bot * found["begins by going on"],
        "says no to the bot": after_bot * found["no, then a third"],
        "a mark, few words, after the bot": after_bot * found["ends with a mark"] * float(count <= _FEW_WORDS),
        "asks, drawn out": asks * max(found["drawn out"], found["loud"]),
        "orders or asks alone": float(is_alone)
        * (1 - max(to_people, logistic))
        * max(asks, found["an order first"], found["an order later"]),
        "a mark on one word": found["ends with a mark"] * float(count <= _A_WORD_OR_TWO),
        "loud with a mark": found["ends with a mark"] * max(found["loud"], found["marks at its end"]),
        "laughs and asks": max(asks, found["ends with a mark"]) * max(found["laughter"], found["an emoji"]),
        "a third after all": found["a third person"] * max(asks, found["ends with a mark"]),
    }


def _tells_of(near: Sequence[Line], text: str, people: set[str]) -> bool:
    """Whether a line holds a name that the bot has told of: a word that it wrote with a capital within a sentence."""
    told = {folded(name) for each in near if each.is_bot for name in NAME.findall(each.text)}
    return not told.isdisjoint(set(words(text)) - {folded(name) for name in people})


def _names(names: set[str], text: str) -> bool:
    return not set(words(text)).isdisjoint(_first_names(names))


def _called(names: set[str], text: str) -> bool:
    """Whether one of the names stands where people are called: first, last, or after a greeting, set off."""
    said = "|".join(re.escape(name) for name in sorted(_first_names(names)))
    if not said:
        return False
    return (
        re.search(
            rf"^\W*(?:(?:hey|hi|ok|so|no|yes|sorry|oh|aw+|well|and|but|thanks|thank you|lol)\W+)*(?:{said})\b(?!['’]s)"
            rf"|\b(?:{said})\W*$",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _first_names(names: set[str]) -> set[str]:
    """Return what members are called by: the first word of a display name."""
    return {word for name in names for word in words(name)[:1]}


def _share(matter: frozenset[str], text: str) -> float:
    return len(matter & content_stems(text)) / len(matter) if matter and text else 0.0
