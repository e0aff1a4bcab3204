"""Errors by who hears them; adapters translate foreign exceptions into these where they are raised."""

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.tool_use import TokenUsage


class ThusfarError(Exception):
    """Something went wrong that can be said in one sentence; the text is safe to show to a member."""


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
    """A member asked more in a minute than one may; nothing was done."""


class StorageError(ThusfarError):
    """The store cannot be used now; the text says what an operator can do about it. It is never a reply."""


class UnstorableError(ThusfarError):
    """Something that the store does not take: it would not take it the next time either."""


class TakenOverError(ThusfarError):
    """Another process has the turn by now, and tells what becomes of it."""


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


class LLMError(Exception):
    """A model call that failed. The text is the cause, for the log; members see `core.domain.messages.describe`.

    `retry_after` is in seconds, where the provider said how long to wait; `usage` is what its own call took, where
    an answer came that could not be used (ADR 20): the adapter that read it sets it, and whoever made the call counts
    it. All else that the turn took is on the turn's log. `found` are the tool results, each a `ChatMessage`, that the
    run had by then.
    """

    def __init__(self, code: LLMErrorCode, cause: str, *, retry_after: float | None = None) -> None:
        super().__init__(f"{code}: {cause}")
        self.code = code
        self.cause = cause
        self.retry_after = retry_after
        self.usage: TokenUsage | None = None
        self.found: Sequence[object] = ()
