"""Whatever a model sends and whatever a tool does, the model reads a result and the loop goes on."""

import asyncio
from collections.abc import Mapping

import pytest

from core.agent.executor import Tool, ToolExecutor, ToolOutput
from core.domain.errors import ToolError
from core.domain.tool_use import ToolInvocation

_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 5},
        "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
    },
    "required": ["name"],
}


async def _echo(arguments: Mapping[str, object]) -> ToolOutput:
    return ToolOutput(text=repr(dict(arguments)))


async def _complain(_arguments: Mapping[str, object]) -> ToolOutput:
    raise ToolError("Try a shorter name.")


async def _break(_arguments: Mapping[str, object]) -> ToolOutput:
    raise ZeroDivisionError("the secret of the house")


async def _hang(_arguments: Mapping[str, object]) -> ToolOutput:
    await asyncio.Event().wait()
    raise AssertionError("nobody waits for this")


def _executor() -> ToolExecutor:
    runs = {"echo": _echo, "complain": _complain, "break": _break, "hang": _hang}
    tools = [Tool(name=name, description="", parameters=_SCHEMA, run=run) for name, run in runs.items()]
    return ToolExecutor(tools, timeout_s=0.01)


@pytest.mark.parametrize(
    ("sent", "used"),
    [
        ({"name": "Ada"}, {"name": "Ada", "count": 3}),
        ({"name": "Ada", "count": 5}, {"name": "Ada", "count": 5}),
        ({"name": "Ada", "count": 500}, {"name": "Ada", "count": 9}),
        ({"name": "Ada", "count": -5}, {"name": "Ada", "count": 1}),
        ({"name": "Ada", "count": "7"}, {"name": "Ada", "count": 7}),
        ({"name": "Ada", "count": 2.9}, {"name": "Ada", "count": 2}),
        ({"name": "Ada", "count": [1]}, {"name": "Ada", "count": 3}),
        ({"name": "Ada", "count": None}, {"name": "Ada", "count": 3}),
        ({"name": "Ada Lindqvist"}, {"name": "Ada L", "count": 3}),
        ({"name": "Ada", "page": 900, "position": 900}, {"name": "Ada", "count": 3}),
    ],
)
async def test_arguments_are_made_to_fit(sent: dict[str, object], used: dict[str, object]) -> None:
    output = await _executor().execute(ToolInvocation(tool_name="echo", arguments=sent))
    assert (output.text, output.is_error) == (repr(used), False)


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("echo", {}, "echo needs `name`, a text that is not empty."),
        ("echo", {"name": 7}, "echo needs `name`, a text that is not empty."),
        ("echo", {"name": ""}, "`name`"),
        ("fly", {"name": "Ada"}, "There is no tool 'fly'; the tools are: echo, complain, break, hang."),
        ("complain", {"name": "Ada"}, "Try a shorter name."),
        ("break", {"name": "Ada"}, "break failed; try something else."),
        ("hang", {"name": "Ada"}, "hang took too long."),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(tool: str, arguments: dict[str, object], says: str) -> None:
    output = await _executor().execute(ToolInvocation(tool_name=tool, arguments=arguments))
    assert output.is_error
    assert output.text.startswith("Error: ")
    assert says in output.text
    assert "secret" not in output.text
