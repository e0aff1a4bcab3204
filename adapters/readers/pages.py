"""Divides the paragraphs of a book into pages; called by all readers."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence, Set
from itertools import accumulate, pairwise

from core.domain.book import Page
from core.domain.errors import BookError, BookErrorCode
from core.language.chunking import Cut, sentence_cuts
from core.language.sentences import unit_count

_FORM_FEED = "\f"
_MOST_PAGES = 100_000
_WORDS = 300
_FEWEST_WORDS = 220
_MOST_WORDS = 380


def split_form_feeds(text: str) -> list[str]:
    """Return the text of each page, blank ones too; a text without form feeds is one piece.

    Raises:
        BookError: there are more pages than any book has.
    """
    if text.count(_FORM_FEED) > _MOST_PAGES:
        message = f"The file has more than {_MOST_PAGES} form feeds; one between two pages would be right."
        raise BookError(BookErrorCode.TOO_LARGE, message)
    pages = text.rstrip(" \t\n").split(_FORM_FEED)
    if len(pages) > 1 and not pages[-1].strip():
        pages.pop()  # a form feed at the end begins no new page
    return pages


def page_per_section(sections: Sequence[Sequence[str]]) -> tuple[Page, ...]:
    """Return one page for the paragraphs between two form feeds."""
    return numbered("\n\n".join(section) for section in sections)


def estimated_pages(paragraphs: Sequence[str], starts: Set[int]) -> tuple[tuple[Page, ...], list[int]]:
    """Divide the paragraphs into pages of about 300 words, a new one at each of these paragraphs.

    Returns:
        the pages, and for each paragraph the page on which it begins.
    """
    pages: list[str] = []
    page_of: list[int] = []
    breaks = [0, *sorted(starts - {0, len(paragraphs)}), len(paragraphs)]
    for start, end in pairwise(breaks):
        texts, begins = _fill(paragraphs[start:end])
        page_of.extend(len(pages) + begin for begin in begins)
        pages.extend(texts)
    return numbered(pages), page_of


def numbered(texts: Iterator[str] | Sequence[str]) -> tuple[Page, ...]:
    """Return pages with these texts, numbered from 1, with their offsets."""
    pages: list[Page] = []
    offset = 0  # in the texts of all pages, joined by form feeds
    for number, text in enumerate(texts, 1):
        pages.append(Page(number=number, text=text, start_offset=offset))
        offset += len(text) + len(_FORM_FEED)
    return tuple(pages)


def _fill(paragraphs: Sequence[str]) -> tuple[list[str], list[int]]:
    """Fill the pages of one chapter; the second list has each paragraph's page (from 1)."""
    counts = [unit_count(text) for text in paragraphs]
    ahead = [*accumulate(reversed(counts), initial=0)][::-1]  # words from each paragraph to the end
    pages: list[list[str]] = [[]]
    on_page = 0
    begins: list[int] = []
    for place, (text, words) in enumerate(zip(paragraphs, counts, strict=True)):
        if on_page + ahead[place] > _MOST_WORDS and _breaks_before(on_page, words):
            pages.append([])
            on_page = 0
        (first, first_words), *others = _cut(text, words, on_page)
        begins.append(len(pages) if first_words else len(pages) + 1)
        if first_words:
            pages[-1].append(first)
            on_page += first_words
        for piece, piece_words in others:
            pages.append([piece])
            on_page = piece_words
    return ["\n\n".join(page) for page in pages], begins


def _breaks_before(on_page: int, words: int) -> bool:
    if on_page < _FEWEST_WORDS or on_page + words <= _WORDS:
        return False
    return on_page + words > _MOST_WORDS or _WORDS - on_page <= on_page + words - _WORDS


def _cut(text: str, words: int, on_page: int) -> list[tuple[str, int]]:
    """Cut a paragraph at sentence ends: the first piece (maybe empty) is for the current page, the others for new ones.

    A paragraph that fits stays whole. No piece is longer than a page, so a cut is never far from the page's end.
    """
    if on_page + words <= _MOST_WORDS:
        return [(text, words)]
    cuts = [Cut(offset=0, words=0), *sentence_cuts(text, longest=_WORDS)]
    at = [cut.words for cut in cuts]
    pieces: list[tuple[str, int]] = []
    place = 0
    while on_page + words - at[place] > _MOST_WORDS:
        wanted = at[place] + _WORDS - on_page
        following = min(bisect_left(at, wanted, place), len(at) - 1)
        nearest = following - 1 if wanted - at[following - 1] <= at[following] - wanted else following
        if not on_page:
            nearest = max(nearest, place + 1)
        nearest = max(nearest, place)
        pieces.append((text[cuts[place].offset : cuts[nearest].offset].strip(), at[nearest] - at[place]))
        place = nearest
        on_page = 0
    if place < len(at) - 1:
        pieces.append((text[cuts[place].offset :].strip(), words - at[place]))
    return pieces
