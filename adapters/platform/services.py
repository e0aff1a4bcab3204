"""What every platform's adapter is given by the wiring: core's services, and what all that goes on beside them share.

That is how many ornaments go out, and who must have the process to itself.
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

    Work that wants to be alone waits until all others are done; what comes after it waits for it.
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
        return replace(self, inbox=self.inbox.of_bot(bot), bot=bot)
