"""What the wiring gives to every platform adapter: core's services, and what its parts share.

Shared are the rate limit of cosmetic calls and the gate for work that must run alone.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
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
from core.ports.inbox import Inbox
from core.ports.work import WorkQueue

_CALLS_A_SECOND: Final = 20.0
_BURST: Final = 40.0


class CosmeticRateLimit:
    """Limits cosmetic calls (reactions, typing indicators), so that answers have room in the platform's rate limits.

    `a_second` calls a second, after a burst of `at_once`. Discord allows a bot fifty a second in total.
    """

    def __init__(self, *, a_second: float = _CALLS_A_SECOND, at_once: float = _BURST) -> None:
        self._a_second = a_second
        self._most = self._left = at_once
        self._counted_at = time.monotonic()

    def take(self) -> bool:
        """Return True, and count a call, if one may go out now."""
        if self._available() < 1:
            return False
        self._left -= 1
        return True

    async def turn(self) -> None:
        """Wait until a call may go out; waiting callers go one after the other."""
        wait = (1 - self._available()) / self._a_second
        self._left -= 1
        if wait > 0:
            await asyncio.sleep(wait)

    def _available(self) -> float:
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._counted_at) * self._a_second)
        self._counted_at = now
        return self._left


class ExclusiveGate:
    """Runs work concurrently, or one piece alone: if the process then dies, that piece was the cause.

    Work that must run alone waits until all other work is done; later work waits for it.
    """

    def __init__(self) -> None:
        self._running = 0
        self._want_alone = 0
        self._is_alone = False
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def beside_others(self) -> AsyncIterator[None]:
        """Run the block concurrently with others."""
        await self._until(lambda: not (self._is_alone or self._want_alone))
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            self._changed.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """Run the block with nothing beside it."""
        self._want_alone += 1
        try:
            await self._until(lambda: not (self._is_alone or self._running))
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
    """Core's services, and what the parts of a platform share."""

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
    """Turns off the vector index from now on: a process may have crashed in it."""
    work: WorkQueue | None = None
    """The queue for questions that other processes answer; None if this process answers them itself."""
    turns_at_once: int = 32
    """How many questions are answered at once; half as many per channel."""
    exclusive: ExclusiveGate = field(default_factory=ExclusiveGate)
    ornament_rate: CosmeticRateLimit = field(default_factory=CosmeticRateLimit)
    seal: ButtonSeal = field(default_factory=ButtonSeal)
    """Signs and checks buttons."""
    crashed: bool = False
    """Whether the previous process crashed, as far as that could be recorded."""
    bot: Callable[[], str] = str
    """Returns the id of the bot that listens and answers; "" before it has logged in."""

    def heard_by(self, bot: Callable[[], str]) -> Self:
        """Return the services as used by one of several bots."""
        return replace(self, inbox=self.inbox.of_bot(bot), bot=bot)
