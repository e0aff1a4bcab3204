"""Which tools a rule's answers are offered."""

import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.agent.executor import Tool, ToolOutput
from core.agent.response_rules import ResponseRule, load_rule
from core.answering.tools.tool_registry import offered_to

_WITH_TOOLS = "---\ntools:\n  enabled: true\n---\nBe kind."


def a_rule(folder: Path, text: str) -> ResponseRule:
    (folder / "answer.md").write_text(text, encoding="utf-8")
    return load_rule(folder, "answer.md")


def a_tool(name: str = "look_up") -> Tool:
    async def run(_arguments: Mapping[str, object]) -> ToolOutput:
        return ToolOutput(text=name)

    return Tool(name=name, description="", parameters={"type": "object"}, run=run)


def test_scenario_tool_calling_enabled_path(tmp_path: Path) -> None:
    tool = a_tool()
    assert offered_to(a_rule(tmp_path, _WITH_TOOLS), [tool]) == [tool]


@pytest.mark.parametrize(
    "rule",
    ["Be kind.", "---\ntools:\n  enabled: false\n  allowed_tools: [look_up]\n---\nBe kind."],
    ids=["a rule without tools", "a rule that switches tools off"],
)
def test_scenario_check_if_tools_enabled(tmp_path: Path, caplog: pytest.LogCaptureFixture, rule: str) -> None:
    assert offered_to(a_rule(tmp_path, rule), [a_tool()]) == []
    assert caplog.messages == []


def test_scenario_get_allowed_tools(tmp_path: Path) -> None:
    allowed = a_tool("look_up")
    rule = a_rule(tmp_path, "---\ntools:\n  enabled: true\n  allowed_tools: [look_up]\n---\nBe kind.")
    assert offered_to(rule, [a_tool("hide"), allowed]) == [allowed]


@pytest.mark.parametrize("allowed", ["[]", "[read_pages]"])
def test_scenario_no_tools_available(tmp_path: Path, caplog: pytest.LogCaptureFixture, allowed: str) -> None:
    rule = a_rule(tmp_path, f"---\ntools:\n  enabled: true\n  allowed_tools: {allowed}\n---\nBe kind.")
    assert offered_to(rule, [a_tool()]) == []
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "answer" in caplog.messages[0]
