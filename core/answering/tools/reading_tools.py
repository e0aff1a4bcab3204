"""The reading tools beside `search_book`: pages, chapters, mentions. Each sees only what has been read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.agent.executor import Tool, ToolOutput
from core.answering.extracts.introductions import introduction
from core.answering.extracts.people import find_mentions, sentence_with
from core.answering.read_book import ReadBook
from core.answering.tools.search_book import page_label, with_notes
from core.domain.book import Chapter, Page
from core.domain.errors import ToolError
from core.domain.note import NotesForModel

READ_PAGES: Final = "read_pages"
READ_CHAPTER: Final = "read_chapter"
LIST_CHAPTERS: Final = "list_chapters"
FIND_MENTIONS: Final = "find_mentions"
MOST_PAGES: Final = 3
"""Pages that one call of `read_pages` gives: enough for a scene, too few to carry a chapter into an answer."""
_MOST_PAGE_NUMBERS: Final = 40
_MOST_CHARACTERS: Final = 12_000
"""Of a chapter, one call gives about so many characters: some 3,000 tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingTools:
    """The tools that read a book at a position. No tool takes a position, and none can widen this one.

    `notes` go along with what tells of many pages: the rest of a long chapter, and where somebody comes up.
    """

    read: ReadBook
    notes: NotesForModel | None = None

    def tools(self) -> list[Tool]:
        """Return the tools, bound."""
        page = {"type": "integer", "minimum": 1}
        return [
            Tool(
                name=READ_PAGES,
                description=(
                    f"Read pages of the book that the reader has read, at most {MOST_PAGES} at a time. "
                    "Use it for what stands before or after a passage that you were given."
                ),
                parameters=_parameters({"first_page": page, "last_page": page}, required=["first_page"]),
                run=self._read_pages,
            ),
            Tool(
                name=READ_CHAPTER,
                description=(
                    "Read a chapter by its number, as far as the reader has come; a long one comes in parts. "
                    "Use it for what happens in a chapter, and for a recap of it."
                ),
                parameters=_parameters(
                    {"chapter": {"type": "integer", "minimum": 1}, "part": {**page, "default": 1}},
                    required=["chapter"],
                ),
                run=self._read_chapter,
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
                    "Find on which of the read pages a name or word stands: how often, the first place and the latest, "
                    "and the sentence that introduces it. Use it for who somebody is, and where they were first met."
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
        read = await self.read.text()
        if not read.pages:
            raise ToolError("Nothing has been read yet.")
        if first > read.last_page or last < read.first_page:
            raise ToolError(f"The pages read so far are {read.first_page} to {read.last_page}.")
        first = max(first, read.first_page)
        last = min(last, read.last_page, first + MOST_PAGES - 1)
        pages = read.pages_between(first, last)
        return ToolOutput(
            text="\n\n".join(f"{page_label(page.number)}\n{page.text}" for page in pages),
            subject=f"{first}-{last}",
            count=len(pages),
            passages=await self.read.passages(*range(first, last + 1)),
            reveals_page=last,
        )

    async def _read_chapter(self, arguments: Mapping[str, object]) -> ToolOutput:
        number, part = _number(arguments["chapter"]), _number(arguments["part"])
        read = await self.read.text()
        listed = [each for each in await self.read.chapters() if each.number == number]
        chapters = listed or read.chapters_meant(number)
        if not chapters:
            raise ToolError(f"No chapter {number} has been begun.")
        chapter = chapters[-1]
        parts = _parts(read.pages_between(chapter.first_page, chapter.last_page))
        pages = parts[min(part, len(parts)) - 1]
        numbers = [page.number for page in pages]
        more = f" (part {min(part, len(parts))} of {len(parts)})" if len(parts) > 1 else ""
        texts = "\n\n".join(f"{page_label(page.number)}\n{page.text}" for page in pages)
        last_page = min(chapter.last_page, self.read.position or 0)
        told = await self.notes.of_pages(chapter.first_page, last_page) if self.notes and more else ""
        return ToolOutput(
            text=with_notes(f"{chapter.title}{more}\n\n{texts}", told),
            subject=str(number),
            count=len(pages),
            passages=await self.read.passages(*numbers),
            reveals_page=numbers[-1],
        )

    async def _list_chapters(self, _arguments: Mapping[str, object]) -> ToolOutput:
        chapters = await self.read.chapters()
        read = self.read.position or 0
        return ToolOutput(
            text="\n".join(listed_chapters(chapters, read)) or "No chapter has been begun.",
            count=len(chapters),
            reveals_page=max((min(chapter.last_page, read) for chapter in chapters), default=None),
        )

    async def _find_mentions(self, arguments: Mapping[str, object]) -> ToolOutput:
        name = " ".join(str(arguments["name"]).split())
        if not name:
            raise ToolError(f"{FIND_MENTIONS} needs `name`, a text that is not empty.")
        read = await self.read.text()
        found = find_mentions(read, name)
        if found is None:
            return ToolOutput(text=f"{name} does not stand on the pages read so far.", subject=name)
        first, latest = found.pages[0], found.pages[-1]
        listed = ", ".join(map(str, found.pages[:_MOST_PAGE_NUMBERS]))
        more = " ..." if len(found.pages) > _MOST_PAGE_NUMBERS else ""
        places = [
            ("First", first, sentence_with(read, first, found)),
            ("Latest", latest, sentence_with(read, latest, found, last=True)),
        ]
        introduced = introduction(read, found)
        if introduced and introduced[0].text not in {each.text for _, _, each in places if each}:
            places.insert(1, ("Introduced", introduced[0].page, introduced[0]))
        lines = [f"{what}, p. {page}: {each.text if each else ''}".rstrip() for what, page, each in places]
        stands = f"{name} stands {found.total} times on {len(found.pages)} of the pages read: {listed}{more}."
        passages = await self.read.passages(*(page for _, page, _ in places))
        told = await self.notes.beside(name, passages) if self.notes else ""
        return ToolOutput(
            text=with_notes("\n".join([stands, *lines]), told),
            subject=name,
            count=found.total,
            passages=passages,
            reveals_page=latest,
        )


def listed_chapters(chapters: Iterable[Chapter], read: int) -> list[str]:
    """Return a line a chapter begun: number, title and pages."""
    return [
        f"{chapter.number}. {chapter.title} (p. {chapter.first_page}"
        + (f" to {chapter.last_page})" if chapter.last_page <= read else ", being read)")
        for chapter in chapters
    ]


def _parts(pages: Sequence[Page]) -> list[list[Page]]:
    """Divide the pages of a chapter into parts that a prompt can bear; a page is never divided."""
    parts: list[list[Page]] = [[]]
    room = _MOST_CHARACTERS
    for page in pages:
        room -= len(page.text)
        if parts[-1] and room < 0:
            parts.append([])
            room = _MOST_CHARACTERS - len(page.text)
        parts[-1].append(page)
    return parts


def _parameters(properties: Mapping[str, object], *, required: Sequence[str]) -> dict[str, object]:
    return {"type": "object", "properties": dict(properties), "required": list(required)}


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise ToolError("A page is a whole number.")
    return value
