"""What happens inside a turn, as one reaction on the asker's message: the latest, beside the answer, never in its way.

The reactions before it are taken away. What the last tool found, or that no answer came, stays; where no tool was used,
nothing does. A state that lasts shorter than can be seen is left out: no platform takes more of them.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Hashable
from typing import Final

from adapters.platform.running_tasks import TaskSet
from adapters.platform.services import CosmeticRateLimit, Emoji
from adapters.platform.surface import GoneError, MessageSurface, NoRightError
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent

_log = logging.getLogger(__name__)

_ONE_CALL_S: Final = 15.0
_SEEN_S: Final = 0.25
"""A reaction stands so long before another takes its place; Discord takes one in that time."""
_MUTED_S: Final = 600.0
_MOST_PUT: Final = 2
_MOST_TAKEN_BACK: Final = 4
_MOST_MUTED: Final = 1_000


class Reactions:
    """The reactions on all messages; each message has a task of its own for as long as something is to be changed."""

    def __init__(self, emoji: Emoji, ornament_rate: CosmeticRateLimit) -> None:
        self._emoji = emoji
        self.ornament_rate = ornament_rate
        self.tasks = TaskSet()
        self._muted: dict[Hashable, float] = {}
        self._told: set[Hashable] = set()

    def on(self, message: MessageSurface, *, again: bool = False, quiet: bool = False) -> "MessageReactions":
        """Return the reactions on one message; `again` where an earlier attempt may have left some.

        With `quiet` there are none: nobody may have asked, and nobody is to see that it was looked at.
        """
        return MessageReactions(self, message, self._emoji, again=again, quiet=quiet)

    def may_react(self, message: MessageSurface) -> bool:
        """Whether the bot has the right there; a right that is missing is said once for a place."""
        until = self._muted.get(message.channel)
        if until is not None and time.monotonic() < until:
            return False
        if message.may_react():
            return True
        self.missing_right(message)
        return False

    def missing_right(self, message: MessageSurface) -> None:
        """Say once that reactions are not allowed in a place, and leave it alone for a while."""
        if len(self._muted) >= _MOST_MUTED:
            self._muted.clear()
        self._muted[message.channel] = time.monotonic() + _MUTED_S
        if message.channel not in self._told:
            self._told.add(message.channel)
            message.say_no_reactions()


class MessageReactions:
    """The reactions on one message: one at a time. Nothing here raises, and nothing waits for it."""

    def __init__(
        self, all_of_them: Reactions, message: MessageSurface, emoji: Emoji, *, again: bool, quiet: bool = False
    ) -> None:
        self._all = all_of_them
        self._message = message
        self._emoji = emoji
        self._wanted: str | None = None
        self._standing: list[str] = [emoji.waiting, emoji.searching, emoji.found, emoji.answered] if again else []
        self._unsure = set[str]()
        self._tries = Counter[tuple[str, bool]]()
        self._put_at = 0.0
        self._changed = asyncio.Event()
        self._is_running = False
        self._is_closed = False
        self._settled = asyncio.Event()
        self._settled.set()
        self._is_quiet = quiet

    def take(self, event: ChatEvent) -> None:
        """Show an event, where it has a reaction, in place of the one before."""
        emoji = self._emoji_of(event)
        if emoji is not None:
            self._show(emoji)

    def waits(self) -> None:
        """Show that the question waits its turn."""
        self._show(self._emoji.waiting)

    async def settled(self, *, within: float) -> None:
        """Wait until all that was put is shown, for so many seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), within)

    def begins(self) -> None:
        """Show that it waits no longer."""
        if self._wanted == self._emoji.waiting:
            self._show(None)

    def done(self) -> None:
        """Show no more that something goes on; what was found, or that no answer comes, stays."""
        if self._wanted is None:  # an earlier attempt answered, and what it left of this stays too
            self._standing = [one for one in self._standing if one != self._emoji.found]
        if not self._stays:
            self._show(None)

    def nothing(self) -> None:
        """Show nothing: nobody had asked."""
        self._show(None)

    def thanked(self) -> None:
        """Show that the thanks were heard."""
        self._show(self._emoji.thanked)

    def failed(self) -> None:
        """Show that no answer comes."""
        self._show(self._emoji.failed)

    async def run(self) -> None:
        """Bring the message to what is wanted, whatever that has become by then."""
        try:
            while (step := self._next_step()) is not None:
                adds = step[1]
                if adds and await self._is_wanted_otherwise():
                    continue
                await self._all.ornament_rate.turn()
                if (step := self._next_step()) is not None:  # an answer that came meanwhile needs none
                    await self._carry_out(*step)
        finally:
            self._is_running = False
            self._settled.set()

    @property
    def _stays(self) -> bool:
        return self._wanted in (self._emoji.found, self._emoji.found_nothing, self._emoji.failed)

    def _show(self, emoji: str | None) -> None:
        self._wanted = None if self._is_quiet else emoji
        self._changed.set()
        if self._is_running or self._next_step() is None or not self._all.may_react(self._message):
            return
        self._is_running = True
        self._settled.clear()
        self._all.tasks.begin(self.run())

    async def _is_wanted_otherwise(self) -> bool:
        """Let what stands there be seen; return whether something else is wanted before it was."""
        left = self._put_at + _SEEN_S - time.monotonic()
        if not self._standing or left <= 0:
            return False
        self._changed.clear()
        try:
            async with asyncio.timeout(left):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def _next_step(self) -> tuple[str, bool] | None:
        """Return which reaction is to be put or taken away next: the new one first, so that there is always one."""
        if self._is_closed:
            return None
        wanted = self._wanted
        stands = wanted in self._standing and wanted not in self._unsure
        if wanted is not None and not stands and self._tries[wanted, True] < _MOST_PUT:
            return wanted, True
        left = (one for one in self._standing if one != wanted and self._tries[one, False] < _MOST_TAKEN_BACK)
        return next(((one, False) for one in left), None)

    async def _carry_out(self, emoji: str, adds: bool) -> None:  # noqa: FBT001 (a step)
        self._tries[emoji, adds] += 1
        try:
            async with asyncio.timeout(_ONE_CALL_S):
                if adds:
                    await self._message.react(emoji)
                else:
                    await self._message.unreact(emoji)
        except NoRightError:
            self._all.missing_right(self._message)
            self._is_closed = True
        except GoneError:
            # To take away what is not there is no reason to stop: it may be an earlier attempt that never put it.
            self._is_closed = adds
            self._settle(emoji, stands=False)
        except Exception as error:  # noqa: BLE001 (an ornament: whatever is wrong with it, the answer goes on)
            _log.info("A reaction was not taken: %s", str(error) or type(error).__name__)
            if adds and emoji not in self._standing:  # it may stand there all the same, and is taken away then
                self._standing.append(emoji)
                self._unsure.add(emoji)
        else:
            self._settle(emoji, stands=adds)

    def _settle(self, emoji: str, *, stands: bool) -> None:
        self._tries.clear()
        self._unsure.discard(emoji)
        if emoji in self._standing:
            self._standing.remove(emoji)
        if stands:
            self._standing.append(emoji)
            self._put_at = time.monotonic()

    def _emoji_of(self, event: ChatEvent) -> str | None:
        match event:
            case ToolInvocationEvent():
                return self._emoji.searching
            case ToolResultEvent(result_count=count):
                return self._emoji.found if count else self._emoji.found_nothing
            case TurnAnsweredEvent():
                return None if self._stays else self._emoji.answered
            case TurnFailedEvent():
                return self._emoji.failed
            case _:
                return None
