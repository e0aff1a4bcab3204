"""The reading tools beside `search_book`: pages, chapters, mentions. Each sees only what has been read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.agent.tools.tool import Tool, ToolOutput
from core.domain.book import Book, Page
from core.domain.errors import ToolError
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.ports.books import BookRepository
from core.text.sentences import sentences

READ_PAGES: Final = "read_pages"
LIST_CHAPTERS: Final = "list_chapters"
FIND_MENTIONS: Final = "find_mentions"
MOST_PAGES: Final = 3
"""Pages that one call of `read_pages` gives: enough for a scene, too few to carry a chapter into an answer."""
_MOST_PAGE_NUMBERS: Final = 40
_ANY_APOSTROPHE: Final = "['’ʼ]"
_APOSTROPHES: Final = re.compile(_ANY_APOSTROPHE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTools:
    """A book at a position. No tool takes a position, and none can widen this one."""

    books: BookRepository
    book: Book
    position: Position

    def tools(self) -> list[Tool]:
        """Return the tools, bound."""
        page = {"type": "integer", "minimum": 1}
        return [
            Tool(
                name=READ_PAGES,
                description=f"Read pages of the book that the reader has read, at most {MOST_PAGES} at a time.",
                parameters=_parameters({"first_page": page, "last_page": page}, required=["first_page"]),
                run=self._read_pages,
            ),
            Tool(
                name=LIST_CHAPTERS,
                description="List the chapters with their pages, as far as the reader has come.",
                parameters=_parameters({}, required=[]),
                run=self._list_chapters,
            ),
            Tool(
                name=FIND_MENTIONS,
                description=(
                    "Find on which of the read pages a name or word stands: how often, the first place and the latest."
                ),
                parameters=_parameters(
                    {"name": {"type": "string", "minLength": 1, "maxLength": 100}}, required=["name"]
                ),
                run=self._find_mentions,
            ),
        ]

    async def _read_pages(self, arguments: Mapping[str, object]) -> ToolOutput:
        first = _number(arguments["first_page"])
        last = _number(arguments.get("last_page", first))
        first, last = min(first, last), max(first, last)
        read = self.position or 0
        if first > read:
            raise ToolError(f"The pages read so far are 1 to {read}." if read else "Nothing has been read yet.")
        last = min(last, read, first + MOST_PAGES - 1)
        pages = [page for page in await self._pages() if first <= page.number <= last]
        return ToolOutput(
            text="\n\n".join(f"[Page {page.number}]\n{page.text}" for page in pages),
            subject=f"{first}-{last}",
            count=len(pages),
            passages=await self._passages(*range(first, last + 1)),
            reveals_page=last,
        )

    async def _list_chapters(self, _arguments: Mapping[str, object]) -> ToolOutput:
        outline = await self.books.outline(self.book.book_id)
        read = self.position or 0
        begun = [chapter for chapter in outline.chapters if chapter.first_page <= read]
        lines = [
            f"{chapter.number}. {chapter.title} (p. {chapter.first_page}"
            + (f" to {chapter.last_page})" if chapter.last_page <= read else ", being read)")
            for chapter in begun
        ]
        return ToolOutput(
            text="\n".join(lines) or "No chapter has been begun.",
            count=len(begun),
            reveals_page=max((min(chapter.last_page, read) for chapter in begun), default=None),
        )

    async def _find_mentions(self, arguments: Mapping[str, object]) -> ToolOutput:
        parts = str(arguments["name"]).split()
        if not parts:
            raise ToolError(f"{FIND_MENTIONS} needs `name`, a text that is not empty.")
        name = " ".join(parts)
        anywhere = _APOSTROPHES.sub(_ANY_APOSTROPHE, r"\s+".join(map(re.escape, parts)))
        wanted = re.compile(rf"(?<!\w){anywhere}(?!\w)", re.IGNORECASE)
        found = [(page, len(wanted.findall(page.text))) for page in await self._pages()]
        found = [(page, count) for page, count in found if count]
        if not found:
            return ToolOutput(text=f"{name} does not stand on the pages read so far.", subject=name)
        numbers = [str(page.number) for page, _ in found]
        listed = ", ".join(numbers[:_MOST_PAGE_NUMBERS]) + (" ..." if len(numbers) > _MOST_PAGE_NUMBERS else "")
        first, latest = found[0][0], found[-1][0]
        total = sum(count for _, count in found)
        return ToolOutput(
            text=f"{name} stands {total} times on {len(found)} of the pages read: {listed}.\n"
            f"First, p. {first.number}: {_sentence(first, wanted)}\n"
            f"Latest, p. {latest.number}: {_sentence(latest, wanted, last=True)}",
            subject=name,
            count=total,
            passages=await self._passages(first.number, latest.number),
            reveals_page=latest.number,
        )

    async def _pages(self) -> list[Page]:
        return await self.books.pages(readable(self.book, self.position))

    async def _passages(self, *pages: int) -> tuple[SearchResult, ...]:
        """Return what stands on some pages as passages, through the gate."""
        chunks = await self.books.chunks_of_pages(readable(self.book, self.position), pages)
        return tuple(chunk.found() for chunk in chunks)


def _parameters(properties: Mapping[str, object], *, required: Sequence[str]) -> dict[str, object]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise ToolError("A page is a whole number.")
    return value


def _sentence(page: Page, wanted: re.Pattern[str], *, last: bool = False) -> str:
    """Return the first sentence of a page with a word in it, or the last one."""
    fits = [" ".join(sentence.split()) for sentence in sentences(page.text) if wanted.search(sentence)]
    return fits[-1 if last else 0] if fits else ""
