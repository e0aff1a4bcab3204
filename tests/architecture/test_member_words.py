"""What a member reads is plain English, and names no command of the command line."""

import ast
import re
from collections.abc import Iterator

from tests.architecture.source import ROOT, modules, parsed, relative

# `/thusfar` is Slack's own command; `--yes` is for a pipe into the chat, where nobody can be asked.
_FOR_OPERATORS = re.compile(r"(?<!/)\bthusfar [a-z]+|\boperator|--(?!yes\b)[a-z]+\b|THUSFAR_", re.ASCII)
_NOT_PLAIN = re.compile(
    r"\b(?:mend(?:ed)?|anew|whoever|nobody|by now|of late|beyond me|what stands|stands? at|is told|is taken|lies ahead"
    r"|thus far|besides|meanwhile|for (?:you|organisers) to say)\b",
    re.IGNORECASE,
)
_SAID = [
    ROOT / "core/domain/messages.py",
    *modules("core/club", "adapters/discord", "adapters/slack", "adapters/platform", "adapters/terminal"),
]


def _said(tree: ast.AST) -> Iterator[str]:
    """Yield the texts of a module but for docstrings and what goes to the log."""
    for node in ast.iter_child_nodes(tree):
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_logged = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("_log.")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif not is_docstring and not is_logged:
            yield from _said(node)


def _found(tree: ast.AST, words: re.Pattern[str] = _FOR_OPERATORS) -> list[str]:
    return [text for text in _said(tree) if words.search(text) and "\\W" not in text]


def test_members_read_no_word_of_the_command_line() -> None:
    told = {relative(path): _found(parsed(path)) for path in _SAID if path.name != "doctor.py"}
    assert {name: texts for name, texts in told.items() if texts} == {}


def test_such_words_are_found() -> None:
    source = "_log.info('ask the operator')\nx = f'{y}; `thusfar books list` tells.'\nz = '/thusfar book'"
    assert _found(ast.parse(source)) == ["; `thusfar books list` tells."]


def test_members_read_plain_english() -> None:
    told = {relative(path): _found(parsed(path), _NOT_PLAIN) for path in _SAID if path.name != "doctor.py"}
    assert {name: texts for name, texts in told.items() if texts} == {}
