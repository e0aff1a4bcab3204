"""A member's message on its way through an adapter: received, stored, decided about, answered."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from adapters.platform.reactions import MessageReactions
from adapters.platform.surface import MessageSurface
from core.domain.conversation import AskedAs
from core.domain.inbound import EventState, InboundEvent
from core.domain.question import Reply
from core.domain.understanding import Understanding
from core.understanding.listening import Addressing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class InboxMessage(Protocol):
    """A message that the inbox can store; implementations are frozen dataclasses."""

    @property
    def text(self) -> str:
        """The text, without the mention of the bot."""

    @property
    def ref(self) -> str:
        """The message's permanent id."""

    @property
    def order(self) -> int:
        """A number that grows with the time of the message, comparable across all places of a platform."""

    @property
    def event(self) -> InboundEvent:
        """The event that the inbox stores."""

    @property
    def member_id(self) -> str:
        """Core's id of the writer."""

    @property
    def files(self) -> Sequence[object]:
        """The attached files, as the platform names them."""

    def with_text(self, text: str) -> Self:
        """Return a copy with another text, as after an edit."""


MessageT = TypeVar("MessageT", bound=InboxMessage)


def known_fields(kind: type[Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stored fields that the dataclass has; another version may have stored more."""
    return {one.name: payload[one.name] for one in fields(kind) if one.name in payload}


def kept_fields(said: "DataclassInstance") -> dict[str, object]:
    """Return the fields to store of a message that JSON can represent directly."""
    return {name: getattr(said, name) for name in _names(type(said))}


@cache
def _names(kind: "type[DataclassInstance]") -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


class NotAllReadError(Exception):
    """Some missed messages could not be read: the platform can't be reached."""


class NotKeptError(Exception):
    """A message could not be stored, and should be sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCodec(Generic[MessageT]):
    """How a platform's messages are stored, read back and ordered.

    `now` returns the order of a message written at this moment, or a slightly earlier one.

    Messages with one key (a thread) are decided about and answered in order. Threads of one lane (a channel) share a
    limit.
    """

    platform: str
    read: Callable[[Mapping[str, Any]], MessageT]
    order_of: Callable[[str], int]
    now: Callable[[], int]
    key_of: Callable[[MessageT], Hashable]
    lane_of: Callable[[MessageT], Hashable]


@dataclass(slots=True, kw_only=True, eq=False)
class InboxItem(Generic[MessageT]):
    """A message being handled, which may change while it waits.

    `again`: an earlier attempt may have answered it. `is_left`: an earlier process left it unfinished. `is_suspect`: it
    may have crashed a process; `blame` says how likely. `reply` is the reply to post, once known; `is_posted` says that
    it was posted. `tries` counts attempts that failed because of the store. `check` is called before a reply is posted,
    and finds out whether another process has taken over. Until `leased_until`, by the monotonic clock, no other process
    takes it. `is_put_off`: the platform was out of reach. `is_cut_off`: a shutdown interrupted it. `is_settled` is set
    once it is stored; or, with `is_lost`, once it could not be stored or belongs to another process; with `is_known` it
    was already stored, and this copy is not handled.
    """

    said: MessageT
    again: bool = False
    is_left: bool = False
    is_posted: bool = False
    is_suspect: bool = False
    blame: int = 0
    reply: Reply | None = None
    tries: int = 0
    is_put_off: bool = False
    is_cut_off: bool = False
    is_changed: bool = False
    is_deleted: bool = False
    is_emptied: bool = False
    is_lost: bool = False
    is_known: bool = False
    leased_until: float = math.inf
    check: Callable[[], Awaitable[None]] | None = None
    is_settled: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def left_by(cls, event: InboundEvent, said: MessageT) -> Self:
        """Return an item for an event that an earlier process left unfinished."""
        is_posted = event.state is EventState.POSTED
        return cls(said=said, again=True, is_left=True, is_posted=is_posted, reply=event.reply, blame=event.blame)

    @property
    def is_dropped(self) -> bool:
        """Whether there is nothing to answer: the message was deleted, or an edit removed its text."""
        return self.is_deleted or self.is_emptied

    def edit(self, text: str) -> None:
        """Replace the text."""
        self.is_emptied = not text and (self.is_emptied or bool(self.said.text))
        self.said, self.is_changed = self.said.with_text(text), True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingAnswer(Generic[MessageT]):
    """A message that gets an answer: its surface, how it addresses the bot, what it means, and its reactions.

    One that `is_short` does not wait for its turn.
    """

    item: InboxItem[MessageT]
    surface: MessageSurface
    heard: Addressing
    meaning: Understanding
    reactions: MessageReactions
    is_short: bool = False

    @property
    def asked(self) -> AskedAs:
        """How sure it is that it asks for an answer."""
        return self.meaning.addressed


class ItemAnswering(Protocol[MessageT]):
    """Decides about and answers the messages that the intake passes on."""

    async def decide(self, item: InboxItem[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return the pending answer; None if the message is not for the bot, or can't be answered any more.

        Raises OutOfReachError if it must be decided again later.
        """

    async def execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer; return False if the platform can't be reached, so that it must be tried again later."""


HandOver = Callable[[MessageT], Awaitable[None]]
Fetch = Callable[[dict[str, int], int, HandOver[MessageT]], Awaitable[None]]
"""Fetches the messages after an order (0 for none) and passes each on. It gets the known places, most recently active
first, each with the order of its last message.

Raises NotAllReadError if some messages could not be read.
"""
