"""Response rules: Markdown files in `prompts/` with the options of a call in the front matter and the prompt below.

The strategies and `ResponseGenerator` use rules. `prompts.check_rules` checks all of them at start.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.domain.errors import SettingsError
from core.domain.tool_use import GenerationOptions, ToolDefinition

if TYPE_CHECKING:
    from core.agent.rule_text import RuleTemplate

RAG_CONTEXT: Final = "rag_context"
"""The variable of a rule's template for the passages found."""
DEFAULT_MODEL: Final = "default"
"""The name of the model that the provider is configured with."""
_MOST_ITERATIONS: Final = 20
_STRICT: Final = ConfigDict(extra="forbid", frozen=True, strict=True)
_COMPLAINTS: Final = {"extra_forbidden": "there is no such key", "model_type": "it holds keys with values"}

_Offered = TypeVar("_Offered", bound=ToolDefinition)


class RuleTools(BaseModel):
    """Whether a rule allows tools: which (None: all), and how many rounds of calls (None: the default)."""

    model_config = _STRICT

    enabled: bool = False
    allowed_tools: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    max_iterations: int | None = Field(default=None, ge=1, le=_MOST_ITERATIONS)

    def allowed(self, tools: Iterable[_Offered]) -> list[_Offered]:
        """Return the tools that the rule allows; empty if it allows none."""
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
    """A prompt with its options. `name` is its file's name without the ending."""

    name: str
    settings: RuleSettings
    template: "RuleTemplate"

    @property
    def tools(self) -> RuleTools:
        """Which tools the rule allows."""
        return self.settings.tools

    def render(self, variables: Mapping[str, object]) -> str:
        """Return the prompt with its variables filled in. They are data: nothing in them is rendered.

        Raises:
            jinja2.UndefinedError: the prompt has a variable that is not given.
        """
        return self.template.compiled.render(variables).strip()

    def options(self, settings: GenerationOptions | None = None) -> GenerationOptions:
        """Return the options of a call; the operator's `settings` override the rule's."""
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
    """Return the rule in a file. The file is read again only if it has changed.

    Raises:
        FileNotFoundError: there is no such file.
        SettingsError: it is no rule; one line names the file and the key.
    """
    path = prompts_dir / name
    seen = path.stat()
    return _read(path, (seen.st_mtime_ns, seen.st_size, seen.st_ino))


@lru_cache(maxsize=64)
def _read(path: Path, _version: tuple[int, int, int]) -> ResponseRule:
    try:
        return _parsed(path.read_text(encoding="utf-8-sig"), name=path.stem)
    except UnicodeDecodeError:
        raise SettingsError(f"{_shown(path)}: it is not UTF-8 text") from None
    except SettingsError as error:
        raise SettingsError(f"{_shown(path)}: {' '.join(str(error).split())}") from None


def _parsed(text: str, *, name: str) -> ResponseRule:
    from core.agent.rule_text import compiled, taken_apart

    parts = taken_apart(text)
    return ResponseRule(
        name=name, settings=_settings(parts.values), template=compiled(parts.body, first_line=parts.first_line)
    )


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
