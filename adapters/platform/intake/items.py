"""A member's message on its way through an adapter: heard, stored, decided about, answered."""

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
from core.understanding.listening import Addressing

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class InboxMessage(Protocol):
    """What a member said, as the inbox can keep it; a frozen dataclass."""

    @property
    def text(self) -> str:
        """The words, without the mention of the bot."""

    @property
    def ref(self) -> str:
        """The message's name for good."""

    @property
    def order(self) -> int:
        """A number that grows with the time at which it was said, the same for a platform's every place."""

    @property
    def event(self) -> InboundEvent:
        """What the inbox keeps."""

    @property
    def member_id(self) -> str:
        """Who said it, as core names them."""

    @property
    def files(self) -> Sequence[object]:
        """The files that came with it, as the platform names them."""

    def with_text(self, text: str) -> Self:
        """Return it with another text, as after an edit."""


MessageT = TypeVar("MessageT", bound=InboxMessage)


def known_fields(kind: type[Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a dataclass has of what was stored: another version may have kept more than is known now."""
    return {one.name: payload[one.name] for one in fields(kind) if one.name in payload}


def kept_fields(said: "DataclassInstance") -> dict[str, object]:
    """Return what is stored of a message whose fields JSON can hold as they are."""
    return {name: getattr(said, name) for name in _names(type(said))}


@cache
def _names(kind: "type[DataclassInstance]") -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


class NotAllReadError(Exception):
    """Some of what was missed could not be read: the platform was out of reach."""


class NotKeptError(Exception):
    """A message could not be stored, and should be sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCodec(Generic[MessageT]):
    """How a platform's messages are kept: under which name, read back how, and in which order their ids stand.

    `now` is the order of what is said at this moment, or a little earlier.

    What has one key, that of its thread, is decided about and answered in order; threads of one lane (a channel) share
    a bound.
    """

    platform: str
    read: Callable[[Mapping[str, Any]], MessageT]
    order_of: Callable[[str], int]
    now: Callable[[], int]
    key_of: Callable[[MessageT], Hashable]
    lane_of: Callable[[MessageT], Hashable]


@dataclass(slots=True, kw_only=True, eq=False)
class InboxItem(Generic[MessageT]):
    """A message on its way; `again` where an earlier attempt may have answered it. It may change while it waits.

    `is_left`: an earlier process has left it. `is_suspect`: one or several may have died of it; `blame` says how likely
    that is. `reply` is what is posted to it, once that is known, and `is_posted` says that it was. `tries` are those in
    which the store was of no use. `check` is called before a reply is posted: by then that may be another's to do.
    `leased_until`, by the monotonic clock, another process leaves it alone. `is_put_off`: the platform was out of
    reach. `is_cut_off`: a stop ended the work on it. `is_settled` comes when it stands in the inbox, or, with
    `is_lost`, when it could not be kept, or is another process's by now; with `is_known`
    it stood there before, and this one is not worked on.
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
        """Return what an earlier process has left, as far as the inbox knows."""
        is_posted = event.state is EventState.POSTED
        return cls(said=said, again=True, is_left=True, is_posted=is_posted, reply=event.reply, blame=event.blame)

    @property
    def is_dropped(self) -> bool:
        """Whether there is nothing left to answer: it was deleted, or an edit left no words of it."""
        return self.is_deleted or self.is_emptied

    def edit(self, text: str) -> None:
        """Put the new text in place of the old one."""
        self.is_emptied = not text and (self.is_emptied or bool(self.said.text))
        self.said, self.is_changed = self.said.with_text(text), True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PendingAnswer(Generic[MessageT]):
    """A message that gets an answer, where it stands, how sure it is that it asks for one, and its reactions.

    One that `is_short` does not wait its turn.
    """

    item: InboxItem[MessageT]
    surface: MessageSurface
    heard: Addressing
    asked: AskedAs
    reactions: MessageReactions
    is_short: bool = False


class ItemAnswering(Protocol[MessageT]):
    """What is done with the messages that the intake hands over."""

    async def decide(self, item: InboxItem[MessageT]) -> PendingAnswer[MessageT] | None:
        """Return the answer that a message asks for; None where it is not for the bot, or cannot be answered any more.

        Raises OutOfReachError where it stays to be done.
        """

    async def execute(self, pending: PendingAnswer[MessageT]) -> bool:
        """Answer; False where the platform is out of reach, so that it must be taken up again later."""


HandOver = Callable[[MessageT], Awaitable[None]]
Fetch = Callable[[dict[str, int], int, HandOver[MessageT]], Awaitable[None]]
"""Hands over what was missed after an order, 0 for nothing. It is told which places are known, each with the order of
the last that was heard there, the liveliest first.

Raises NotAllReadError where some of it could not be read."""
