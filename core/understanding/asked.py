"""Which kind of answer a question about the book wants; `core.answering.extracts.answers` gives it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.domain.book_places import PIECES
from core.domain.conversation import Line
from core.domain.numbers import read_number
from core.domain.question import Question
from core.domain.understanding import Intent, Slots, Understanding
from core.language.names import names_in
from core.language.words import words
from core.understanding.understand import understand


class Kind(StrEnum):
    """What is asked for."""

    CAST = "cast"
    WHO = "who"
    FIRST = "first"
    RECAP = "recap"
    CHAPTER = "chapter"
    LAST_CHAPTER = "last chapter"
    THIS_CHAPTER = "this chapter"
    JUST_NOW = "just now"
    STOPPED = "stopped"
    HOW_FAR = "how far"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question of some kind: about whom or what, or about which chapter.

    `called` is what the chapter is called, where that is no chapter: a letter, a scene. `end` is `begins` or `ends`
    where one end of it is asked for.
    """

    kind: Kind
    subject: str = ""
    chapter: int | None = None
    called: str = ""
    end: str = ""


_KINDS: Final[Mapping[Intent, Kind]] = {
    Intent.CAST: Kind.CAST,
    Intent.WHO: Kind.WHO,
    Intent.FIRST_MET: Kind.FIRST,
    Intent.RECAP: Kind.RECAP,
    Intent.JUST_NOW: Kind.JUST_NOW,
    Intent.STOPPED: Kind.STOPPED,
    Intent.HOW_FAR: Kind.HOW_FAR,
    Intent.WORD: Kind.MEANING,
}
_NAMED: Final = frozenset({Kind.WHO, Kind.FIRST, Kind.MEANING})
_UNDERSTOOD_FROM: Final = 0.2
_OF_PAGES: Final = frozenset({Intent.CHAPTER, Intent.HOW_FAR})
_PRONOUNS: Final = frozenset(["", *words("he she him her they them it this that these those")])
_PIECE: Final = re.compile(rf"\b({'|'.join(PIECES)})\s+(?:the\s+)?(\w+(?:-\w+)?)", re.IGNORECASE)
_BEFORE: Final = frozenset(words("last previous earlier letztes letzten vorigen dernier précédent último anterior"))
_END: Final = frozenset(words("end ends ended ending close closes endet ende finit fin termina acaba final"))
_BEGINNING: Final = frozenset(
    words("begin begins began beginning start starts started open opens beginnt anfang début comienza")
)


def understood(question: Question) -> Understanding:
    """Return what a question means: as it was heard, else by its text alone."""
    return question.understood or understand(Line(text=question.text, mentions_bot=True))


def asked(meaning: Understanding, text: str, *, about: str = "") -> Asked | None:
    """Return what kind of answer a message wants; None where that needs a search.

    `about` is what was said before, which a pronoun may stand for somebody of.
    """
    if _needs_search(meaning):
        return None
    if meaning.intent is Intent.CHAPTER:
        return _of_chapter(meaning, text)
    kind = _KINDS.get(meaning.intent)
    if kind not in _NAMED:
        return None if kind is None else Asked(kind=kind)
    subject = _subject(kind, meaning.slots, text)
    if subject.casefold() in _PRONOUNS:
        subject = next(reversed(names_in(text) or names_in(about)), "")
    return Asked(kind=kind, subject=subject) if subject else None


def _needs_search(meaning: Understanding) -> bool:
    """Whether a search may tell more: of a page, and of what is hardly understood."""
    is_of_page = meaning.intent in _OF_PAGES and meaning.slots.page is not None
    return is_of_page or meaning.confidence < _UNDERSTOOD_FROM


def _subject(kind: Kind, slots: Slots, text: str) -> str:
    """Return whom or what a question is about, without a word that begins it ("Describe Ahab"); empty if not said."""
    if kind is Kind.MEANING:
        return slots.word or slots.quote or slots.name
    is_of_two = kind is Kind.WHO and slots.name and slots.other_name
    begins = "?" not in text and text.startswith(slots.name)
    name = slots.name.partition(" ")[2] or slots.name if begins else slots.name
    return f"{name} and {slots.other_name}" if is_of_two else name


def _of_chapter(meaning: Understanding, text: str) -> Asked:
    said, chapter, called = set(words(text)), meaning.slots.chapter, ""
    if chapter is None and (piece := _PIECE.search(text)):
        chapter, called = read_number(piece[2]), piece[1].casefold()
    end = "ends" if said & _END else "begins" if said & _BEGINNING else ""
    if chapter is not None:
        return Asked(kind=Kind.CHAPTER, chapter=chapter, called=called, end=end)
    return Asked(kind=Kind.LAST_CHAPTER if said & _BEFORE else Kind.THIS_CHAPTER, end=end)
