"""Errors, by who sees them. Adapters translate foreign exceptions into these where they are raised."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.tool_use import TokenUsage


class ThusfarError(Exception):
    """An error whose text is one sentence that is safe to show to a member."""


class BookErrorCode(StrEnum):
    """What is wrong with a book, a page of it, or a conversation about it."""

    NOT_FOUND = "not_found"
    AMBIGUOUS = "ambiguous"
    PAGE_OUT_OF_RANGE = "page_out_of_range"
    UNREADABLE = "unreadable"
    EMPTY = "empty"
    TOO_LARGE = "too_large"


class BookError(ThusfarError):
    """A book, page or conversation that cannot be used as asked."""

    def __init__(self, code: BookErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class PositionError(ThusfarError):
    """A reading position that was refused; the text shows what would be right. Nothing has changed."""


class NotPermittedError(ThusfarError):
    """A member asked for what only organisers may do."""


class AsksFirstError(ThusfarError):
    """The member is behind the thread, and has to choose where they want to be answered."""


class AskedTooFastError(ThusfarError):
    """A member asked more often in a minute than allowed; nothing was done."""


class StorageError(ThusfarError):
    """The database cannot be used now. The text tells an operator what to do; it is never a reply."""


class UnstorableError(ThusfarError):
    """A value that the database does not accept. A retry would fail too."""


class TakenOverError(ThusfarError):
    """Another process has taken over the turn."""


class TurnStoppedError(ThusfarError):
    """Somebody has stopped the turn; nothing is said about it."""


class SettingsError(ThusfarError):
    """A setting is wrong; the text names the variable."""


class ToolError(Exception):
    """A tool call that failed; its text becomes the tool result that the model reads."""


class LLMErrorCode(StrEnum):
    """Why a model gave no usable answer."""

    AUTH = "auth"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    TIMEOUT = "timeout"
    CONTEXT_TOO_LONG = "context_too_long"
    REFUSED = "refused"
    BAD_RESPONSE = "bad_response"
    ITERATION_LIMIT = "iteration_limit"
    UNAVAILABLE = "unavailable"
    BUDGET_SPENT = "budget_spent"
    MONTH_SPENT = "month_spent"


class LLMError(Exception):
    """A model call that failed. The text is the cause, for the log; members see `core.domain.messages.describe`.

    `retry_after`: how many seconds to wait, if the provider said so. `usage`: what this call cost, if an answer came
    that could not be used (ADR 20); the adapter sets it, and the caller counts it. Everything else that the turn cost
    is in the turn's log. `found`: the run's tool results so far, each a `ChatMessage`.
    """

    def __init__(self, code: LLMErrorCode, cause: str, *, retry_after: float | None = None) -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause
        self.retry_after = retry_after
        self.usage: TokenUsage | None = None
        self.found: Sequence[object] = ()
