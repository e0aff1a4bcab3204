"""Lines from a pipe are read unchanged, and reactions are printed as they happen."""

import io
from pathlib import Path

import pytest

from adapters.terminal.lines import PipeLines, lines_for
from adapters.terminal.surface import TerminalSurface
from core.domain.chat_event import TokenUsageEvent, ToolInvocationEvent, TurnAnsweredEvent

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


def test_there_is_no_prompt_in_a_pipe() -> None:
    lines = lines_for(io.StringIO(), io.StringIO(), history_file=__file__)  # type: ignore[arg-type]
    assert not lines.interactive


async def test_reactions_are_one_line_and_none_where_nothing_happened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    surface = TerminalSurface(PipeLines(io.StringIO()), print, folder=tmp_path, stays=lambda _: False)
    async with surface.writing():
        pass
    assert capsys.readouterr().out == ""
    async with surface.writing():
        for event in (_SEARCH, TokenUsageEvent(input_tokens=1, output_tokens=1), TurnAnsweredEvent()):
            surface.follow(event)
    assert capsys.readouterr().out == "🔍 ✅ \n"
