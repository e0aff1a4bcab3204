"""The tool with which a model searches the book. The page bound is inside `search_fn`; no argument can widen it."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.agent.tool import SEARCH_BOOK, Tool, ToolOutput
from core.answering.turn_notes import NotedSearch, notes_of
from core.domain.errors import ToolError
from core.domain.passage import SearchFn, SearchResult
from core.domain.tool_use import ToolDefinition

NOTHING_FOUND: Final = "No relevant passages found."
LIMITED_SOURCES: Final = "Note: Limited sources found. Acknowledge gaps if needed."
DEFAULT_TOP_K: Final = 5
_MOST_TOP_K: Final = 20
_LONGEST_QUERY: Final = 2_000

DEFINITION: Final = ToolDefinition(
    name=SEARCH_BOOK,
    description=(
        "Search the pages of the book that the reader has read so far. Returns passages with their page numbers, "
        "first of all those that you have not been shown. "
        "Use it for what is said or done: search for names, places, objects and words that the book itself would use. "
        "For who somebody is use find_mentions, for what happens in a chapter read_chapter."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "What to look for.",
                "minLength": 1,
                "maxLength": _LONGEST_QUERY,
            },
            "top_k": {
                "type": "integer",
                "description": "How many passages to return, 1 to 20.",
                "default": DEFAULT_TOP_K,
                "minimum": 1,
                "maximum": _MOST_TOP_K,
            },
        },
        "required": ["query"],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTool(Tool):
    """The tool with its search, so that a run of the loop can tell it what it has shown."""

    search_fn: SearchFn

    def beside(self, shown: Container[int]) -> Tool:
        """Return the tool that gives, in place of chunks that were shown, what comes next, if anything does."""

        async def search(query: str, top_k: int) -> list[SearchResult]:
            found = await self.search_fn(query, top_k)
            again = sum(passage.chunk_id in shown for passage in found)
            if again:
                found = await self.search_fn(query, top_k + again)
            return [passage for passage in found if passage.chunk_id not in shown] or found

        notes = notes_of(self.search_fn)
        return search_tool(NotedSearch(search=search, notes=notes) if notes else search)


def search_tool(search_fn: SearchFn) -> SearchTool:
    """Return the tool over a search that core has bound to a book and a position."""

    async def run(arguments: Mapping[str, object]) -> ToolOutput:
        query, top_k = arguments["query"], arguments["top_k"]
        if not isinstance(query, str) or not query.strip() or not isinstance(top_k, int):
            raise ToolError(f"{SEARCH_BOOK} needs `query`, a text that is not empty.")
        results = tuple(await search_fn(query, top_k))
        notes = notes_of(search_fn)
        told = await notes.beside(query, results) if notes else ""
        return ToolOutput(
            text=with_notes(format_passages(results), told),
            subject=query,
            count=len(results),
            passages=results,
            is_search=True,
            reveals_page=max((result.end_page for result in results), default=None),
        )

    return SearchTool(
        name=DEFINITION.name,
        description=DEFINITION.description,
        parameters=DEFINITION.parameters,
        run=run,
        search_fn=search_fn,
    )


def format_passages(results: Sequence[SearchResult]) -> str:
    """Return the passages as a model reads them, each under the label of its page: `[p. 77]`."""
    if not results:
        return NOTHING_FOUND
    return "\n\n".join(f"{page_label(r.start_page)}\n{r.text}" for r in results)


def with_notes(text: str, notes: str) -> str:
    """Return what a tool gives with the notes that go along, behind the book's own text."""
    return f"{text}\n\n{notes}" if notes else text


def with_gaps(text: str, *, found: int, top_k: int) -> str:
    """Return passages with the note that there are few: less than half of those that were wanted."""
    return f"{text}\n\n{LIMITED_SOURCES}" if 2 * found < top_k else text


def page_label(page: int) -> str:
    """Return the label under which a model reads a page, whatever brings it."""
    return f"[p. {page}]"
