"""The Jinja side of response rules: compiles a template, and tells which variables it wants before it is rendered."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta, nodes
from jinja2.sandbox import SandboxedEnvironment

from core.domain.errors import SettingsError

# Sandboxed, since titles and names that are filled in come from members; strict, since a hole in a prompt is an error.
_ENVIRONMENT: Final = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleTemplate:
    """A compiled template. `variables` are all that it names, nested ones with their path: `book.title`."""

    compiled: Template
    variables: frozenset[str]


def compiled(text: str, *, first_line: int = 1) -> RuleTemplate:
    """Compile a template; `first_line` is where it begins in its file.

    Raises:
        SettingsError: it is no template, or wants another file; the text says where.
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
        # Within a condition Jinja itself would say so only when a member asks.
        if node.name not in (_ENVIRONMENT.filters if isinstance(node, nodes.Filter) else _ENVIRONMENT.tests):
            raise SettingsError(f"template, line {first_line + node.lineno - 1}: there is no {node.name!r}")
    return RuleTemplate(compiled=template, variables=frozenset(_variables(tree, roots)))


def _variables(tree: nodes.Node, roots: set[str]) -> Iterator[str]:
    """Yield the path of every use of a variable that is not the template's own."""
    methods = {id(call.node) for call in tree.find_all(nodes.Call) if not isinstance(call.node, nodes.Name)}
    fields: list[nodes.Getattr | nodes.Getitem] = [*tree.find_all(nodes.Getattr), *tree.find_all(nodes.Getitem)]
    inner = {id(field.node) for field in fields if id(field) not in methods}
    for node in (*tree.find_all(nodes.Name), *fields):
        path = _path(node)
        if id(node) not in methods | inner and path and path[0] in roots:
            yield ".".join(path)


def _path(node: nodes.Node) -> list[str]:
    """Return a chain of fields from its variable on, as far as the template itself names them."""
    if isinstance(node, nodes.Name):
        return [node.name]
    if not isinstance(node, nodes.Getattr | nodes.Getitem):
        return []
    before, field = _path(node.node), _field(node)
    return [*before, field] if before and field is not None else before


def _field(node: nodes.Getattr | nodes.Getitem) -> str | None:
    """Return the name of a field; None where the template does not name it: `book[number]`."""
    if isinstance(node, nodes.Getattr):
        return node.attr
    name = node.arg.value if isinstance(node.arg, nodes.Const) else None
    return name if isinstance(name, str) else None
