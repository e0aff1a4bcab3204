"""What every platform's adapter is given by the wiring: core's services, and what all that goes on beside them share.

That is how many ornaments go out, who must have the process to itself, and the inbox as one bot sees it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Self

from adapters.platform.sealing import ButtonSeal
from core.answering.answer_message import AnswerMessage
from core.answering.given_answers import Answers
from core.answering.quota import Quota
from core.answering.threads import ThreadTitles
from core.club.books.book_commands import BookCommands
from core.club.browser.member_clubs import MemberClubs
from core.club.commands.registry import CommandRegistry
from core.club.hearing.addressing import AddressingService
from core.club.settings.left_servers import LeftServers
from core.club.timers.due import Due
from core.club.watch.watching import PostWatch
from core.domain.inbound import InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox
from core.ports.work import WorkQueue

_A_SECOND: Final = 20.0
_AT_ONCE: Final = 40.0


class CosmeticRateLimit:
    """How many ornaments go out: reactions and typing notices give way to answers, for which a platform's limits are.

    So many calls a second, after so many at once; Discord takes fifty of a bot in all.
    """

    def __init__(self, *, a_second: float = _A_SECOND, at_once: float = _AT_ONCE) -> None:
        self._a_second = a_second
        self._most = self._left = at_once
        self._counted_at = time.monotonic()

    def take(self) -> bool:
        """Take one, where one may go out at this moment."""
        if self._now_left() < 1:
            return False
        self._left -= 1
        return True

    async def turn(self) -> None:
        """Wait until one may go out; those who wait go one after the other."""
        wait = (1 - self._now_left()) / self._a_second
        self._left -= 1
        if wait > 0:
            await asyncio.sleep(wait)

    def _now_left(self) -> float:
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._counted_at) * self._a_second)
        self._counted_at = now
        return self._left


class ExclusiveGate:
    """Work that runs side by side, and work that must have the process to itself: then it is known who ended it.

    Whoever wants to be alone waits until all others are done; what comes meanwhile waits for them.
    """

    def __init__(self) -> None:
        self._beside = 0
        self._want_alone = 0
        self._is_alone = False
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def beside_others(self) -> AsyncIterator[None]:
        """Run beside what else does."""
        await self._until(lambda: not (self._is_alone or self._want_alone))
        self._beside += 1
        try:
            yield
        finally:
            self._beside -= 1
            self._changed.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Run with nothing else beside it."""
        self._want_alone += 1
        try:
            await self._until(lambda: not (self._is_alone or self._beside))
            self._is_alone = True
        finally:
            self._want_alone -= 1
            self._changed.set()
        try:
            yield
        finally:
            self._is_alone = False
            self._changed.set()

    async def _until(self, is_free: Callable[[], bool]) -> None:
        while not is_free():
            self._changed.clear()
            await self._changed.wait()


class OwnInbox(Inbox):
    """The inbox as one bot sees it: several bots may share a database, and hear the same messages.

    It passes on what one bot takes in, and gives it nothing of another's; `bot` says which, once it is known.
    """

    def __init__(self, inbox: Inbox, bot: Callable[[], str]) -> None:
        self._inbox = inbox
        self._bot = bot

    @property
    def bot(self) -> str:
        """Who hears."""
        return self._bot()

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        """Store an event; False where this bot knows it already."""
        return await self._inbox.take_in(self._own(event), finished=[self._own(one) for one in finished])

    async def knows(self, *, platform: str, place: str, message_id: str, bot: str | None = None) -> bool:
        """Whether this bot ever took a message in."""
        return await self._inbox.knows(platform=platform, place=place, message_id=message_id, bot=bot or self.bot)

    async def begin(self, event: InboundEvent) -> int:
        """Note that work on an event begins; return how often it has by now."""
        return await self._inbox.begin(self._own(event))

    async def inherit(self, platform: str, *, crashed: bool, bot: str = "") -> None:
        """Take what an earlier process of this bot was working on when it ended."""
        await self._inbox.inherit(platform, crashed=crashed, bot=bot or self.bot)

    async def put_back(self, event: InboundEvent) -> None:
        """Note that work on an event was cut off by no fault of its own."""
        await self._inbox.put_back(self._own(event))

    async def settle(self, event: InboundEvent, reply: Reply) -> None:
        """Freeze what is posted to an event."""
        await self._inbox.settle(self._own(event), reply)

    async def posted(self, event: InboundEvent, message_ids: Sequence[str]) -> None:
        """Note that the reply to an event is posted."""
        await self._inbox.posted(self._own(event), message_ids)

    async def finish(self, event: InboundEvent) -> None:
        """Mark an event as done."""
        await self._inbox.finish(self._own(event))

    async def finish_posted(self, events: Sequence[InboundEvent]) -> None:
        """Mark events as done whose replies are posted."""
        await self._inbox.finish_posted([self._own(event) for event in events])

    async def unfinished(self, platform: str, *, bot: str | None = None) -> list[InboundEvent]:
        """Return what this bot took in and has not finished."""
        return await self._inbox.unfinished(platform, bot=bot or self.bot)

    async def prune(self, before: datetime) -> int:
        """Forget what was done and came before then, of all bots."""
        return await self._inbox.prune(before)

    async def latest_message_ids(self, platform: str, *, bot: str | None = None) -> dict[str, str]:
        """Return for each place the id of the message that this bot took in last."""
        return await self._inbox.latest_message_ids(platform, bot=bot or self.bot)

    async def note_watermark(self, platform: str, message_id: str, *, bot: str = "") -> None:
        """Remember the last message up to which this bot has all that was said."""
        await self._inbox.note_watermark(platform, message_id, bot=bot or self.bot)

    async def last_watermark(self, platform: str, *, bot: str | None = None) -> str | None:
        """Return what was remembered so."""
        return await self._inbox.last_watermark(platform, bot=bot or self.bot)

    def _own(self, event: InboundEvent) -> InboundEvent:
        return replace(event, bot=self.bot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """The reactions on the asker's message, as the platform names them."""

    searching: str
    found: str
    found_nothing: str
    answered: str
    failed: str
    waiting: str
    thanked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformServices:
    """Core's services, as every platform uses them."""

    answer_message: AnswerMessage
    addressing: AddressingService
    commands: CommandRegistry
    book_commands: BookCommands
    answers: Answers
    member_clubs: MemberClubs
    thread_titles: ThreadTitles
    inbox: Inbox
    quota: Quota
    due: Due
    watch: PostWatch
    left_servers: LeftServers
    set_aside_index: Callable[[], None]
    """Search without the index of vectors from now on: a process may have died of it."""
    work: WorkQueue | None = None
    """Where the questions go that other processes answer; None where this one answers them itself."""
    turns_at_once: int = 32
    """So many questions are answered side by side, and of one channel half as many."""
    exclusive: ExclusiveGate = field(default_factory=ExclusiveGate)
    ornament_rate: CosmeticRateLimit = field(default_factory=CosmeticRateLimit)
    seal: ButtonSeal = field(default_factory=ButtonSeal)
    """Proves the buttons."""
    crashed: bool = False
    """Whether the process before this one ended by its own fault, as far as it could still note that."""
    bot: Callable[[], str] = str
    """Which bot hears and answers; "" before it has logged in."""

    def heard_by(self, bot: Callable[[], str]) -> Self:
        """Return the services as one of several bots uses them."""
        return replace(self, inbox=OwnInbox(self.inbox, bot), bot=bot)
