"""Runs the tools that a model calls: definitions, functions, and the checking of arguments.

An error becomes a result that the model reads, and the loop continues.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from core.domain.errors import LLMError, StorageError, ToolError
from core.domain.passage import SearchResult
from core.domain.tool_use import UNREADABLE_ARGUMENTS, ToolDefinition, ToolInvocation

_TIMEOUT_S: Final = 20.0
_log = logging.getLogger(__name__)
SEARCH_BOOK: Final = "search_book"
"""The search tool. Its passages may also be sent with a question before the model asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """The result of a tool.

    Attributes:
        text: what the model reads.
        subject: the main argument, for events.
        count: how many things were found, for events.
        passages: passages that the answer may use as sources.
        is_search: whether they are the results of a search.
        reveals_page: the highest page that the text reveals.
        is_error: whether the call failed.
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
    """A tool definition with its function. `run` may raise a ToolError, whose text the model reads."""

    run: RunTool


class ToolExecutor:
    """The tools of one turn, by name.

    Args:
        tools: the tools; of two with the same name the later one is used.
        timeout_s: how many seconds a tool may take.
    """

    def __init__(self, tools: Iterable[Tool], *, timeout_s: float = _TIMEOUT_S) -> None:
        self._tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self._timeout_s = timeout_s

    async def execute(self, invocation: ToolInvocation) -> ToolOutput:
        """Return what the model reads; `is_error` where the tool is unknown, its arguments wrong, or it failed."""
        try:
            return await self.run(invocation)
        except ToolError as error:
            # The log leaves out the reason, which may quote what the model sent.
            _log.info("A call of %s could not be run.", invocation.tool_name[:60])
            reason = str(error)
        except TimeoutError:
            reason = f"{invocation.tool_name} took too long."
        except (LLMError, StorageError):
            raise
        except Exception:  # noqa: BLE001 (a tool that fails must not take the answer with it)
            _log.exception("The tool %s failed.", invocation.tool_name)
            reason = f"{invocation.tool_name} failed; try something else."
        return ToolOutput(text=f"Error: {reason}", subject=main_argument(invocation), is_error=True)

    async def run(self, invocation: ToolInvocation) -> ToolOutput:
        """Run a tool call of a model.

        Raises:
            ToolError: there is no such tool, or its arguments do not fit; the text is for the model.
            TimeoutError: it took too long.
        """
        tool = self._tools.get(invocation.tool_name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            raise ToolError(f"There is no tool {invocation.tool_name[:60]!r}; the tools are: {known}.")
        if UNREADABLE_ARGUMENTS in invocation.arguments:
            raise ToolError(f"The arguments are {invocation.arguments[UNREADABLE_ARGUMENTS]}. {_wanted(tool)}")
        arguments = fitted(invocation.arguments, tool)
        async with asyncio.timeout(self._timeout_s):
            return await tool.run(arguments)


def main_argument(invocation: ToolInvocation) -> str:
    """Return the first argument of a call, for events."""
    return next((str(value)[:200] for value in invocation.arguments.values()), "")


def fitted(arguments: Mapping[str, object], tool: ToolDefinition) -> dict[str, object]:
    """Return the arguments that the schema names, with defaults, numbers limited to its bounds and long texts cut.

    Raises:
        ToolError: an argument is missing or of another type; the text names it for the model.
    """
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    properties = tool.parameters.get("properties")
    schemas = properties if isinstance(properties, Mapping) else {}
    meant = {name: _meant(arguments.get(name), schema) for name, schema in schemas.items()}
    fits = {name: value for name, value in meant.items() if value is not None}
    wrong = best_match(Draft202012Validator(tool.parameters).iter_errors(fits))
    if wrong is not None:
        missing = [name for name in schemas if name not in fits]
        name = str(next(iter(wrong.absolute_path), missing[0] if missing else ""))
        raise ToolError(f"{tool.name} needs `{name}`, {_kind(schemas.get(name, {}))}.")
    return fits


def _wanted(tool: ToolDefinition) -> str:
    """Return a description of a tool's arguments for an error."""
    try:
        fitted({}, tool)
    except ToolError as needs:
        return str(needs)
    return "Send one JSON object."


def _kind(schema: Mapping[str, object]) -> str:
    if schema.get("type") == "integer":
        return "a whole number"
    return "a text that is not empty" if schema.get("minLength") else "a text"


def _meant(value: object, schema: Mapping[str, object]) -> object:
    """Return a value limited to its schema, or the schema's default; None if it has none."""
    fitting = None if value is None else _within(value, schema)
    return schema.get("default") if fitting is None else fitting


def _within(value: object, schema: Mapping[str, object]) -> object:
    if schema.get("type") == "integer":
        return _whole_number(value, schema)
    longest = schema.get("maxLength")
    if isinstance(value, str) and isinstance(longest, int):
        return value[:longest]
    return value


def _whole_number(value: object, schema: Mapping[str, object]) -> object:
    """Return a whole number limited to the bounds; the default if the value is no number."""
    try:
        number = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError, OverflowError):
        return schema.get("default", value)
    least, most = schema.get("minimum"), schema.get("maximum")
    if isinstance(least, int):
        number = max(number, least)
    if isinstance(most, int):
        number = min(number, most)
    return int(number)
