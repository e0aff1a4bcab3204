"""Numbers as books print them: in the labels of pages, in the titles of chapters; and how a form is folded for both."""

import re
import unicodedata
from typing import Final

from core.domain.numbers import is_canonical_roman, leading_number, read_number

_MAX_CHARACTERS: Final = 64
_MAX_TITLE_CHARACTERS: Final = 200
# Look-alikes that stand for the plain character. Others (superscripts, fractions, circles) would change a number.
_PLAIN_VARIANTS: Final = frozenset({"<wide>", "<narrow>", "<compat>", "<noBreak>"})
_TYPED_ALIKE: Final = str.maketrans("‘’–—", "''--")

_AFTER_WORD = r"(?:\. ?| |(?=[0-9]))"
_CHAPTER_WORD = rf"(?:chapter|chap|ch){_AFTER_WORD}"
_PAGE = re.compile(rf"(?:(?:page|pg|p){_AFTER_WORD})?(?P<label>[0-9]+|[a-z]-?[0-9]+|[0-9]+[a-z]|[ivxlcdm]+)")
_TITLE_CHAPTER = re.compile(rf"\b{_CHAPTER_WORD}(?P<rest>.+)")
_TITLE_PIECE = re.compile(rf"(?:letter|stave|canto|fit|episode|scene|section|tale|adventure){_AFTER_WORD}(?P<rest>.+)")
_TITLE_DIVISION = re.compile(rf"(?:part|book|volume|vol|act){_AFTER_WORD}(?P<rest>.+)")
_TITLE_BREAK = re.compile(r"[.:)](?= |$)|[–—]| - ")


def page_label(text: str) -> str | None:
    """Return a page label as it is compared (`XII` as `xii`, `P. 012` as `12`), None if it is none.

    Labels that no form can name (`Cover`) are none, so that no wording of a book's maker is ever shown in a refusal.
    """
    match = _PAGE.fullmatch(fold_form(text))
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


def fold_form(text: str) -> str:
    """Fold case, width and spaces of what was typed; too long or with foreign characters it becomes empty: no form."""
    stripped = text.strip()
    if len(stripped) > _MAX_CHARACTERS or not all(_is_plain(character) for character in stripped):
        return ""
    folded = unicodedata.normalize("NFKC", stripped.translate(_TYPED_ALIKE)).casefold()
    folded = re.sub(r"[ \t]+", " ", folded).strip()
    return folded if folded.isascii() and folded.isprintable() else ""


def _is_plain(character: str) -> bool:
    decomposition = unicodedata.decomposition(character)
    return not decomposition.startswith("<") or decomposition.split()[0] in _PLAIN_VARIANTS


def _fold_title(title: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", title[:_MAX_TITLE_CHARACTERS]).casefold().split())
