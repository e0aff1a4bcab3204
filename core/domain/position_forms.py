"""What a member may type after `/setpage`, and the numbers printed in labels and chapter titles (spec section 2).

Reading a form needs no book; `core.domain.position.resolve` finds the page it means.
"""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from core.domain.errors import PositionError
from core.domain.numbers import is_canonical_roman, leading_number, read_number


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """`120`, `p. 120`, `xii`: a page by its printed label, or by its number where the book has no labels.

    `of` is how many pages there are said to be (`page 120 of 312`), None where that was not said.
    """

    label: str
    of: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterStartRequest:
    """`ch 7`: the chapter has begun, nothing of it is read."""

    chapter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterDoneRequest:
    """`ch 7 done`, `finished 7`: the chapter is read to its end."""

    chapter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PercentRequest:
    """`45%`: so much of the book's pages. `percent` is exact and may be over 100, which `resolve` refuses."""

    percent: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRequest:
    """`end`: the whole book."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRequest:
    """`0`: begun, nothing read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetRequest:
    """`reset`: back to unset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowRequest:
    """`follow`: the thread gives its own position up and goes by the reading's again. It names no page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRequest:
    """`undo`: the last change is taken back. It names no page."""


PositionRequest = (
    PageRequest
    | ChapterStartRequest
    | ChapterDoneRequest
    | PercentRequest
    | EndRequest
    | BegunRequest
    | ResetRequest
    | FollowRequest
    | UndoRequest
)

FORMS = "120, p. 120, xii, ch 7, ch 7 done, 45%, end, 0, reset, follow or undo"

_WORDS: dict[str, PositionRequest] = {
    "end": EndRequest(),
    "the end": EndRequest(),
    "reset": ResetRequest(),
    "follow": FollowRequest(),
    "undo": UndoRequest(),
}
_MAX_CHARACTERS = 64
_MAX_TITLE_CHARACTERS = 200
# Look-alikes that stand for the plain character. Others (superscripts, fractions, circles) would change a number.
_PLAIN_VARIANTS = frozenset({"<wide>", "<narrow>", "<compat>", "<noBreak>"})

_AFTER_WORD = r"(?:\. ?| |(?=[0-9]))"
_CHAPTER_WORD = rf"(?:chapter|chap|ch){_AFTER_WORD}"
_PAGE = re.compile(rf"(?:(?:page|pg|p){_AFTER_WORD})?(?P<label>[0-9]+|[a-z]-?[0-9]+|[0-9]+[a-z]|[ivxlcdm]+)")
_PERCENT = re.compile(r"(?P<whole>[0-9]+)(?:[.,](?P<part>[0-9]+))? ?(?:%|percent|per cent)")
_CHAPTER = re.compile(rf"{_CHAPTER_WORD}(?P<number>.+?)(?P<done> done)?")
_FINISHED = re.compile(rf"finished (?:{_CHAPTER_WORD})?(?P<number>.+)")

_TITLE_CHAPTER = re.compile(rf"\b{_CHAPTER_WORD}(?P<rest>.+)")
_TITLE_PIECE = re.compile(rf"(?:letter|stave|canto|fit|episode|scene|section|tale|adventure){_AFTER_WORD}(?P<rest>.+)")
_TITLE_DIVISION = re.compile(rf"(?:part|book|volume|vol|act){_AFTER_WORD}(?P<rest>.+)")
_TITLE_BREAK = re.compile(r"[.:)](?= |$)|[–—]| - ")


def parse_position(text: str) -> PositionRequest:
    """Read what a member typed as a position, whatever its case, its outer white space or the width of its digits.

    The forms are those of the table in spec section 2, with `follow` and `undo`.

    Raises:
        PositionError: anything else; one sentence that shows the forms and repeats nothing of the text.
    """
    form = _fold_form(text).removesuffix(".")
    request = _WORDS.get(form) or _percent(form) or _chapter(form) or _page(form)
    if request is None:
        raise PositionError(f"That is not a position; say how far you have read as {FORMS}.")
    return request


def page_label(text: str) -> str | None:
    """Return a page label as it is compared (`XII` as `xii`, `P. 012` as `12`), None if it is none.

    Labels that no form can name (`Cover`) are none, so that no wording of a book's maker is ever shown in a refusal.
    """
    match = _PAGE.fullmatch(_fold_form(text))
    if match is None:
        return None
    label = match["label"]
    if label.isdigit():
        return str(int(label))
    return label if not label.isalpha() or is_canonical_roman(label) else None


def printed_chapter_number(title: str) -> int | None:
    """Return the number printed in a chapter's title: `Chapter V`, `Letter II`, `7. The Shore`, `Chapter the Third`."""
    folded = _fold_title(title)
    for match in (_TITLE_CHAPTER.search(folded), _TITLE_PIECE.match(folded)):
        if match and (found := leading_number(match["rest"])):
            return found.value
    return read_number(_TITLE_BREAK.split(folded, maxsplit=1)[0].strip())


def printed_division_number(title: str) -> int | None:
    """Return the number of a title that names more than a chapter (`Part II`, `Book the First`), None otherwise."""
    match = _TITLE_DIVISION.match(_fold_title(title))
    found = leading_number(match["rest"]) if match else None
    return found.value if found else None


def _percent(form: str) -> PercentRequest | None:
    match = _PERCENT.fullmatch(form)
    return PercentRequest(percent=Fraction(f"{match['whole']}.{match['part'] or 0}")) if match else None


def _chapter(form: str) -> ChapterStartRequest | ChapterDoneRequest | None:
    match = _CHAPTER.fullmatch(form)
    finished = None if match else _FINISHED.fullmatch(form)
    if (found := match or finished) is None or (number := read_number(found["number"])) is None:
        return None
    if finished or found["done"]:
        return ChapterDoneRequest(chapter=number)
    return ChapterStartRequest(chapter=number)


def _page(form: str) -> PageRequest | BegunRequest | None:
    page, _, of = form.partition(" of ")
    label = page_label(page)
    if label is None or (of and not of.isdigit()):
        return None
    return BegunRequest() if label == "0" else PageRequest(label=label, of=int(of) if of else None)


def _fold_form(text: str) -> str:
    """Fold case, width and spaces; what is too long or holds foreign characters becomes empty, which is no form."""
    stripped = text.strip()
    if len(stripped) > _MAX_CHARACTERS or not all(_is_plain(character) for character in stripped):
        return ""
    folded = re.sub(r"[ \t]+", " ", unicodedata.normalize("NFKC", stripped).casefold()).strip()
    return folded if folded.isascii() and folded.isprintable() else ""


def _is_plain(character: str) -> bool:
    decomposition = unicodedata.decomposition(character)
    return not decomposition.startswith("<") or decomposition.split()[0] in _PLAIN_VARIANTS


def _fold_title(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title[:_MAX_TITLE_CHARACTERS]).casefold().split())
