"""Finds the last words that a member has read in the text of the book, for `/calibrate`."""

import asyncio
import re
from dataclasses import dataclass
from math import floor

from core.catalogue.sentences import say
from core.domain.book import Book, BookOutline
from core.domain.errors import PositionError
from core.domain.passage import readable, whole_text
from core.domain.position import Position, farthest
from core.language.book_memory import MEGABYTE, BookCache, BookMemory
from core.language.phrases import MOST_WORDS, FoldedText, PhraseHit, find_phrase, is_findable
from core.language.shared_lines import shared_line
from core.ports.books import BookTexts

_PAGE_BREAK = "\f"
_SHOWN_AHEAD = 2
_SHOWN_BEFORE = 80
_MOST_BYTES = 40 * MEGABYTE
"""Enough for about four novels, since it is used rarely."""
_LEAST_ALIKE = 90
"""Least score of 100, so that a similar read line is not taken for a later one."""
_LETTER = re.compile(r"\w")
_WORD = re.compile(r"\S+")
_ENDS_A_SENTENCE = re.compile(r"[.!?…]\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPhrase:
    """Where a phrase was found: the text offset after it, the page on which it ends, and the position there.

    `excerpt` is the book's text; empty if that is unread. `score` is how well it matches, at most 100.
    """

    offset: int
    page: int
    position: int
    excerpt: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A quotation from the book, with breaks folded, and the page on which it ends."""

    text: str
    page: int


class Calibration:
    """Searches phrases in whole books, and caches recently used books."""

    def __init__(self, *, books: BookTexts, most_bytes: int = _MOST_BYTES) -> None:
        self._books = books
        self._texts: BookCache[tuple[str, FoldedText]] = BookCache("calibration", BookMemory(most_bytes))

    async def find(self, book_id: str, words: str, *, position: Position) -> list[FoundPhrase]:
        """Return the places where a phrase occurs, in the order of the book; at least one.

        Places more than two pages after `position` have no excerpt, which would show unread text. Places so far ahead
        that a move there needs a confirmation are left out, since finding them would confirm a guess.

        Raises:
            PositionError: the phrase is too short or not found.
        """
        if not is_findable(words):
            raise PositionError(say("Give me a few more of the last words you read. A whole line is best."))
        outline = await self._books.outline(book_id)
        near = max(farthest(position, outline.pages), min((position or 0) + _SHOWN_AHEAD, outline.pages))
        text, folded = await self._text(book_id, near)
        hits = await asyncio.to_thread(find_phrase, folded, words)
        if not hits:
            raise PositionError(
                say(
                    "I don't find these words near your page. Try another line, or say `/mypage` first if you've read "
                    "further."
                )
            )
        return [_found(hit, text, outline, shown_to=(position or 0) + _SHOWN_AHEAD) for hit in hits]

    async def quotations(self, book_id: str, words: str, *, up_to: int) -> list[Quotation]:
        """Return the book's own words for a typed phrase, in the order of the book; empty if it is not found.

        The result depends only on the pages up to the given one.
        """
        if not is_findable(words):
            return []
        text, folded = await self._text(book_id, up_to)
        outline = await self._books.outline(book_id)
        hits = await asyncio.to_thread(find_phrase, folded, words)
        heads = hits
        if len(words.split()) > MOST_WORDS:  # of which a search looks at the last alone
            heads = await asyncio.to_thread(find_phrase, folded, " ".join(words.split()[:MOST_WORDS]))
        found = []
        for hit in (each for each in hits if each.score >= _LEAST_ALIKE):
            start = max((head.start for head in heads if head.start <= hit.start), default=hit.start)
            found.append(Quotation(text=" ".join(text[start : hit.end].split()), page=outline.page_holding(hit.end)))
        return found

    async def quoted_in(self, book_id: str, said: str, *, up_to: int, most_words: int) -> Quotation | None:
        """Return the line of the pages up to one that stands in a message; None where there is none on these.

        What it returns hangs on these pages alone. Of a line that is too long it is the beginning, up to the end of a
        sentence where one ends late enough.
        """
        if up_to < 1:
            return None
        text, folded = await self._text(book_id, up_to)
        outline = await self._books.outline(book_id)
        hit = await asyncio.to_thread(shared_line, folded, said)
        if hit is None:
            return None
        end = _end_within(text, hit, most_words)
        return Quotation(text=" ".join(text[hit.start : end].split()), page=outline.page_holding(end))

    async def _text(self, book_id: str, up_to: int) -> tuple[str, FoldedText]:
        """Return the text of the pages up to one, so that a better match in unread text hides no read one."""
        book = await self._books.get(book_id)
        text, folded = await self._texts.get(book_id, book.import_id, lambda: self._load(book))
        read = text[: (await self._books.outline(book_id)).end_of(up_to)] if up_to else ""
        return (text, folded) if len(read) == len(text) else (read, await asyncio.to_thread(FoldedText, read))

    async def _load(self, book: Book) -> tuple[str, FoldedText]:
        story = {page.number for page in await self._books.pages(readable(book, book.pages))}
        pages = await self._books.pages(whole_text(book))
        # What is no story is blank, since offsets count in the whole book.
        text = _PAGE_BREAK.join(page.text if page.number in story else " " * len(page.text) for page in pages)
        return text, await asyncio.to_thread(FoldedText, text)


def _found(hit: PhraseHit, text: str, outline: BookOutline, *, shown_to: int) -> FoundPhrase:
    page = outline.page_holding(hit.end)
    page_end = outline.end_of(page)
    # Behind the last word of a page stands a full stop or a quotation mark, and the page is read.
    offset = hit.end if _LETTER.search(text, hit.end, page_end) else page_end
    return FoundPhrase(
        offset=offset,
        page=page,
        position=floor(outline.pages_read(offset)),
        excerpt=_excerpt(hit, text) if page <= shown_to else "",
        score=hit.score,
    )


def _excerpt(hit: PhraseHit, text: str) -> str:
    begin = max(hit.start - _SHOWN_BEFORE, 0)
    before = text[begin : hit.start].split()[1 if begin else 0 :]
    return " ".join([*before, *text[hit.start : hit.end].split()])


def _end_within(text: str, hit: PhraseHit, most_words: int) -> int:
    """Return the end of a line cut to at most this many words."""
    words = list(_WORD.finditer(text, hit.start, hit.end))
    if len(words) <= most_words:
        return hit.end
    kept = words[:most_words]
    ends = (word.end() for word in reversed(kept[most_words // 2 :]) if _ENDS_A_SENTENCE.search(word[0]))
    return next(ends, kept[-1].end())
