"""What happens inside a turn, for reactions, logs and figures."""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.domain.errors import LLMErrorCode
from core.domain.passage import SearchResult
from core.domain.tool_use import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegunEvent:
    """A turn begins; `asked` is the question, empty where its words may not be repeated to the thread."""

    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftMadeEvent:
    """A draft is complete; what follows, until the turn ends, must not show whether it stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInvocationEvent:
    """A tool is about to run; `iteration` is how many calls of the model its run has made until then."""

    tool_name: str
    arguments: dict[str, object]
    iteration: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResultEvent:
    """A tool has answered; `query` is its main argument, `results` is empty for tools other than search."""

    query: str
    result_count: int
    results: list[SearchResult]
    is_search: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsageEvent:
    """A model call has ended: `model` answered it. What came from the provider's cache is part of what went in."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    model: str | None = None

    @classmethod
    def of(cls, usage: TokenUsage, *, model: str | None) -> "TokenUsageEvent":
        """Return the event of a call that took so much."""
        return cls(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_tokens,
            cache_write_tokens=usage.cache_write_tokens,
            model=model,
        )

    @property
    def usage(self) -> TokenUsage:
        """What the call took."""
        return TokenUsage(
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cache_read_tokens=self.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SpoilerBlockedEvent:
    """A draft was held back: which rules held it, and how often each. Never the text.

    For the log and for sums; no platform shows it, or a block would be a signal (ADR 21).
    """

    rules: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnAnsweredEvent:
    """The turn has its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailedEvent:
    """The turn ends without an answer."""

    code: LLMErrorCode


ChatEvent = (
    TurnBegunEvent
    | ToolInvocationEvent
    | ToolResultEvent
    | TokenUsageEvent
    | DraftMadeEvent
    | SpoilerBlockedEvent
    | TurnAnsweredEvent
    | TurnFailedEvent
)
EventSink = Callable[[ChatEvent], None]
