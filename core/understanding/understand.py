"""What a message means: one call a message, for every platform (ADR 49).

What is plain by its form (a mention, a reply, another bot's command) needs no model; all else a classifier decides,
fitted on labelled wordings. Slots are read by rules and a tagger. What was said before counts too.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.domain.conversation import AskedAs, Line, RepliesTo
from core.domain.reading import Listen
from core.domain.understanding import ABOUT_BOOK, NOBODY_ASKED, Intent, Slots, Understanding
from core.understanding.classifier import Classifier, classifier
from core.understanding.said_position import is_of_copy, position_said, says_we
from core.understanding.slots import numbers_in, slots_of

_OTHER_BOTS_COMMAND: Final = re.compile(
    r"^\s*(?:[!.$%?;+~-]{1,2}[a-z][\w-]*\b(?!\s*\?)|/(?!setpage\b|thusfar\b|mypage\b)[a-z]\w*\b)"
)
_CALLS_BOT: Final = re.compile(r"^\W*(?:\w+\W+)?thusfar\b|\bthusfar\W*$", re.IGNORECASE)
_LINK: Final = re.compile(r"<?https?://\S+>?")
_LETTER: Final = re.compile(r"[^\W\d_]")
_EMOJI_NAME: Final = re.compile(r":[\w+-]+:")
_ABOUT_BOOK_FROM: Final = 0.4
_SAYS_PAGE_FROM: Final = 0.6
_UNDERSTOOD_FROM: Final = 0.3


def understand(
    line: Line,
    before: Sequence[Line] = (),
    *,
    listen: Listen = Listen.QUESTIONS,
    direct: bool = False,
    known: Classifier | None = None,
) -> Understanding:
    """Return what a message means.

    Args:
        line: the message.
        before: what was said before it in its thread, oldest first; the last dozen lines count.
        listen: what the thread is listened to for.
        direct: whether it is a direct message to the bot.
        known: the model that decides; by default the one that ships.
    """
    plain = by_form(line, listen=listen, direct=direct)
    if plain is not None and plain[0] is AskedAs.NO:
        return replace(NOBODY_ASKED, reason=plain[1])
    known = known or classifier()
    intents = known.chances(line, before, direct=direct)
    chance = 1.0 if plain else known.chance_of_bot(line, before, intents, direct=direct)
    addressed, reason = plain or (_by_chance(chance, known), "by what is said")
    intent = _likeliest(line.text, intents)
    answers_member = bool(before) and not before[-1].is_bot and "?" in before[-1].text
    if addressed in {AskedAs.NO, AskedAs.PERHAPS} and not answers_member and _says_how_far(line.text, intents):
        addressed, reason = AskedAs.LIKELY, "says how far all have read"
    return Understanding(
        addressed=addressed,
        intent=intent,
        slots=slots_of(line, before, intent, known),
        in_scope=intent is not Intent.OFF_TOPIC,
        chance=chance,
        confidence=intents[intent],
        off_topic=intents[Intent.OFF_TOPIC],
        reason=reason,
    )


def _likeliest(text: str, chances: dict[Intent, float]) -> Intent:
    """Return the likeliest intent; a question about the book before all others, where such are likely together.

    A question that names no page, such as "at six?", says nobody's page. What is not understood is small talk.
    """
    about_book = sum(chances[each] for each in ABOUT_BOOK)
    among = [each for each in Intent if each.is_about_book == (about_book >= _ABOUT_BOOK_FROM)]
    found = max(among, key=chances.__getitem__)
    if found is not Intent.SET_PAGE and is_of_copy(text):
        return Intent.MY_PAGE
    if not found.is_about_book and chances[found] < _UNDERSTOOD_FROM:
        return Intent.SMALL_TALK
    if found in {Intent.SET_PAGE, Intent.MY_PAGE} and "?" in text and position_said(text) is None:
        return max(ABOUT_BOOK, key=chances.__getitem__)
    return found


def _says_how_far(text: str, intents: dict[Intent, float]) -> bool:
    """Whether a message says how far all have read, and nothing else: "we're on chapter 5 now"."""
    if intents[Intent.SET_PAGE] < _SAYS_PAGE_FROM or not says_we(text):
        return False
    said, named = position_said(text), numbers_in(Slots(), text, Intent.SMALL_TALK)
    # A bare number or "done" may answer anybody.
    return said is not None and said.is_plain and (named.page or named.chapter or named.amount) is not None


def _by_chance(chance: float, known: Classifier) -> AskedAs:
    if chance >= known.sure:
        return AskedAs.YES
    if chance >= known.likely:
        return AskedAs.LIKELY
    return AskedAs.PERHAPS if chance >= known.perhaps else AskedAs.NO


def by_form(line: Line, *, listen: Listen, direct: bool) -> tuple[AskedAs, str] | None:
    """Return whether a message is plainly for the bot, or not, and why; None where its form does not tell."""
    if direct or line.mentions_bot or line.replies_to is RepliesTo.BOT:
        return AskedAs.YES, "said to the bot itself"
    against = "only mentions are listened to" if listen is Listen.MENTIONS else _against(line)
    if against:
        return AskedAs.NO, against
    if _CALLS_BOT.search(line.text):
        return AskedAs.YES, "calls the bot by name"
    if line.replies_to is RepliesTo.MEMBER:
        return AskedAs.NO, "replies to a member"
    return (AskedAs.YES, "all is listened to") if listen is Listen.ALL else None


def _against(line: Line) -> str:
    """Return why a message is plainly not for the bot; empty where its form does not tell."""
    if line.mentions_member:
        return "mentions a member"
    if _OTHER_BOTS_COMMAND.match(line.text):
        return "a command of another bot"
    words = _EMOJI_NAME.sub("", line.text)
    if not _LETTER.search(_LINK.sub("", words)) and not any(letter.isdigit() for letter in words):
        return "a bare link" if _LINK.search(words) else "no words"
    return ""
