"""Prompts come from files, filled in strictly and in a sandbox."""

from pathlib import Path

import jinja2
import pytest
from jinja2.exceptions import SecurityError

from core.agent.prompts import CONVERSATION_SYSTEM_PROMPT, render_prompt

_PROMPTS = Path(__file__).resolve().parents[3] / "prompts"


def test_ca_7_a_missing_prompt_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        render_prompt(tmp_path, CONVERSATION_SYSTEM_PROMPT, {})


def test_a_prompt_cannot_reach_into_the_program(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text("{{ title.__class__.__mro__ }}", encoding="utf-8")
    with pytest.raises((SecurityError, jinja2.UndefinedError)):
        render_prompt(tmp_path, "p.md", {"title": "Emma"})


@pytest.mark.parametrize(("author", "named"), [("E. Hale", True), (None, False)])
def test_the_prompt_that_ships_names_book_and_progress(author: str | None, named: bool) -> None:
    variables = {
        "book": {"title": "Emma", "author": author},
        "reader": {"progress": "the pages 1 to 9", "chapters": "1. Emma (p. 1 to 9)"},
        "is_verified": True,
        "background": "",
    }
    rendered = render_prompt(_PROMPTS, CONVERSATION_SYSTEM_PROMPT, variables)
    assert '"Emma"' in rendered
    assert "the pages 1 to 9" in rendered
    assert ("by E. Hale" in rendered) is named
    assert "{{" not in rendered
