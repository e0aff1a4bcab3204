"""Parses a rule's file: its front matter in YAML, and its template in Jinja.

`response_rules` imports this with the first rule, so that a program without a model loads neither library.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from frontmatter.default_handlers import YAMLHandler
from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta, nodes
from jinja2.sandbox import SandboxedEnvironment
from yaml import MarkedYAMLError, YAMLError

from core.domain.errors import SettingsError

# Sandboxed, since titles and names come from members; strict, since a missing variable is an error.
_ENVIRONMENT: Final = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)
_FRONT_MATTER: Final = YAMLHandler()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleText:
    """The values of the front matter (None without one), and the template with the line where it begins."""

    values: object
    body: str
    first_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTemplate:
    """A compiled template and all its variables, nested ones with their path: `book.title`."""

    compiled: Template
    variables: frozenset[str]


def taken_apart(text: str) -> RuleText:
    """Split a rule's text into front matter and template.

    Raises:
        SettingsError: the front matter does not end, or is no YAML.
    """
    if not _FRONT_MATTER.detect(text.lstrip()):
        return RuleText(values=None, body=text, first_line=1)
    try:
        head, body = _FRONT_MATTER.split(text)
    except ValueError:
        raise SettingsError("front matter: the line --- that ends it is missing") from None
    values = _loaded(head, first_line=1 + text.count("\n", 0, text.index(head)))
    return RuleText(values=values, body=body, first_line=1 + text.count("\n", 0, len(text) - len(body)))


def compiled(text: str, *, first_line: int) -> RuleTemplate:
    """Compile a template; `first_line` is its first line in the file.

    Raises:
        SettingsError: it is no template, or includes another file; the text names the line.
    """
    try:
        tree = _ENVIRONMENT.parse(text)
        template = _ENVIRONMENT.from_string(text)
        roots = meta.find_undeclared_variables(tree)
    except TemplateSyntaxError as error:
        raise SettingsError(f"template, line {first_line + error.lineno - 1}: {error.message}") from None
    except TemplateError as error:
        raise SettingsError(f"template: {error}") from None
    if list(meta.find_referenced_templates(tree)):
        raise SettingsError("template: it stands alone, and can include no other file")
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        # Inside a condition, Jinja would report it only with a member's question.
        if node.name not in (_ENVIRONMENT.filters if isinstance(node, nodes.Filter) else _ENVIRONMENT.tests):
            raise SettingsError(f"template, line {first_line + node.lineno - 1}: there is no {node.name!r}")
    return RuleTemplate(compiled=template, variables=frozenset(_variables(tree, roots)))


def _loaded(head: str, *, first_line: int) -> object:
    try:
        return _FRONT_MATTER.load(head)
    except MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise SettingsError(f"front matter, line {line}: {error.problem}") from None
    except (YAMLError, ValueError):  # characters that YAML forbids; a date that is none
        raise SettingsError("front matter: it is no YAML") from None


def _variables(tree: nodes.Node, roots: set[str]) -> Iterator[str]:
    """Yield the path of every use of a variable that the template does not define itself."""
    methods = {id(call.node) for call in tree.find_all(nodes.Call) if not isinstance(call.node, nodes.Name)}
    fields: list[nodes.Getattr | nodes.Getitem] = [*tree.find_all(nodes.Getattr), *tree.find_all(nodes.Getitem)]
    inner = {id(field.node) for field in fields if id(field) not in methods}
    for node in (*tree.find_all(nodes.Name), *fields):
        path = _path(node)
        if id(node) not in methods | inner and path and path[0] in roots:
            yield ".".join(path)


def _path(node: nodes.Node) -> list[str]:
    """Return a chain of fields from its variable on, as far as the template names them."""
    if isinstance(node, nodes.Name):
        return [node.name]
    if not isinstance(node, nodes.Getattr | nodes.Getitem):
        return []
    before, field = _path(node.node), _field(node)
    return [*before, field] if before and field is not None else before


def _field(node: nodes.Getattr | nodes.Getitem) -> str | None:
    """Return the name of a field; None if it is computed: `book[number]`."""
    if isinstance(node, nodes.Getattr):
        return node.attr
    name = node.arg.value if isinstance(node.arg, nodes.Const) else None
    return name if isinstance(name, str) else None
