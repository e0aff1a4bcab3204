"""The tool with which a model searches the book. The page bound is inside `search_fn`; no argument can widen it."""

from dataclasses import dataclass
from typing import Final

from core.domain.errors import ToolError
from core.domain.passage import SearchResult
from core.domain.tool_use import ToolDefinition, ToolInvocation
from core.ports.strategies import SearchFn

SEARCH_BOOK: Final = "search_book"
NOTHING_FOUND: Final = "No relevant passages found."
_DEFAULT_TOP_K: Final = 5
_MOST_TOP_K: Final = 20
_LONGEST_QUERY: Final = 2_000

DEFINITION: Final = ToolDefinition(
    name=SEARCH_BOOK,
    description=(
        "Search the pages of the book that the reader has read so far. Returns passages with their page numbers. "
        "Search for names, places, objects and words that the book itself would use."
    ),
    parameters={
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for."},
            "top_k": {
                "type": "integer",
                "description": "How many passages to return, 1 to 20.",
                "default": _DEFAULT_TOP_K,
            },
        },
        "required": ["query"],
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchBookResult:
    """What the tool found, and the text that the model reads."""

    query: str
    text: str
    results: tuple[SearchResult, ...]


async def search_book(invocation: ToolInvocation, search_fn: SearchFn) -> SearchBookResult:
    """Run one search as the model asked for it; `top_k` is clamped to 1..20 whatever it sent.

    Raises:
        ToolError: another tool, or no usable query; the text is for the model.
    """
    if invocation.tool_name != SEARCH_BOOK:
        raise ToolError(f"There is no tool {invocation.tool_name[:60]!r}; the tool is {SEARCH_BOOK}.")
    query = invocation.arguments.get("query")
    if not isinstance(query, str) or not query.strip():
        raise ToolError(f"{SEARCH_BOOK} needs `query`, a text that is not empty.")
    results = tuple(await search_fn(query[:_LONGEST_QUERY], clamp_top_k(invocation.arguments.get("top_k"))))
    return SearchBookResult(query=query[:_LONGEST_QUERY], text=format_passages(results), results=results)


def clamp_top_k(value: object) -> int:
    """Return how many passages to give for what a model sent: 5 where it is no number, else within 1 to 20."""
    try:
        wanted = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return _DEFAULT_TOP_K
    return int(min(max(wanted, 1), _MOST_TOP_K))


def format_passages(results: tuple[SearchResult, ...]) -> str:
    """Return the passages as a model reads them, each under its `[Pages X-Y]` label."""
    if not results:
        return NOTHING_FOUND
    return "\n\n".join(f"[Pages {r.start_page}-{r.end_page}]\n{r.text}" for r in results)
