"""The dialogue at the top of the README is what the program really says."""

import io
import re
from pathlib import Path

import pytest

from bot.commands.chat import chat
from tests.platform_servers.markup import as_read

README = Path(__file__).parents[2] / "README.md"
_PROMPT = re.compile(r"^Short Weight \[(?P<position>[^]]+)\] > (?P<said>.+)$")


def _dialogue() -> list[str]:
    return README.read_text(encoding="utf-8").split("```text\n")[1].split("```")[0].splitlines()


def test_the_readme_dialogue_is_replayed_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prompts = [match for line in _dialogue() if (match := _PROMPT.match(line))]
    assert len(prompts) == 5
    # The position that each prompt shows is asked for just before what was said there.
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"/where\n{prompt['said']}\n" for prompt in prompts)))
    chat(book="sample")
    answered = iter(line.rstrip() for line in as_read(capsys.readouterr().out).splitlines())
    for line in _dialogue():
        prompt = _PROMPT.match(line)
        shown = f"Short Weight, 83 pages: {prompt['position']}" if prompt else line
        assert any(said.startswith(shown) for said in answered), f"the program does not say {shown!r} at this place"
