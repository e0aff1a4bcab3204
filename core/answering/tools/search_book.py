"""The tool with which a model searches the book. The page bound is inside `search_fn`; no argument can widen it."""

from collections.abc import Container, Mapping, Sequence
from typing import Final

from core.agent.executor import SEARCH_BOOK, Tool, ToolOutput
from core.domain.errors import ToolError
from core.domain.note import NotesForModel
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


def search_tool(
    search_fn: SearchFn, *, notes: NotesForModel | None = None, shown: Container[int] = frozenset()
) -> Tool:
    """Return the tool over a search that core has bound to a book and a position.

    Args:
        search_fn: finds passages.
        notes: go along with what it finds.
        shown: ids of chunks that the model has before it: in their place comes what fits next, if anything does.
    """

    async def search(query: str, top_k: int) -> list[SearchResult]:
        found = await search_fn(query, top_k)
        again = sum(passage.chunk_id in shown for passage in found)
        if again:
            found = await search_fn(query, top_k + again)
        return [passage for passage in found if passage.chunk_id not in shown] or found

    async def run(arguments: Mapping[str, object]) -> ToolOutput:
        query, top_k = arguments["query"], arguments["top_k"]
        if not isinstance(query, str) or not query.strip() or not isinstance(top_k, int):
            raise ToolError(f"{SEARCH_BOOK} needs `query`, a text that is not empty.")
        results = tuple(await search(query, top_k))
        told = await notes.beside(query, results) if notes else ""
        return ToolOutput(
            text=with_notes(format_passages(results), told),
            subject=query,
            count=len(results),
            passages=results,
            is_search=True,
            reveals_page=max((result.end_page for result in results), default=None),
        )

    return Tool(name=DEFINITION.name, description=DEFINITION.description, parameters=DEFINITION.parameters, run=run)


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
