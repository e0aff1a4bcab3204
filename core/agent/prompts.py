"""Prompts are Markdown files; this fills in their variables (chat-agent.md CA-7)."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from jinja2 import StrictUndefined, Template
from jinja2.sandbox import SandboxedEnvironment

CONVERSATION_SYSTEM_PROMPT = "conversation_system_prompt.md"

# Sandboxed, since titles and names that are filled in come from members; strict, since a hole in a prompt is an error.
_ENVIRONMENT = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)


def render_prompt(prompts_dir: Path, name: str, variables: Mapping[str, object]) -> str:
    """Return the prompt with its variables filled in.

    Raises:
        FileNotFoundError: there is no such prompt.
        jinja2.UndefinedError: the prompt has a variable that is not given.
    """
    return _compiled((prompts_dir / name).read_text(encoding="utf-8")).render(variables).strip()


@lru_cache(maxsize=32)
def _compiled(text: str) -> Template:
    """Compiling costs a turn more than all else that is done for its prompt; the file is still read each time."""
    return _ENVIRONMENT.from_string(text)
