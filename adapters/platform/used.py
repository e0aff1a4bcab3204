"""Stores commands, buttons and forms before they are acknowledged, so that a crash loses none."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from adapters.platform.buttons import SHOW
from adapters.platform.surface import OutOfReachError
from core.catalogue.sentences import say, sentence
from core.club.commands.registry import CommandRegistry
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_STORING_S: Final = 1.0
_MOST_ATTEMPTS: Final = 2
_BUTTON_PREFIX: Final = "."
_CHECK: Final = sentence("`where` shows how far it got. Please try it again if it isn't done.")

TakeUp = Callable[[InboundEvent, str | None], Awaitable[None]]
"""Handles an unfinished command: tells the member this sentence, or with None runs the command again."""


class UsedCommands:
    """Commands that members used and that are not finished.

    The next start runs repeatable commands again. Others may already have run, and running them twice (setting a page,
    undoing) would be wrong, so their member is told to check.
    """

    def __init__(self, inbox: Inbox, platform: str, commands: CommandRegistry) -> None:
        self._inbox = inbox
        self._commands = commands
        self._platform = f"{platform}/used"
        self._at_work: set[str] = set()
        self._done_meanwhile: set[str] = set()
        self._is_looking = False
        self._unstored: list[InboundEvent] = []

    async def keep(self, *, place: str, used_id: str, words: str, payload: Mapping[str, object]) -> InboundEvent:
        """Store a command. If the store is busy for long, the command is acknowledged in time but not stored."""
        event = InboundEvent(
            platform=self._platform, place=place, message_id=used_id, payload={"words": words, **payload}
        )
        self._at_work.add(used_id)
        try:
            async with asyncio.timeout(_STORING_S):
                await self._inbox.take_in(event)
        except (StorageError, TimeoutError) as error:
            _log.warning("The command %s could not be stored: %s", used_id, error)
        return event

    async def done(self, event: InboundEvent) -> None:
        """Mark a command as finished; if that can't be stored now, it is stored with the next one."""
        finished, self._unstored = [*self._unstored, event], []
        try:
            while finished:
                await self._inbox.finish(finished[-1])
                stored = finished.pop().message_id
                if self._is_looking:
                    self._done_meanwhile.add(stored)
                self._at_work.discard(stored)
        except StorageError as error:
            _log.warning("Could not store that the command %s is finished: %s", event.message_id, error)
        finally:
            self._unstored += finished

    async def take_up(self, deal_with: TakeUp) -> None:
        """Handle the commands that an earlier process left, one by one; those out of reach wait for the next start."""
        self._is_looking = True
        left = await self._inbox.unfinished(self._platform)
        self._is_looking = False
        # Skip what this process finished while the list was being read.
        ours = self._at_work | self._done_meanwhile
        self._done_meanwhile.clear()
        for event in left:
            if event.message_id in ours:
                continue
            self._at_work.add(event.message_id)
            words = str(event.payload.get("words") or "")
            attempts = await self._inbox.begin(event)
            may_run = self._is_repeatable(words) and attempts <= _MOST_ATTEMPTS
            try:
                await deal_with(event, None if may_run else self._interrupted(words))
            except OutOfReachError as error:
                _log.warning("The command %s stays unfinished: %s", event.message_id, error)
                continue
            except Exception:  # noqa: BLE001 (it would fail again)
                _log.exception("Giving up the command %s.", event.message_id)
            await self.done(event)

    def _is_repeatable(self, words: str) -> bool:
        command = self._commands.get(words)
        return words == SHOW or (command is not None and command.is_repeatable)

    def _interrupted(self, words: str) -> str:
        menu = self._commands.in_menus().get(words)
        if menu:
            told = say("I restarted before I finished “{command}”.", command=say(menu))
        elif words.startswith(_BUTTON_PREFIX):
            told = say("I restarted before I finished the button you pressed.")
        else:
            told = say("I restarted before I finished `{command}`.", command=words)
        return f"{told} {say(_CHECK)}"
