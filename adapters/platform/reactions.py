"""What happens inside a turn, as reactions on the asker's message: in order, beside the answer and never in its way."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Final

from adapters.platform.services import Emoji
from adapters.platform.surface import GoneError, MessageSurface, NoRightError
from core.domain.chat_event import ChatEvent, ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent, TurnFailedEvent

_log = logging.getLogger(__name__)

_LATE_S: Final = 2.0
_ONE_CALL_S: Final = 15.0
_MUTED_S: Final = 600.0
_MOST_TAKEN_BACK: Final = 4
_MOST_MUTED: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    emoji: str
    adds: bool
    at: float
    tries: int = 1


class Reactions:
    """The reactions on all messages; each message has a queue of its own for as long as it has something in it."""

    def __init__(self, emoji: Emoji) -> None:
        self._emoji = emoji
        self._running: set[asyncio.Task[None]] = set()
        self._muted: dict[Hashable, float] = {}
        self._told: set[Hashable] = set()

    def on(self, message: MessageSurface) -> "MessageReactions":
        """Return the reactions on one message."""
        return MessageReactions(self, message, self._emoji)

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

    def start(self, work: "MessageReactions") -> None:
        """Let a message's queue run beside everything else."""
        task = asyncio.create_task(work.run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def finish(self, *, within: float) -> None:
        """Let what is queued go out, for so many seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=within)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


class MessageReactions:
    """The reactions on one message. Nothing here raises, and nothing waits for it."""

    def __init__(self, all_of_them: Reactions, message: MessageSurface, emoji: Emoji) -> None:
        self._all = all_of_them
        self._message = message
        self._emoji = emoji
        self._steps: deque[_Step] = deque()
        self._shown: set[str] = set()
        self._is_running = False
        self._is_waiting = False
        self._is_answered = False
        self._settled = asyncio.Event()
        self._settled.set()

    def take(self, event: ChatEvent) -> None:
        """Show an event, where it has a reaction; that it is answered is shown when the answer is `posted`."""
        self._is_answered = self._is_answered or isinstance(event, TurnAnsweredEvent)
        emoji = self._emoji_of(event)
        if emoji is not None:
            self._put(emoji, adds=True)

    def waits(self) -> None:
        """Show that the question waits its turn."""
        self._is_waiting = True
        self._put(self._emoji.waiting, adds=True)

    def may_wait_still(self) -> None:
        """An earlier process may have shown that the question waits, and died before it did not any more."""
        self._is_waiting = True
        self._shown.add(self._emoji.waiting)

    async def settled(self, *, within: float) -> None:
        """Wait until all that was put is shown, for so many seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), within)

    def begins(self) -> None:
        """Show that it waits no longer."""
        if self._is_waiting:
            self._is_waiting = False
            self._put(self._emoji.waiting, adds=False)

    def posted(self) -> None:
        """Show that the turn's answer stands there."""
        if self._is_answered:
            self.answered()

    def answered(self) -> None:
        """Show that all is done."""
        self._put(self._emoji.answered, adds=True)

    def failed(self) -> None:
        """Show that no answer comes."""
        self._put(self._emoji.failed, adds=True)

    async def run(self) -> None:
        """Carry the steps out, until none is left."""
        try:
            while self._steps:
                step = self._steps.popleft()
                # The latest state wins where the platform is slow; what is taken away is never skipped.
                if step.adds and time.monotonic() - step.at > _LATE_S and any(later.adds for later in self._steps):
                    continue
                await self._carry_out(step)
        finally:
            self._is_running = False
            self._settled.set()

    def _put(self, emoji: str, *, adds: bool) -> None:
        if adds == (emoji in self._shown):
            return
        if not self._all.may_react(self._message):
            return
        if adds:
            self._shown.add(emoji)
        else:
            self._shown.discard(emoji)
        self._steps.append(_Step(emoji=emoji, adds=adds, at=time.monotonic()))
        if not self._is_running:
            self._is_running = True
            self._settled.clear()
            self._all.start(self)

    async def _carry_out(self, step: _Step) -> None:
        try:
            async with asyncio.timeout(_ONE_CALL_S):
                if step.adds:
                    await self._message.react(step.emoji)
                else:
                    await self._message.unreact(step.emoji)
        except NoRightError:
            self._all.missing_right(self._message)
            self._steps.clear()
        except GoneError:
            # What is taken away may be there no more; where the message is gone, nothing can be added either.
            if step.adds:
                self._steps.clear()
        except Exception as error:  # noqa: BLE001 (an ornament: whatever is wrong with it, the answer goes on)
            _log.info("A reaction was not taken: %s", str(error) or type(error).__name__)
            # What is not taken away would say for ever what is true no more; what comes after it need not wait.
            if not step.adds and step.tries < _MOST_TAKEN_BACK and step.emoji not in self._shown:
                self._steps.append(replace(step, tries=step.tries + 1))

    def _emoji_of(self, event: ChatEvent) -> str | None:
        match event:
            case ToolInvocationEvent():
                return self._emoji.searching
            case ToolResultEvent(result_count=count):
                return self._emoji.found if count else self._emoji.found_nothing
            case TurnFailedEvent():
                return self._emoji.failed
            case _:
                return None
