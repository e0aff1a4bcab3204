"""Kinds of question that need no search, told by rules; `core.answering.extracts.answers` answers them."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core.understanding.asked import Asked, Kind
from core.understanding.asked_names import names_in
from core.understanding.clauses import clauses_of
from core.understanding.framed_kinds import framed_kind
from core.understanding.kind_rules import THING_FOUND, bare, by_rule, chapter_called, chapter_in, name_alone
from core.understanding.loose_kinds import asks_what_is_told, end_asked_for, kind_of_words
from core.understanding.words_of_asking import as_spelled, before_the_reader, without_asides

_WORDS_KEPT: Final = 1_000
"""Members ask in the same words again and again."""
_LONGEST: Final = 1_000
"""In characters: what is longer tells more than it asks."""
_RUN_OF_MARKS: Final = re.compile(r"([^\w\s])\1{3,}")
"""Some rules would look for their end at each mark of a run anew."""
_PRONOUNS: Final = frozenset({"he", "she", "him", "her", "they", "them", "it", "this", "that", "these", "those"})


@lru_cache(maxsize=_WORDS_KEPT)
def asked(question: str, *, about: str = "") -> Asked | None:
    """Return what kind of question it is; None for one that needs a search.

    `about` is what was said before, which a pronoun may stand for somebody of.
    """
    question = _RUN_OF_MARKS.sub(r"\1\1\1", question)
    if len(question) > _LONGEST:
        return None
    text = without_asides(as_spelled(" ".join(question.replace("’", "'").split())))
    found = _in_one_clause(text) or _by_clauses(text) or _before_the_reader(text) or chapter_called(text)
    found = found or name_alone(text)
    return _with_subject(found, about) if found else None


def _in_one_clause(text: str) -> Asked | None:
    """Return what kind of question a text is that is looked at as a whole."""
    chapter, beside = chapter_in(text)
    end = end_asked_for(beside) if chapter else ""
    if chapter and (end or asks_what_is_told(beside)):
        return replace(chapter, end=end)
    is_numbered = chapter is not None and chapter.chapter is not None
    return by_rule(text) or _named_before(text) or (None if is_numbered else _loosely(text) or _by_first_clause(text))


def _before_the_reader(text: str) -> Asked | None:
    """Return what is asked before the asker goes on about themselves: "what happened in ch 3 i was on the train"."""
    asking = before_the_reader(text)
    return _in_one_clause(asking) if asking else None


def _named_before(text: str) -> Asked | None:
    """Return whom one clause names and another asks for: "the guy with the heron, teo i think... who is he"."""
    parts = clauses_of(text)
    if parts is None or not parts.named:
        return None
    return Asked(kind=Kind.MEANING if parts.is_word else Kind.NAME, subject=bare(parts.named))


def _by_clauses(text: str) -> Asked | None:
    """Return what the one clause of several asks that asks at all.

    Beside a question about the story, which names nothing, there may be only what is about the readers.
    """
    parts = clauses_of(text)
    if parts is None:
        return None
    found = _in_one_clause(parts.asking)
    if found is None or (parts.is_guessed and found.kind not in _OF_ONE_THING):
        return None
    return found if parts.is_of_readers or found.subject or found.chapter is not None else None


def _by_first_clause(text: str) -> Asked | None:
    """Return what the first clause asks where what follows asks nothing: "what's an ulster, he puts one on"."""
    first, comma, rest = text.partition(",")
    if not comma or _ASKS_ON.search(rest):
        return None
    found = by_rule(first)
    return found if found and found.kind is Kind.MEANING else None


def _loosely(text: str) -> Asked | None:
    """Return what the words of a question say that it is, however they are put together."""
    kind = kind_of_words(text)
    if kind:
        return Asked(kind=Kind(kind), end=end_asked_for(text) if kind == Kind.LAST_CHAPTER else "")
    framed = None if THING_FOUND.search(text) else framed_kind(text)
    return Asked(kind=Kind(framed.kind), subject=bare(framed.subject)) if framed else None


def _with_subject(found: Asked, about: str) -> Asked | None:
    if found.kind not in {Kind.WHO, Kind.FIRST} or found.subject.casefold() not in _PRONOUNS:
        return found
    named = names_in(about)
    return Asked(kind=found.kind, subject=named[-1]) if named else None


_OF_ONE_THING: Final = frozenset({Kind.WHO, Kind.NAME, Kind.MEANING})
"""What may be guessed at along with the question."""
_ASKS_ON: Final = re.compile(r"\b(?:who|what|where|when|why|how|which|whose|did|does|do|is|was)\b", re.IGNORECASE)
