"""What members use, commands, buttons, forms, kept before it is acknowledged: a process that dies leaves none open."""

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

_KEEPING_S: Final = 1.0
_MOST_ATTEMPTS: Final = 2
_BUTTON: Final = "."
_LOOK: Final = sentence("`where` shows how far it got. Please try it again if it isn't done.")

TakeUp = Callable[[InboundEvent, str | None], Awaitable[None]]
"""Deals with what was left of a command: with this sentence where there is one, else by running it again."""


class UsedCommands:
    """What was used and is not done with.

    The next start runs a repeatable command again. Others may have been carried out already: their user is told to
    look, for to set a page twice, or to undo it twice, is not the same as once.
    """

    def __init__(self, inbox: Inbox, platform: str, commands: CommandRegistry) -> None:
        self._inbox = inbox
        self._commands = commands
        self._platform = f"{platform}/used"
        self._at_work: set[str] = set()
        self._done_meanwhile: set[str] = set()
        self._is_looking = False
        self._unnoted: dict[str, InboundEvent] = {}

    async def keep(self, *, place: str, used_id: str, words: str, payload: Mapping[str, object]) -> InboundEvent:
        """Store a command; a store that is busy for long costs it this promise, and not its acknowledgement in time."""
        event = InboundEvent(
            platform=self._platform, place=place, message_id=used_id, payload={"words": words, **payload}
        )
        self._at_work.add(used_id)
        try:
            async with asyncio.timeout(_KEEPING_S):
                await self._inbox.take_in(event)
        except (StorageError, TimeoutError) as error:
            _log.warning("The command %s could not be stored: %s", used_id, error)
        return event

    async def done(self, event: InboundEvent) -> None:
        """Note that a command is done with; where that can't be stored now, the next one that is done notes it too."""
        self._unnoted[event.message_id] = event
        try:
            for each in list(self._unnoted.values()):
                await self._inbox.finish(each)
                self._unnoted.pop(each.message_id, None)
        except StorageError as error:
            _log.warning("That the command %s is done could not be stored: %s", event.message_id, error)
        finally:
            if self._is_looking:
                self._done_meanwhile.add(event.message_id)
            self._at_work.discard(event.message_id)

    async def take_up(self, deal_with: TakeUp) -> None:
        """Deal with what an earlier process left, one after another; what is out of reach is left to the next start."""
        self._is_looking = True
        left = await self._inbox.unfinished(self._platform)
        self._is_looking = False
        # What this process was just getting done while the list was read, it has done.
        ours = self._at_work | self._done_meanwhile | self._unnoted.keys()
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
                _log.warning("The command %s stays open: %s", event.message_id, error)
                continue
            except Exception:  # noqa: BLE001 (it would be so again)
                _log.exception("The command %s is given up.", event.message_id)
            await self.done(event)

    def _is_repeatable(self, words: str) -> bool:
        command = self._commands.get(words)
        return words == SHOW or (command is not None and command.is_repeatable)

    def _interrupted(self, words: str) -> str:
        menu = self._commands.in_menus().get(words)
        if menu:
            told = say("I restarted before I finished “{command}”.", command=say(menu))
        elif words.startswith(_BUTTON):
            told = say("I restarted before I finished the button you pressed.")
        else:
            told = say("I restarted before I finished `{command}`.", command=words)
        return f"{told} {say(_LOOK)}"
