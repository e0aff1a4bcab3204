"""Lines come from a pipe as they are, and reactions go out as they happen."""

import io
from pathlib import Path

import pytest

from adapters.terminal.lines import PipeLines, lines_for
from adapters.terminal.surface import (
    ANSWERED,
    FAILED,
    FOUND,
    FOUND_NOTHING,
    SEARCHING,
    TerminalSurface,
    reaction_to,
)
from core.domain.chat_event import (
    ChatEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.errors import LLMErrorCode

_SEARCH = ToolInvocationEvent(tool_name="search_book", arguments={"query": "lamp"})


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("", []),
        ("one\ntwo\n", ["one", "two"]),
        ("one\r\ntwo", ["one", "two"]),
        ("\n\n", ["", ""]),
        (" kept \n", [" kept "]),
        ("a\x0bb\u2028c\n", ["a\x0bb\u2028c"]),
    ],
)
async def test_a_pipe_gives_its_lines_without_their_ends(content: str, lines: list[str]) -> None:
    pipe = PipeLines(io.StringIO(content, newline=""))
    found = []
    while (line := await pipe.next("prompt")) is not None:
        found.append(line)
    assert found == lines
    assert await pipe.next("prompt") is None


def test_nobody_is_asked_in_a_pipe() -> None:
    lines = lines_for(io.StringIO(), io.StringIO(), history_file=__file__)  # type: ignore[arg-type]
    assert not lines.interactive


@pytest.mark.parametrize(
    ("event", "reaction"),
    [
        (_SEARCH, SEARCHING),
        (ToolResultEvent(query="lamp", result_count=2, results=[]), FOUND),
        (ToolResultEvent(query="lamp", result_count=0, results=[]), FOUND_NOTHING),
        (TurnAnsweredEvent(), ANSWERED),
        (TurnFailedEvent(code=LLMErrorCode.TIMEOUT), FAILED),
        (TokenUsageEvent(input_tokens=1, output_tokens=1), None),
    ],
)
def test_each_event_has_its_reaction(event: ChatEvent, reaction: str | None) -> None:
    assert reaction_to(event) == reaction


async def test_reactions_are_one_line_and_none_where_nothing_happened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    surface = TerminalSurface(PipeLines(io.StringIO()), print, folder=tmp_path)
    async with surface.writing():
        pass
    assert capsys.readouterr().out == ""
    async with surface.writing():
        for event in (_SEARCH, TokenUsageEvent(input_tokens=1, output_tokens=1), TurnAnsweredEvent()):
            surface.show(event)
    assert capsys.readouterr().out == f"{SEARCHING} {ANSWERED} \n"
