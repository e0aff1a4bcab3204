"""Shows the state of a turn as one reaction on the asker's message, without delaying the answer.

A new reaction replaces the one before. At the end only "found", "found nothing" or "failed" stays; without a tool call
nothing does. States too short to be seen are skipped, since platforms limit reactions.
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
from core.domain.chat_event import (
    ChatEvent,
    DraftMadeEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)

_log = logging.getLogger(__name__)

_ONE_CALL_S: Final = 15.0
_SHOWN_S: Final = 0.25
"""The minimum time that a reaction is shown before the next; Discord accepts one in that time."""
_MUTED_S: Final = 600.0
_MOST_ADD_TRIES: Final = 2
_MOST_REMOVE_TRIES: Final = 4
_MOST_MUTED: Final = 1_000


class Reactions:
    """The reactions on all messages; each message has a task while something is to be changed."""

    def __init__(self, emoji: Emoji, ornament_rate: CosmeticRateLimit) -> None:
        self._emoji = emoji
        self.ornament_rate = ornament_rate
        self.tasks = TaskSet()
        self._muted: dict[Hashable, float] = {}
        self._told: set[Hashable] = set()

    def on(self, message: MessageSurface, *, again: bool = False, quiet: bool = False) -> "MessageReactions":
        """Return the reactions on one message; `again` means that an earlier attempt may have left some.

        With `quiet` nothing is shown: the member may not have asked, and must not see that the message was read.
        """
        return MessageReactions(self, message, self._emoji, again=again, quiet=quiet)

    def may_react(self, message: MessageSurface) -> bool:
        """Whether the bot may react there; a missing permission is reported once per channel."""
        until = self._muted.get(message.channel)
        if until is not None and time.monotonic() < until:
            return False
        if message.may_react():
            return True
        self.missing_right(message)
        return False

    def missing_right(self, message: MessageSurface) -> None:
        """Report once that reactions are not allowed in a channel, and don't try there for a while."""
        if len(self._muted) >= _MOST_MUTED:
            self._muted.clear()
        self._muted[message.channel] = time.monotonic() + _MUTED_S
        if message.channel not in self._told:
            self._told.add(message.channel)
            message.say_no_reactions()


class MessageReactions:
    """The reactions on one message, one at a time. Nothing here raises, and nothing waits for it."""

    def __init__(
        self, reactions: Reactions, message: MessageSurface, emoji: Emoji, *, again: bool, quiet: bool = False
    ) -> None:
        self._all = reactions
        self._message = message
        self._emoji = emoji
        self._wanted: str | None = None
        self._present: list[str] = [emoji.waiting, emoji.searching, emoji.found, emoji.answered] if again else []
        self._unsure = set[str]()
        self._tries = Counter[tuple[str, bool]]()
        self._added_at = 0.0
        self._changed = asyncio.Event()
        self._is_running = False
        self._is_closed = False
        self._settled = asyncio.Event()
        self._settled.set()
        self._is_quiet = quiet
        self._is_drafted = False
        """Whether a draft was made after a search was shown: a second draft must not show."""

    def take(self, event: ChatEvent) -> None:
        """Show an event's reaction, if it has one, in place of the one before."""
        if isinstance(event, DraftMadeEvent):
            self._is_drafted = self._stays
        emoji = self._emoji_of(event)
        if emoji is not None:
            self._show(emoji)

    def waits(self) -> None:
        """Show that the question waits for its turn."""
        self._show(self._emoji.waiting)

    async def settled(self, *, within: float) -> None:
        """Wait until all changes are shown, for at most `within` seconds."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._settled.wait(), within)

    def begins(self) -> None:
        """Remove the waiting reaction."""
        if self._wanted == self._emoji.waiting:
            self._show(None)

    def done(self) -> None:
        """Remove progress reactions; "found", "found nothing" and "failed" stay."""
        if self._wanted is None:  # an earlier attempt answered; the "found" that it left stays too
            self._present = [one for one in self._present if one != self._emoji.found]
        if not self._stays:
            self._show(None)

    def nothing(self) -> None:
        """Show nothing: the member had not asked."""
        self._show(None)

    def thanked(self) -> None:
        """Show that the thanks were noticed."""
        self._show(self._emoji.thanked)

    def failed(self) -> None:
        """Show that there will be no answer."""
        self._show(self._emoji.failed)

    async def run(self) -> None:
        """Change the message's reactions until they match what is wanted, which may change at any time."""
        try:
            while (step := self._next_step()) is not None:
                adds = step[1]
                if adds and await self._changes_early():
                    continue
                await self._all.ornament_rate.turn()
                if (step := self._next_step()) is not None:  # an answer may have arrived
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

    async def _changes_early(self) -> bool:
        """Let the current reaction be seen; return whether another one was wanted before that."""
        left = self._added_at + _SHOWN_S - time.monotonic()
        if not self._present or left <= 0:
            return False
        self._changed.clear()
        try:
            async with asyncio.timeout(left):
                await self._changed.wait()
        except TimeoutError:
            return False
        return True

    def _next_step(self) -> tuple[str, bool] | None:
        """Return the next reaction to add or remove; the new one is added first, so that there is always one."""
        if self._is_closed:
            return None
        wanted = self._wanted
        stands = wanted in self._present and wanted not in self._unsure
        if wanted is not None and not stands and self._tries[wanted, True] < _MOST_ADD_TRIES:
            return wanted, True
        left = (one for one in self._present if one != wanted and self._tries[one, False] < _MOST_REMOVE_TRIES)
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
            # A missing reaction is no reason to stop: an earlier attempt may never have added it.
            self._is_closed = adds
            self._record(emoji, stands=False)
        except Exception as error:  # noqa: BLE001 (cosmetic: the answer goes on without it)
            _log.info("A reaction could not be changed: %s", str(error) or type(error).__name__)
            if adds and emoji not in self._present:  # it may be there all the same, and is then removed later
                self._present.append(emoji)
                self._unsure.add(emoji)
        else:
            self._record(emoji, stands=adds)

    def _record(self, emoji: str, *, stands: bool) -> None:
        self._tries.clear()
        self._unsure.discard(emoji)
        if emoji in self._present:
            self._present.remove(emoji)
        if stands:
            self._present.append(emoji)
            self._added_at = time.monotonic()

    def _emoji_of(self, event: ChatEvent) -> str | None:
        match event:
            case ToolInvocationEvent() | ToolResultEvent() if self._is_drafted:
                return None
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
