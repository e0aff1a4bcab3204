"""Values between the agent loop and a model (ADR 18), and the turn's deadline (ADR 10).

Standard library only.
"""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, get_args


class Deadline:
    """The time budget of a turn, shared by all its model calls.

    Args:
        seconds: how long the whole turn may take from now.
        retries: how many further tries all calls of the turn may make together.
        now: a monotonic clock in seconds.
    """

    def __init__(self, *, seconds: float, retries: int, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._ends_at = now() + seconds
        self._retries_left = retries

    def remaining(self) -> float:
        """Return the seconds that are left, never below 0."""
        return max(0.0, self._ends_at - self._now())

    def take_retry(self, *, wait: float) -> bool:
        """Use one retry after a wait of this many seconds; False, with none used, if the budget does not allow it."""
        if self._retries_left < 1 or wait >= self.remaining():
            return False
        self._retries_left -= 1
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLimits:
    """What every turn may spend: seconds, whatever takes them, and further tries over all its model calls.

    `looks_back`: so many messages of its thread are read again for it.
    """

    seconds: float = 90.0
    retries: int = 2
    looks_back: int = 400

    def deadline(self) -> Deadline:
        """Return the budget of a turn that begins now."""
        return Deadline(seconds=self.seconds, retries=self.retries)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A tool on offer. `parameters` is a JSON Schema object."""

    name: str
    description: str
    parameters: dict[str, object]


UNREADABLE_ARGUMENTS: Final = "_unreadable_arguments"
"""Replaces the arguments of a call that are unreadable; its value says why. No tool has this argument."""
WENT_ALONG: Final = "went-along"
"""The invocation id of the search before the first model call, which no model asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolInvocation:
    """A tool the model wants to use. `invocation_id` is the provider's own id, needed to pair the result with it."""

    tool_name: str
    arguments: dict[str, object]
    invocation_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """Tokens of one or more model calls. `input_tokens` counts everything that went in, cached or not."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
        )


class StopReason(StrEnum):
    """Why the model stopped, in one vocabulary for all providers."""

    END = "end"
    TOOL_USE = "tool_use"
    LENGTH = "length"
    REFUSAL = "refusal"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChatResponse:
    """A model's answer: text or tool use, never both and never neither.

    `tool_invocation` is the first of `tool_invocations`; give either one. `preamble` is text that came beside tool
    use. `provider_state` is opaque and handed back unchanged with the results (thinking blocks).

    Raises:
        ValueError: both text and tool use, or neither.
    """

    text: str | None = None
    tool_invocation: ToolInvocation | None = None
    tool_invocations: tuple[ToolInvocation, ...] = ()
    preamble: str | None = None
    usage: TokenUsage | None = None
    stop_reason: StopReason = StopReason.END
    provider_state: object = None
    model: str | None = None

    def __post_init__(self) -> None:
        if self.tool_invocation is not None and not self.tool_invocations:
            object.__setattr__(self, "tool_invocations", (self.tool_invocation,))
        if self.tool_invocations and self.tool_invocation is None:
            object.__setattr__(self, "tool_invocation", self.tool_invocations[0])
        if (self.text is None) == (not self.tool_invocations):
            raise ValueError("A ChatResponse holds either text or tool use.")
        if self.tool_invocations and self.tool_invocation != self.tool_invocations[0]:
            raise ValueError("tool_invocation is the first of tool_invocations.")


PromptRole = Literal["system", "user", "assistant", "tool_result"]
PROMPT_ROLES: Final[frozenset[str]] = frozenset(get_args(PromptRole))
_LONGEST_NAME: Final = 60
_MOST_RUNS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """One message of a prompt.

    An assistant message may carry the invocations it made (and its provider's state); a tool result names the
    invocation it answers. `author` is the display name of the member who said it, in a thread of many. `looked_at` are
    the pages of the passages that went along with an earlier question. A reminder is said by us in a user's place: it
    is no question.

    Raises:
        ValueError: a role that is not known.
    """

    role: PromptRole
    content: str
    author: str = ""
    tool_invocations: tuple[ToolInvocation, ...] = ()
    invocation_id: str = ""
    tool_name: str = ""
    is_error: bool = False
    is_reminder: bool = False
    provider_state: object = None
    looked_at: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.role not in PROMPT_ROLES:
            raise ValueError(f"A prompt message has one of the roles {sorted(PROMPT_ROLES)}, not {self.role!r}.")

    @property
    def said(self) -> str:
        """The content as a model reads it: who said it, then what, with the pages of the passages that went along."""
        name = " ".join(self.author.split())[:_LONGEST_NAME]
        said = f"{name}: {self.content}" if name and self.content.strip() else self.content
        return f"{said}\n[looked at: {named_pages(self.looked_at)}]" if self.looked_at else said


def named_pages(pages: Collection[int]) -> str:
    """Return pages as a model reads them in short: `p. 62`, `pp. 12-14, 62`; of many runs of pages, the first."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    named = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:_MOST_RUNS]]
    more = ", ..." if len(runs) > _MOST_RUNS else ""
    return f"{'p' if len(set(pages)) == 1 else 'pp'}. {', '.join(named)}{more}"


class ToolChoice(StrEnum):
    """Whether the model may use the tools that are defined."""

    AUTO = "auto"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationOptions:
    """How one call is to be made; None leaves it to the provider's default.

    `deadline` is the turn's, shared by all its calls. `answer_schema` is the JSON Schema of the answer that is wanted;
    it need not be kept to. A provider sends an option only where its model takes it.
    """

    model: str | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    tool_choice: ToolChoice = ToolChoice.AUTO
    deadline: Deadline | None = None
    answer_schema: Mapping[str, object] | None = None
