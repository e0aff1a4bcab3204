"""What the tests of generated responses share: rules in files, and tools that tell what they were sent."""

from collections.abc import Mapping
from pathlib import Path

from core.agent.response_rules import ResponseRule, load_rule
from core.agent.tools.tool import Tool, ToolOutput
from core.domain.errors import ToolError

PLAIN = "---\nmodel: large-1\ntemperature: 0.2\nmax_tokens: 300\n---\nYou are {{ service }}."
WITH_TOOLS = "---\nmax_tokens: 300\ntools:\n  enabled: true\n---\nYou are {{ service }}."

_SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "count": {"type": "integer", "default": 3}},
    "required": ["name"],
}


def a_rule(folder: Path, text: str = PLAIN) -> ResponseRule:
    """Write a rule into a folder, and load it from there."""
    (folder / "answer.md").write_text(text, encoding="utf-8")
    return load_rule(folder, "answer.md")


def a_tool(name: str = "look_up") -> Tool:
    """A tool that tells what it was sent."""

    async def run(arguments: Mapping[str, object]) -> ToolOutput:
        return ToolOutput(text=f"{name}: {arguments['name']} {arguments['count']}")

    return Tool(name=name, description="", parameters=_SCHEMA, run=run)


def a_failing_tool(name: str = "look_up") -> Tool:
    """A tool that cannot do what it is asked."""

    async def run(_arguments: Mapping[str, object]) -> ToolOutput:
        raise ToolError("That page is not there.")

    return Tool(name=name, description="", parameters=_SCHEMA, run=run)
