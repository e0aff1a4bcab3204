"""The shipped prompts: their names, their variables, and a check of all of them when the program starts.

Each prompt is a response rule. The check reports a mistake at start and not with the first answer.
"""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from core.agent.response_rules import RAG_CONTEXT, ResponseRule, load_rule
from core.domain.errors import SettingsError

CONVERSATION_SYSTEM_PROMPT = "conversation_system_prompt.md"
VERIFIER_PROMPT = "verifier_prompt.md"
NOBODY_ASKED = "nobody_asked.md"
REDRAFT_REASON = "redraft_reason.md"
REWRITE_PROMPT = "rewrite_prompt.md"
SCOPE_PROMPT = "scope_prompt.md"
NOTES_PROMPT = "notes_prompt.md"
RECAP_QUESTION = "recap_question.md"
STORY_QUESTION = "story_question.md"
WHO_QUESTION = "who_question.md"
DISCUSS_QUESTION = "discuss_question.md"
_OF_THE_BOOK: Final = frozenset({"book.title", "book.author"})
_OF_AN_ANSWER: Final = frozenset({RAG_CONTEXT, "intent", "service", "user_message"})
"""The variables that `ResponseGenerator` gives to each rule."""
_OF_PAGES: Final = frozenset({"first_page", "last_page", "passages", "notes"})
_OF_THE_CHECK: Final = frozenset({"background", "is_verified"})
"""What the verifier allows: background by its mark, if any, and any language."""
_IN_A_CONVERSATION: Final = (
    frozenset({"reader.progress", "reader.place", "reader.chapters"}) | _OF_AN_ANSWER | _OF_THE_CHECK
)

VARIABLES: Final[Mapping[str, frozenset[str]]] = {
    CONVERSATION_SYSTEM_PROMPT: _OF_THE_BOOK | _IN_A_CONVERSATION,
    DISCUSS_QUESTION: _OF_PAGES,
    NOTES_PROMPT: _OF_THE_BOOK,
    RECAP_QUESTION: _OF_PAGES,
    REDRAFT_REASON: frozenset({"background", "language", "stood"}),
    STORY_QUESTION: _OF_PAGES,
    WHO_QUESTION: _OF_PAGES | {"name"},
    NOBODY_ASKED: frozenset(),
    REWRITE_PROMPT: frozenset(),
    SCOPE_PROMPT: _OF_THE_BOOK,
    VERIFIER_PROMPT: frozenset({"background"}),
}
"""The variables of each shipped rule; any other file gets those of the book and of every answer."""


def render_prompt(prompts_dir: Path, name: str, variables: Mapping[str, object]) -> str:
    """Return the prompt with its variables filled in, without the options of its front matter.

    Raises:
        FileNotFoundError: there is no such prompt.
        SettingsError: the file is no response rule.
        jinja2.UndefinedError: the prompt has a variable that is not given.
    """
    return load_rule(prompts_dir, name).render(variables)


def check_rules(
    prompts_dir: Path,
    *,
    tools: Collection[str],
    variables: Mapping[str, frozenset[str]] = VARIABLES,
) -> None:
    """Check every rule in the folder.

    Raises:
        SettingsError: a rule is missing or wrong; one line that names the file and the key.
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
    """Check that a template uses only variables that it gets; `book` is allowed where `book.title` is given."""
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
