"""A tool as the agent runs it: what a model is told of it, and the function behind it, bound to what has been read."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.domain.passage import SearchResult
from core.domain.tool_use import ToolDefinition

SEARCH_BOOK: Final = "search_book"
"""The tool whose passages may also go along with a question unasked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a tool gave: the text that the model reads, and what the turn's record keeps of it.

    `subject` is the main argument and `count` how many things were found, for events. `passages` are what the answer
    may then rest on; `is_search` tells whether they are the results of a search. `reveals_page` is the highest page
    that the text tells of.
    """

    text: str
    subject: str = ""
    count: int = 0
    passages: tuple[SearchResult, ...] = ()
    is_search: bool = False
    reveals_page: int | None = None
    is_error: bool = False


RunTool = Callable[[Mapping[str, object]], Awaitable[ToolOutput]]
"""Runs a tool with arguments that fit its schema. Book and position are bound inside by core."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool(ToolDefinition):
    """A definition with its function.

    `run` may raise a ToolError, whose text is for the model.
    """

    run: RunTool
