"""One call by a response rule.

Where what stands around it is tested: rules in `test_response_rules`, which tools are on offer in `test_tool_registry`,
the loop over tools in `test_loop` and `test_loop_endings`, the wire in `tests/adapters/llm/`.
"""

import logging
from pathlib import Path

import pytest

from core.agent.response_generator import NO_CONTENT, GeneratedResponse, ResponseGenerator
from core.agent.response_rules import ResponseRule, load_rule
from core.domain.chat_event import ChatEvent, TokenUsageEvent
from core.domain.tool_use import GenerationOptions, StopReason, TokenUsage, TurnLimits
from tests.builders import says
from tests.fakes.fixtures import Scripted

_PLAIN = "---\nmodel: large-1\ntemperature: 0.2\nmax_tokens: 300\n---\nYou are {{ service }}."


def a_rule(folder: Path, text: str = _PLAIN) -> ResponseRule:
    """Write a rule into a folder, and load it from there."""
    (folder / "answer.md").write_text(text, encoding="utf-8")
    return load_rule(folder, "answer.md")


async def test_scenario_call_ai_provider(scripted: Scripted, tmp_path: Path) -> None:
    provider, deadline = scripted(says()), TurnLimits().deadline()
    await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?", deadline=deadline)
    assert provider.asked[0].tools is None
    assert provider.asked[0].options == GenerationOptions(
        model="large-1", temperature=0.2, max_tokens=300, deadline=deadline
    )


async def test_scenario_return_response(scripted: Scripted, tmp_path: Path) -> None:
    usage, events = TokenUsage(input_tokens=80, output_tokens=6), list[ChatEvent]()
    provider = scripted(says(" Ada (p. 1). ", usage=usage, model="large-1-0424"))
    response = await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?", on_event=events.append)
    assert response == GeneratedResponse(content="Ada (p. 1).", service="scripted", model="large-1-0424", usage=usage)
    assert events == [TokenUsageEvent(input_tokens=80, output_tokens=6, model="large-1-0424")]


@pytest.mark.parametrize(("said", "content"), [(" Ada. ", "Ada."), ("", NO_CONTENT), (" \n", NO_CONTENT)])
async def test_scenario_unexpected_finish_reason(
    scripted: Scripted, tmp_path: Path, caplog: pytest.LogCaptureFixture, said: str, content: str
) -> None:
    provider = scripted(says(said, stop_reason=StopReason.OTHER))
    response = await ResponseGenerator(provider=provider).generate(a_rule(tmp_path), "Who?")
    assert (response.content, response.is_whole) == (content, False)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
