"""Looks at every response rule when the program starts, so that a mistake is one line then and not a failed answer."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from core.agent.prompts import (
    CONVERSATION_SYSTEM_PROMPT,
    DISCUSS_QUESTION,
    NOBODY_ASKED,
    NOTES_PROMPT,
    RECAP_QUESTION,
    REDRAFT_REASON,
    REWRITE_PROMPT,
    SCOPE_PROMPT,
    VERIFIER_PROMPT,
)
from core.agent.response_rules import RAG_CONTEXT, ResponseRule, load_rule
from core.domain.errors import SettingsError

_OF_THE_BOOK: Final = frozenset({"book.title", "book.author"})
_OF_AN_ANSWER: Final = frozenset({RAG_CONTEXT, "intent", "service", "user_message"})
"""What `ResponseGenerator` gives to each rule."""
_OF_PAGES: Final = frozenset({"first_page", "last_page", "passages", "notes"})
_IN_A_CONVERSATION: Final = frozenset({"reader.progress", "reader.place", "reader.chapters"}) | _OF_AN_ANSWER

VARIABLES: Final[Mapping[str, frozenset[str]]] = {
    CONVERSATION_SYSTEM_PROMPT: _OF_THE_BOOK | _IN_A_CONVERSATION,
    DISCUSS_QUESTION: _OF_PAGES,
    NOTES_PROMPT: _OF_THE_BOOK,
    RECAP_QUESTION: _OF_PAGES,
    REDRAFT_REASON: frozenset({"stood"}),
    NOBODY_ASKED: frozenset(),
    REWRITE_PROMPT: frozenset(),
    SCOPE_PROMPT: _OF_THE_BOOK,
    VERIFIER_PROMPT: frozenset(),
}
"""What each rule that ships is given; any other file in the folder gets the book and what every answer gets."""


def check_rules(
    prompts_dir: Path,
    *,
    tools: Collection[str],
    variables: Mapping[str, frozenset[str]] = VARIABLES,
) -> None:
    """Read every rule in the folder.

    Raises:
        SettingsError: one is missing, or wrong; one line that names the file and the key.
    """
    for name in sorted({*variables, *(path.name for path in prompts_dir.glob("*.md"))}):
        where = f"{prompts_dir.name}/{name}"
        try:
            rule = load_rule(prompts_dir, name)
        except OSError as error:
            raise SettingsError(f"{where}: it cannot be read ({error.strerror})") from None
        _check_variables(rule, variables.get(name, _OF_THE_BOOK | _OF_AN_ANSWER), where)
        _check_tools(rule, tools, where)


def _check_variables(rule: ResponseRule, given: Collection[str], where: str) -> None:
    """Hold the names in a template against those that it is given; `book` alone is fine where `book.title` is given."""
    known = {".".join(path[:end]) for path in (name.split(".") for name in given) for end in range(1, len(path) + 1)}
    unknown = sorted(rule.template.variables - known)
    if unknown:
        raise SettingsError(f"{where}: template: {unknown[0]!r} is not given; given are: {_listed(given)}")


def _check_tools(rule: ResponseRule, tools: Collection[str], where: str) -> None:
    unknown = sorted(set(rule.tools.allowed_tools or ()).difference(tools))
    if unknown:
        raise SettingsError(
            f"{where}: tools.allowed_tools: there is no tool {unknown[0]!r}; there are: {_listed(tools)}"
        )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"
