"""Response rules: each Markdown file in `prompts/` says in its front matter how the model is asked, below it with what.

response-generation.md. The strategies and `ResponseGenerator` take rules; `rule_check` looks at all of them at start.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final, TypeVar

from frontmatter.default_handlers import YAMLHandler
from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta, nodes
from jinja2.sandbox import SandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from yaml import MarkedYAMLError, YAMLError

from core.domain.errors import SettingsError
from core.domain.tool_use import GenerationOptions, ToolDefinition

# Sandboxed, since titles and names that are filled in come from members; strict, since a hole in a prompt is an error.
_ENVIRONMENT: Final = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)

DEFAULT_MODEL: Final = "default"
"""In place of a model's name: the one that the provider is set to."""
_MOST_ITERATIONS: Final = 20
_FRONT_MATTER: Final = YAMLHandler()
_STRICT: Final = ConfigDict(extra="forbid", frozen=True, strict=True)
_COMPLAINTS: Final = {"extra_forbidden": "there is no such key", "model_type": "it holds keys with values"}

_Offered = TypeVar("_Offered", bound=ToolDefinition)


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


class RuleTools(BaseModel):
    """Whether a rule's answers may use tools: which ones (None: all there are), and how often (None: the default)."""

    model_config = _STRICT

    enabled: bool = False
    allowed_tools: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    max_iterations: int | None = Field(default=None, ge=1, le=_MOST_ITERATIONS)

    def allowed(self, tools: Iterable[_Offered]) -> list[_Offered]:
        """Return those of the tools that the rule allows; none where it is without tools."""
        if not self.enabled:
            return []
        return [tool for tool in tools if self.allowed_tools is None or tool.name in self.allowed_tools]


class RuleSettings(BaseModel):
    """The front matter. `temperature` is 0 to 2, `max_tokens` counts an answer; None leaves it to the provider."""

    model_config = _STRICT

    model: str = Field(default=DEFAULT_MODEL, min_length=1)
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    tools: RuleTools = RuleTools()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRule:
    """One way to answer. `name` is its file's, without the ending."""

    name: str
    settings: RuleSettings
    template: RuleTemplate

    @property
    def tools(self) -> RuleTools:
        """What the rule says of tools."""
        return self.settings.tools

    def render(self, variables: Mapping[str, object]) -> str:
        """Return the prompt with its variables filled in. They are data: nothing in them is rendered.

        Raises:
            jinja2.UndefinedError: the prompt has a variable that is not given.
        """
        return self.template.compiled.render(variables).strip()

    def options(self, settings: GenerationOptions | None = None) -> GenerationOptions:
        """Return how to call the model; what `settings` say wins, for they are the operator's."""
        settings = settings or GenerationOptions()
        model = None if self.settings.model == DEFAULT_MODEL else self.settings.model
        return GenerationOptions(
            model=model if settings.model is None else settings.model,
            max_tokens=self.settings.max_tokens if settings.max_tokens is None else settings.max_tokens,
            temperature=self.settings.temperature if settings.temperature is None else settings.temperature,
            tool_choice=settings.tool_choice,
            deadline=settings.deadline,
            answer_schema=settings.answer_schema,
        )


def load_rule(prompts_dir: Path, name: str) -> ResponseRule:
    """Return the rule in a file of that name. The file is read again only when it has changed.

    Raises:
        FileNotFoundError: there is no such file.
        SettingsError: it is no rule; one line names the file and the key.
    """
    path = prompts_dir / name
    seen = path.stat()
    return _read(path, (seen.st_mtime_ns, seen.st_size, seen.st_ino))


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


@lru_cache(maxsize=64)
def _read(path: Path, _version: tuple[int, int, int]) -> ResponseRule:
    try:
        return _parsed(path.read_text(encoding="utf-8-sig"), name=path.stem)
    except UnicodeDecodeError:
        raise SettingsError(f"{_shown(path)}: it is not UTF-8 text") from None
    except SettingsError as error:
        raise SettingsError(f"{_shown(path)}: {' '.join(str(error).split())}") from None


def _parsed(text: str, *, name: str) -> ResponseRule:
    if not _FRONT_MATTER.detect(text.lstrip()):
        return ResponseRule(name=name, settings=RuleSettings(), template=compiled(text))
    try:
        head, body = _FRONT_MATTER.split(text)
    except ValueError:
        raise SettingsError("front matter: the line --- that ends it is missing") from None
    values = _loaded(head, first_line=1 + text.count("\n", 0, text.index(head)))
    first_line = 1 + text.count("\n", 0, len(text) - len(body))
    return ResponseRule(name=name, settings=_settings(values), template=compiled(body, first_line=first_line))


def _loaded(head: str, *, first_line: int) -> object:
    try:
        return _FRONT_MATTER.load(head)
    except MarkedYAMLError as error:
        line = first_line + (error.problem_mark.line if error.problem_mark else 0)
        raise SettingsError(f"front matter, line {line}: {error.problem}") from None
    except (YAMLError, ValueError):  # characters that YAML forbids; a date that is none
        raise SettingsError("front matter: it is no YAML") from None


def _settings(values: object) -> RuleSettings:
    try:
        return RuleSettings.model_validate({} if values is None else values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "front matter"
        complaint = _COMPLAINTS.get(first["type"], first["msg"][:1].lower() + first["msg"][1:])
        raise SettingsError(f"{key}: {complaint}") from None


def _shown(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"
