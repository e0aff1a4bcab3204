"""Conversations in threads: lines, stored messages and turns."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from core.domain.messages import plain_name
from core.domain.passage import SearchResult
from core.domain.position import Position
from core.domain.tool_use import WENT_ALONG, TokenUsage, ToolInvocation
from core.domain.verdict import Verdict

A_MEMBER: Final = "A member"
_PARTS_OF_A_PROMPT: Final = frozenset(("you", "system", "assistant", "user", "tool", "passages", "pages", "message"))
_PLAIN = re.compile(r"[^\W\d_][\w.'’-]{0,23}")


class AskedAs(StrEnum):
    """How certain it is that a line asks the bot something.

    For `LIKELY` and `PERHAPS`, the model that answers may find that nobody asked the bot; without a model, `PERHAPS` is
    not answered.
    """

    NO = "no"
    PERHAPS = "perhaps"
    LIKELY = "likely"
    YES = "yes"

    @property
    def is_doubtful(self) -> bool:
        """Whether a model may find that nobody asked the bot."""
        return self in {AskedAs.PERHAPS, AskedAs.LIKELY}


class RepliesTo(StrEnum):
    """Whom a line replies to, on platforms with replies."""

    NOBODY = "nobody"
    BOT = "bot"
    MEMBER = "member"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a thread. `author` is a name, the same for all of theirs; empty where nobody knows it.

    `text` holds no mention of the bot; `mentions_member`: somebody else is mentioned anywhere in it.
    """

    text: str
    author: str = ""
    is_bot: bool = False
    mentions_bot: bool = False
    mentions_member: bool = False
    replies_to: RepliesTo = RepliesTo.NOBODY


class Role(StrEnum):
    """Who a stored message is from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL_RESULT = "tool_result"


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """A member with a display name that is safe to show."""

    member_id: str
    display_name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "display_name", plain_name(self.display_name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One platform thread about one reading. `session_id` is thread and reading."""

    conversation_id: str
    session_id: str
    reading_id: str
    book_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One stored message.

    `position` is where the reader stood when it was written; `reveals_page` is the highest page that the text is
    known to tell of. A tool result carries the invocation it answers, so that a later context can replay the pair.
    The page labels of passages that went along with a question are stored like a tool result, behind it.
    """

    role: Role
    content: str
    position: Position
    author: Author | None = None
    reveals_page: int | None = None
    invocation: ToolInvocation | None = None
    is_error: bool = False
    created_at: datetime | None = None
    message_id: int | None = None
    platform_ref: str | None = None

    @property
    def went_along(self) -> bool:
        """Whether these are the passages that were sent along with the question before it."""
        return self.invocation is not None and self.invocation.invocation_id == WENT_ALONG

    def fits(self, position: Position) -> bool:
        """Whether a prompt for readers at `position` may contain this message."""
        last_page = position or 0
        return (self.position or 0) <= last_page and (self.reveals_page or 0) <= last_page


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A recorded tool call: `iteration` counts from 1, `result` is what the model saw."""

    tool: str
    params: dict[str, object]
    result: str
    iteration: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """What one run of the agent gives. `messages` are the tool results to be stored, in order.

    `retrieval_attempts` counts its searches; `rewritten_query` is what was searched for last where that was not the
    question. `guardrail_reasoning` is why the question got its `guardrail_score`, where a model gave it.

    `verdicts` say of each sentence of a draft that is posted what it was judged to be. `blocks` are the rules that held
    drafts of this turn back, with how often each did. `quotes_only`: the text is read sentences word for word, or the
    one fixed sentence; it cannot leak. `has_more`: more passages can be asked for. `nobody_asked`: the
    model found that the message asks nothing of it, so that there is no answer.
    """

    text: str
    sources: tuple[SearchResult, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    messages: tuple[ChatMessage, ...] = ()
    usage: TokenUsage = field(default_factory=TokenUsage)
    iterations: int = 0
    retrieval_attempts: int = 0
    rewritten_query: str | None = None
    max_iterations_reached: bool = False
    guardrail_score: int | None = None
    guardrail_reasoning: str | None = None
    verdicts: tuple[Verdict, ...] = ()
    blocks: dict[str, int] = field(default_factory=dict)
    quotes_only: bool = False
    has_more: bool = False
    nobody_asked: bool = False
    provider: str = "none"
    model: str | None = None


class TurnStatus(StrEnum):
    """How far a turn has come; `IDLE` is one in which nobody had asked anything, or that was stopped.

    `ASKED_BACK` is one whose asker is behind the thread, and has yet to choose where to be answered.
    `HIDDEN`: it was answered, and a member reported the answer as a spoiler.
    """

    OPEN = "open"
    ASKED_BACK = "asked_back"
    ANSWERED = "answered"
    FAILED = "failed"
    IDLE = "idle"
    HIDDEN = "hidden"


SETTLED: Final = frozenset({TurnStatus.ANSWERED, TurnStatus.IDLE, TurnStatus.HIDDEN})
"""The statuses of a turn that has ended: a message delivered again is not answered again."""
JUDGED: Final = "judged"
"""The prefix, in a turn's steps, of the verdicts on its sentences."""
SPOILER: Final = -2
"""The feedback of a member who reports an answer as a spoiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question and its answer; `turn_number` counts from 1 in its conversation, `book_id` is what it is about."""

    turn_id: int
    conversation_id: str
    turn_number: int
    status: TurnStatus
    position: Position
    user_query: str
    agent_response: str | None = None
    book_id: str = ""


def called(display_name: str) -> str:
    """Return the part of a display name for prompts: its first word, if that is a plain name.

    Members choose their names, so the rest is left out as untrusted text.
    """
    first = next(iter(display_name.split()), "")
    return first if _PLAIN.fullmatch(first) and first.casefold() not in _PARTS_OF_A_PROMPT else A_MEMBER
