"""The prompts that ship, by name, and how one is filled in; each is a response rule."""

from collections.abc import Mapping
from pathlib import Path

from core.agent.response_rules import load_rule

CONVERSATION_SYSTEM_PROMPT = "conversation_system_prompt.md"
VERIFIER_PROMPT = "verifier_prompt.md"
NOBODY_ASKED = "nobody_asked.md"
REDRAFT_REASON = "redraft_reason.md"
REWRITE_PROMPT = "rewrite_prompt.md"
SCOPE_PROMPT = "scope_prompt.md"
NOTES_PROMPT = "notes_prompt.md"
RECAP_QUESTION = "recap_question.md"
DISCUSS_QUESTION = "discuss_question.md"


def render_prompt(prompts_dir: Path, name: str, variables: Mapping[str, object]) -> str:
    """Return the prompt with its variables filled in; what its front matter says of options is left to the caller.

    Raises:
        FileNotFoundError: there is no such prompt.
        SettingsError: the file is no response rule.
        jinja2.UndefinedError: the prompt has a variable that is not given.
    """
    return load_rule(prompts_dir, name).render(variables)
