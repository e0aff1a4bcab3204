"""What kind of question it is by its frame: words of asking around the few that say whom or what is meant.

"give me the lowdown on Mr Craven", "the old gardener, whats he like", "whereabouts did the robin first appear",
"firkin?? meaning": however the words of asking are put together, what they leave over in one piece is what is asked
about. Which of them there are tells what is wanted. A question that leaves over words in two places is for others.
"""

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from core.domain.patterns import late_pattern

_TOKEN: Final = late_pattern(r"(?:Mr|Mrs|Ms|Dr|Mme|M|St|Capt)\.(?=\s)|[^\W_]+(?:['’-][^\W_]+)*")
_QUOTED: Final = late_pattern(r"[\"“‘']([^\"“”‘’']{2,40})[\"”’'](?!\w)")
_MOST_OF_SUBJECT: Final = 4
_MOST_WORDS: Final = 18
_SMALL: Final = frozenset({"a", "of", "the", "de", "la", "le", "du", "van", "von", "der"})
_PLAIN: Final = 3
"""So many words without a capital may be a name that somebody typed in haste."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """What a frame asks for, by the name of its kind, and about whom or what."""

    kind: str
    subject: str


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ARTICLES: Final = _words("the a an this that old young little poor")
_POLITE: Final = _words(
    "so and but ok okay hey hi hello wait sorry um uh er erm hmm well now please pls plz thanks thx lol haha again "
    "once more anyway btw quick quickly just real really actually can could would will u you i i'm im i've ive we "
    "us me my someone somebody anyone anybody guys thusfar not sure don't dont can't cant cannot know remember "
    "recall forget forgot forgotten forgets lost track remind tell give gimme show help need want to get got do "
    "does did have has had for of about on the a an is was are were s be idk whether if one bit little any been it "
    "that this there far till else refresh memory blanking blank all kindly keep keeps mixing mixed confused confusing"
)
_AFTER: Final = _words(
    "again please pls plz sorry thanks thx lol so far now then here anyway though to us me for in the this our book "
    "story novel by exactly actually really once more until till up at point first"
)
_OF_PERSON: Final = _words(
    "who whos who's whose what whats what's which how describe description descriptions info information details "
    "lowdown deal background profile summary sketch sort kind type person people character guy man woman girl boy "
    "kid bloke chap dude fella lady gentleman fellow explain meet met everything anything something like say said "
    "with need"
)
_BEHIND_PERSON: Final = _AFTER | _words(
    "is was are were who whos who's he she him her that it they guy character person man woman kid chap dude fella "
    "bloke like what whats what's info description description's deal as a"
)
_WHO: Final = late_pattern(r"\bwho(?:'?s)?\b")
_IS: Final = late_pattern(r"\b(?:is|was|are|were)\b")
_WHO_IS: Final = late_pattern(r"\bwho(?:'?s|\s+(?:is|was|are|were))\b")
_TELLS_OF: Final = _words("describe description info information details lowdown background profile sketch")
_NOT_ABOUT: Final = late_pattern(
    r"\b(?:who|whos|what|which|how)\W+(?:\w+\W+)?(?:did|does|do|had|has|have|will)\b"
    r"|\bwho\W+(?:forg[eo]t\w*|los[te]\w*|remember\w*|need\w*|want\w*|told|gave|gives?|got|gets|showe?d?|helpe?d?)\b"
)
_KIND_OF_PERSON: Final = late_pattern(
    r"\b(?:sort|kind|type)\s+of\s+(?:an?\s+)?(?:person|character|guy|man|woman|girl|boy|kid)"
)
_FORGOTTEN: Final = late_pattern(
    r"\b(?:remind|refresh|anything|something|tell|forg[eo]t(?:ten)?|explain|everything|can'?t|cannot|don'?t|not|do\s+you|any(?:one|body))\b"
)
_FORGOTTEN_ABOUT: Final = late_pattern(r"\b(?:about|of|on|me|who|remember|recall|know|forg[eo]t(?:ten)?)$")
_HANGING: Final = _words("with by about for of to in at from")
_KNOWN_ABOUT: Final = late_pattern(r"\bknow\b.*\b(?:about|of)$")
_OF_PLACE: Final = _words(
    "where wheres where's where'd when whens when's when'd what whats what's which page pages chapter part "
    "whereabouts how time times first appearance mention meeting ever meet met see saw seen run ran into come came "
    "across encounter encountered encounters hear heard read at in bump bumped point learn learned find out book "
    "story novel with it on before"
)
_BEHIND_PLACE: Final = _AFTER | _words(
    "appear appears appeared appearing mentioned introduced introduce show shows showed shown up turn turns turned "
    "come comes came met meet seen enter enters entered time appearance mention pop pops popped get gets in into on "
    "before it"
)
_ASKS_WHERE: Final = late_pattern(
    r"\b(?:where(?:'?[sd])?|when(?:'?[sd])?|whereabouts|first|(?:what|which)\s+(?:page|chapter|part))\b"
)
_READERS_MET: Final = late_pattern(
    r"\b(?:we|i|us)\b.*\b(?:meet|met|see|saw|seen|run|ran|come|came|encounter\w*|hear|heard|bump\w*|learn\w*|read)\b"
)
_CAME_UP: Final = late_pattern(
    r"\b(?:first\s+(?:page|chapter|time|scene)|appear\w*|mention\w*|introduced?|meeting|show(?:s|ed|n)?\s+up|turn(?:s|ed)?\s+up|pop(?:s|ped)?\s+up"
    r"|come[s]?\s+(?:in|into|up)|came\s+(?:in|into|up)|enter(?:s|ed)?)\b"
)
_OF_MEANING: Final = _words(
    "what whats what's which mean means meaning meant define definition defined explain word words term expression "
    "phrase by with they supposed are stand stands"
)
_BEHIND_MEANING: Final = _AFTER | _words(
    "mean means meaning meant is are definition word context sentence supposed what whats"
)
_ASKS_MEANING: Final = late_pattern(r"\bwhat(?:'?s)?\b.*\bmean(?:s|t)?\b|\bmeaning\b|\bdefin\w+")
_NO_WORD: Final = _words("it that this he she they him her them these those you i we")


def framed_kind(question: str) -> Framed | None:
    """Return what a question's frame asks for; None for others."""
    text = question.replace("’", "'")
    tokens = _TOKEN.findall(text)
    if not 1 < len(tokens) <= _MOST_WORDS:
        return None
    return _meaning(text, tokens) or _person(tokens) or _first(tokens)


def _meaning(text: str, tokens: list[str]) -> Framed | None:
    quoted = _QUOTED.findall(text)
    if len(quoted) == 1 and len(quoted[0].split()) <= _MOST_OF_SUBJECT:
        rest = _TOKEN.findall(text.replace(quoted[0], " "))
        known = _POLITE | _OF_MEANING | _BEHIND_MEANING
        is_asked = _ASKS_MEANING.search(_joined(rest)) is not None
        return Framed(kind="meaning", subject=quoted[0]) if is_asked and _all_in(rest, known) else None
    found = _taken_apart(tokens, _POLITE | _OF_MEANING, _BEHIND_MEANING)
    if found is None:
        return None
    before, subject, after = found
    is_asked = _ASKS_MEANING.search(_joined(before + after)) is not None
    is_word = subject.casefold() not in _NO_WORD and not subject[0].isupper()
    return Framed(kind="meaning", subject=subject) if is_asked and is_word else None


def _person(tokens: list[str]) -> Framed | None:
    found = _taken_apart(tokens, _POLITE | _OF_PERSON, _BEHIND_PERSON)
    if found is None:
        return None
    before, subject, after = found
    is_asked = _asks_who(before, after) or _asks_what_like(before, subject, after) or _asks_to_be_told(before)
    return Framed(kind="name", subject=subject) if is_asked and not _is_of_deeds(before, after) else None


def _asks_who(before: list[str], after: list[str]) -> bool:
    """Whether it asks who somebody is, or for a word about them."""
    begins, ends = _joined(before), _joined(after)
    is_who = _WHO_IS.search(begins) or _WHO.search(ends) or (_WHO.search(begins) and _IS.search(ends))
    return bool(is_who) or not _TELLS_OF.isdisjoint(_folded(before + after))


def _asks_what_like(before: list[str], subject: str, after: list[str]) -> bool:
    """Whether it asks what sort of person somebody is, or what is the matter with somebody named."""
    begins = _joined(before)
    if _KIND_OF_PERSON.search(begins) or "like" in _folded(after):
        return True
    is_named = subject.split(maxsplit=1)[0].casefold() not in _ARTICLES
    return is_named and re.search(r"\bdeal\s+with\b", begins) is not None


def _asks_to_be_told(before: list[str]) -> bool:
    """Whether it asks what is known, or was forgotten, about somebody."""
    begins = _joined(before)
    return bool(_KNOWN_ABOUT.search(begins) or (_FORGOTTEN.search(begins) and _FORGOTTEN_ABOUT.search(begins)))


def _is_of_deeds(before: list[str], after: list[str]) -> bool:
    """Whether it asks what somebody did, or who else took part: that is searched."""
    begins = _joined(before)
    is_hanging = bool(after) and after[-1].casefold() in _HANGING
    return is_hanging or bool(_NOT_ABOUT.search(begins) and not _KNOWN_ABOUT.search(begins))


def _first(tokens: list[str]) -> Framed | None:
    found = _taken_apart(tokens, _POLITE | _OF_PLACE, _BEHIND_PLACE)
    if found is None:
        return None
    before, subject, after = found
    whole = f"{_joined(before)} ¦ {_joined(after)}"
    is_asked = _ASKS_WHERE.search(whole) and (_READERS_MET.search(_joined(before)) or _CAME_UP.search(whole))
    words = _folded(subject.split())
    is_short = sum(word not in _SMALL for word in words) <= _PLAIN
    is_somebody = subject[0].isupper() or is_short or words[0] in _ARTICLES
    return Framed(kind="first", subject=subject) if is_asked and is_somebody else None


def _taken_apart(tokens: list[str], frame: Set[str], behind: Set[str]) -> tuple[list[str], str, list[str]] | None:
    """Return the words before what a frame leaves over, that, and those behind it; None where it is in pieces."""
    inside = [at for at, token in enumerate(tokens) if token.casefold() not in frame or _is_name(tokens, at)]
    if not inside:
        return None
    begin, end = inside[0], inside[0] + 1
    while end in inside and not _all_in(tokens[end:], behind):
        end += 1
    begin -= _articles_before(tokens, begin)
    subject, after = tokens[begin:end], tokens[end:]
    if len(subject) > _MOST_OF_SUBJECT or not _all_in(after, behind):
        return None
    return tokens[:begin], " ".join(subject), after


def _articles_before(tokens: list[str], at: int) -> int:
    """Return how many articles stand right before a word."""
    count = 0
    while count < at and tokens[at - count - 1].casefold() in _ARTICLES and not _is_name(tokens, at - count - 1):
        count += 1
    return count


def _is_name(tokens: list[str], at: int) -> bool:
    """Whether a word of the frame stands as a name: with a capital within the question."""
    return at > 0 and tokens[at][0].isupper() and tokens[at] not in {"I", "I'm", "I've"}


def _all_in(tokens: list[str], known: Set[str]) -> bool:
    return all(token.casefold() in known for token in tokens)


def _folded(tokens: list[str]) -> list[str]:
    return [token.casefold() for token in tokens]


def _joined(tokens: list[str]) -> str:
    return " ".join(_folded(tokens))
