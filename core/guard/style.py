"""Style features of a sentence: whether it is about the story, or about the book, its readers and the conversation.

The word lists fit any book club. Do not add words of one book.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from core.guard.words import word_set

THIRD_PERSONS: Final = word_set("he she his her him hers himself herself they them their theirs themselves")
_PEOPLE: Final = word_set("""
    man woman boy girl lady gentleman father mother brother sister son daughter wife husband uncle aunt cousin friend
    servant doctor captain master mistress king queen lord child children stranger lover widow killer murderer victim
    hero heroine bride groom suitor family captive prisoner clergyman vicar officer sailor knight creature monster
    """)
_SPEAKERS: Final = word_set(
    "i you we us your my our let's i'd i'll i'm i've you'll you'd you're you've we'll we're we've"
)
_OPENERS: Final = _SPEAKERS | word_set("would if that what how which shall do take good many it")
TALK: Final = word_set("""
    page pages book books chapter chapters read reading reader readers story stories novel author writer writing written
    write writes spoil spoiler spoilers bookmark narrator narration narrated narrates tone style plot theme themes
    question answer passage scene opening opens setting mystery mysteries genre guess guessing tell talk recap summary
    finish finished discuss discussion prose club group topic subject voice word words sentence sentences told tale
    fiction detective gothic romance classic title paragraph far ahead wait hurry note notes list keep careful compare
    opinion think feel favourite prefer enjoy interesting humour irony comic comedy satire mood atmosphere language
    describes description descriptions begins beginning introduces introduced hints pace novels novelist authors writers
    text texts scenes dialogue dialogues preface footnote footnotes critics film films version detail details clear
    unclear point passages mention mentions mentioned titles paragraphs settings explain explains guesses quote quoted
    """)
_FORESHADOWS: Final = word_set("""
    will would later eventually finally end ends ended turns prove proves proved never last secretly really truth true
    truly actually reveal revealed reveals discover discovers ultimately soon before until become becomes someday yet
    instead fate remember watch careful nothing more seems
    """)
_WE: Final = word_set("i i'll i'm we us let let's")
_WILL: Final = word_set("will won't")
_DENIES: Final = word_set("can't cannot don't haven't not couldn't won't isn't wouldn't")

_NEXT_TO_NOTHING: Final = 3


def style_features(text: str, words: Sequence[str]) -> dict[str, float]:
    """Return the style features of a sentence by name; `words` are its folded words."""
    count = max(len(words), 1)
    return {
        "questions": text.count("?"),
        "you": sum(word.startswith("you") for word in words),
        "i": _how_many(words, _WE),
        "talk_words": _how_many(words, TALK),
        "foreshadows": _how_many(words, _FORESHADOWS),
        "denies": _how_many(words, _DENIES),
        "words": len(words),
        "will": _how_many(words, _WILL),
        "third": _how_many(words, THIRD_PERSONS),
        "people": _how_many(words, _PEOPLE),
        "speakers": _how_many(words, _SPEAKERS) / count,
        "opener": float(bool(words) and words[0] in _OPENERS),
        "past": sum(word.endswith("ed") for word in words) / count,
        "digits": sum(map(_has_digit, words)),
        "definite": words.count("the"),
    }


def is_talk(values: Mapping[str, float]) -> bool:
    """Whether a sentence mentions nobody of the story, and is about the book or its readers, vague, or very short."""
    if values["third"] or values["people"] or values["names"] or values["strangers"]:
        return False
    return speaks_of_book(values) or not values["definite"] or values["matter_words"] <= _NEXT_TO_NOTHING


def speaks_of_book(values: Mapping[str, float]) -> bool:
    """Whether a sentence is about the book or its readers and mentions nobody of the story."""
    nobody = not (values["third"] or values["people"] or values["names"] or values["strangers"])
    return nobody and bool(values["talk_words"] or values["speakers"])


def _how_many(words: Iterable[str], listed: frozenset[str]) -> int:
    """Count the words that are on a list."""
    return sum(word in listed for word in words)


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
