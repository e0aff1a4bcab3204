"""What a member may type after `/edition`, and how a page of their copy stands before what they type after others."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.errors import PositionError
from core.domain.numbers import read_number
from core.domain.patterns import late_pattern

EDITION_FORMS: Final = sentence("312, 312 first 7, ch 5 at 81, or reset")
_NOT_UNDERSTOOD: Final = sentence("I don't understand that about a copy. Use `/edition` with {forms}.")

_MOST_CHARACTERS = 300
_CLUB = late_pattern(r"club(?: |$)")
_PAGES = late_pattern(r"(?P<last>\d{1,6})(?: ?(?:pages?|pp?\.?))?")
_FIRST = late_pattern(r"(?:first|from|begins?(?: on| at)?)(?: page| p\.?)? ?(?P<first>\d{1,6})")
_CHAPTER = late_pattern(
    r"(?:chapter|chap\.?|ch\.?) ?(?P<chapter>\w+(?:[ -]\w+)??)(?: at| on| is)?[ =:]+(?:page |pg?\.? ?)?(?P<page>\d+)"
)
_GAP = late_pattern(r"[ ,;]+")
_COPY_PAGE = late_pattern(
    r"\s*(?:\(\s*)?(?:my\s+)?(?:page|pg?\.?)\s*(?P<page>\d{1,6})(?!\d)\s*[):,;.–—-]*\s*(?=\S)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterStart:
    """A chapter, by the number that a member gives it, and the page of their copy on which it begins."""

    chapter: int
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EditionRequest:
    """What is said of a copy: the club's or the member's own; to forget it; how many pages; where chapters begin.

    Nothing at all asks what is known.
    """

    for_club: bool = False
    forgets: bool = False
    last_page: int | None = None
    first_page: int | None = None
    chapters: tuple[ChapterStart, ...] = ()

    @property
    def asks(self) -> bool:
        """Whether nothing is said, so that what is known is asked for."""
        return not self.forgets and self.last_page is None and self.first_page is None and not self.chapters


def parse_edition(text: str) -> EditionRequest:
    """Read what a member typed after `/edition`.

    Raises:
        PositionError: it is no such form; one sentence that shows the forms and repeats nothing of the text.
    """
    rest = " ".join(unicodedata.normalize("NFKC", text[:_MOST_CHARACTERS]).casefold().split())
    club = _CLUB.match(rest)
    rest = rest[club.end() :] if club else rest
    if rest in {"reset", "none", "forget"}:
        return EditionRequest(for_club=bool(club), forgets=True)
    pages = _PAGES.match(rest)
    rest = _after(rest, pages)
    first = _FIRST.match(rest)
    rest = _after(rest, first)
    chapters = []
    while found := _CHAPTER.match(rest):
        number = read_number(found["chapter"])
        if number is None:
            break
        chapters.append(ChapterStart(chapter=number, page=int(found["page"])))
        rest = _after(rest, found)
    if rest and rest != "show":
        raise PositionError(say(_NOT_UNDERSTOOD, forms=say(EDITION_FORMS)))
    return EditionRequest(
        for_club=bool(club),
        last_page=int(pages["last"]) if pages else None,
        first_page=int(first["first"]) if first else None,
        chapters=tuple(chapters),
    )


def split_copy_page(text: str) -> tuple[int | None, str]:
    """Divide `p. 81: and the rain` into the page of somebody's copy and the words; no page where none is named."""
    match = _COPY_PAGE.match(text)
    return (int(match["page"]), text[match.end() :]) if match else (None, text)


def _after(text: str, match: re.Match[str] | None) -> str:
    """Return what follows a match, which must end at a gap; all of it where it does not."""
    if match is None:
        return text
    gap = _GAP.match(text, match.end())
    if gap is None and match.end() < len(text):
        raise PositionError(say(_NOT_UNDERSTOOD, forms=say(EDITION_FORMS)))
    return text[gap.end() if gap else match.end() :]
