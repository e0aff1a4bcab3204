"""Runs the tools a model asks for. Whatever goes wrong becomes a result that the model reads, and the loop goes on."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from typing import Final

from core.agent.tools.arguments import fitted
from core.agent.tools.tool import Tool, ToolOutput
from core.domain.errors import LLMError, ToolError
from core.domain.tool_use import ToolInvocation

_TIMEOUT_S: Final = 20.0
_log = logging.getLogger(__name__)


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
        except LLMError:
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
        arguments = fitted(invocation.arguments, tool)
        async with asyncio.timeout(self._timeout_s):
            return await tool.run(arguments)


def main_argument(invocation: ToolInvocation) -> str:
    """Return the first argument as an event names it."""
    return next((str(value)[:200] for value in invocation.arguments.values()), "")
