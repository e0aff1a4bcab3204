"""The last words that somebody has read, found in the text of their book; what `/calibrate` goes by."""

import asyncio
import re
from dataclasses import dataclass
from math import floor

from core.catalogue.sentences import say
from core.domain.book import Book, BookOutline
from core.domain.errors import PositionError
from core.domain.passage import readable
from core.domain.position import Position, farthest
from core.language.book_memory import MEGABYTE, BookCache, BookMemory
from core.language.phrases import MOST_WORDS, FoldedText, PhraseHit, find_phrase, is_findable
from core.language.shared_lines import shared_line
from core.ports.books import BookRepository

_PAGE_BREAK = "\f"
_SHOWN_AHEAD = 2
_SHOWN_BEFORE = 80
_MOST_BYTES = 40 * MEGABYTE
"""Four novels or so: it is asked for once in a while."""
_LEAST_ALIKE = 90
"""Of 100: a read line that is only much like what was typed must not stand for a later one."""
_LETTER = re.compile(r"\w")
_WORD = re.compile(r"\S+")
_ENDS_A_SENTENCE = re.compile(r"[.!?…]\W*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPhrase:
    """Where words stand: the text offset behind them, the page they end on, and the position that this is.

    `excerpt` is how the book has them; it is empty where that is for nobody's eyes yet. `score` tells how well they
    fit, 100 at most.
    """

    offset: int
    page: int
    position: int
    excerpt: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """Words as the book has them, with its breaks folded, and the page on which they end."""

    text: str
    page: int


class Calibration:
    """Looks words up in whole books, and keeps the books that were asked for last."""

    def __init__(self, *, books: BookRepository, most_bytes: int = _MOST_BYTES) -> None:
        self._books = books
        self._texts: BookCache[tuple[str, FoldedText]] = BookCache("calibration", BookMemory(most_bytes))

    async def find(self, book_id: str, words: str, *, position: Position) -> list[FoundPhrase]:
        """Return the places where words stand, in the order of the book; at least one.

        What is further ahead than two pages from `position` has no excerpt: to show it would tell what is unread. What
        is so far ahead that a move there would have to be confirmed counts as nowhere: it would confirm a guess.

        Raises:
            PositionError: the words are too few, or stand nowhere.
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
        """Return the book's own words wherever those stand that somebody typed, in its order; none where nowhere.

        What it returns hangs on the pages up to one alone.
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
        """Return the text of the pages up to one: a better hit behind them must not hide one that is read."""
        book = await self._books.get(book_id)
        text, folded = await self._texts.get(book_id, book.import_id, lambda: self._load(book))
        read = text[: (await self._books.outline(book_id)).end_of(up_to)] if up_to else ""
        return (text, folded) if len(read) == len(text) else (read, await asyncio.to_thread(FoldedText, read))

    async def _load(self, book: Book) -> tuple[str, FoldedText]:
        pages = await self._books.pages(readable(book, book.pages))
        text = _PAGE_BREAK.join(page.text for page in pages)
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
    """Return where a line ends that has so many words at most."""
    words = list(_WORD.finditer(text, hit.start, hit.end))
    if len(words) <= most_words:
        return hit.end
    kept = words[:most_words]
    ends = (word.end() for word in reversed(kept[most_words // 2 :]) if _ENDS_A_SENTENCE.search(word[0]))
    return next(ends, kept[-1].end())
