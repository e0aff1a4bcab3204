"""Tools as the agent runs them: what a model is told of one, the function behind it, and what makes arguments fit.

What goes wrong becomes a result that the model reads; the loop then goes on.
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


class ToolExecutor:
    """The tools of one turn, by name.

    Args:
        tools: what may be used; of two with one name the later counts.
        timeout_s: seconds that a tool may take.
    """

    def __init__(self, tools: Iterable[Tool], *, timeout_s: float = _TIMEOUT_S) -> None:
        self._tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self._timeout_s = timeout_s

    async def execute(self, invocation: ToolInvocation) -> ToolOutput:
        """Return what the model reads; `is_error` where the tool is unknown, its arguments wrong, or it failed."""
        try:
            return await self.run(invocation)
        except ToolError as error:
            # Not the reason: it may quote what the model sent.
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
        """Run a tool with what a model sent.

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
    """Return the first argument as an event names it."""
    return next((str(value)[:200] for value in invocation.arguments.values()), "")


def fitted(arguments: Mapping[str, object], tool: ToolDefinition) -> dict[str, object]:
    """Return the arguments that the schema names, with its defaults: numbers within its bounds, long texts cut.

    Raises:
        ToolError: an argument is missing or of another kind; the text names it, for the model.
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
    """Return what a tool wants to be sent."""
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
    """Return a value within the bounds of its schema, or else the schema's default; None where it has none."""
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
    """Return the number meant, within the bounds; a default stands in for what is no number at all."""
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
