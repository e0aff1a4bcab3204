"""What members use, commands, buttons, forms, kept before it is acknowledged: a process that dies leaves none open."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from adapters.platform.buttons import SHOW
from adapters.platform.surface import OutOfReachError
from core.club.commands.registry import MORE_HELP
from core.club.progress.export_commands import EXPORT
from core.club.questions.question_commands import ANOTHER
from core.club.sealed.quote_commands import QUOTE_THIS
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox

_log = logging.getLogger(__name__)

_KEEPING_S: Final = 1.0
_MOST_ATTEMPTS: Final = 2
_BUTTON: Final = "."
_ASKED_AGAIN: Final = frozenset(
    {"ask", "chat", "quote", QUOTE_THIS, "export", EXPORT, ANOTHER, MORE_HELP, SHOW, ".sources", ".up", ".down"}
)
"""What does no harm twice: it is done and shown once, or only shows."""

TakeUp = Callable[[InboundEvent, str | None], Awaitable[None]]
"""Deals with what was left of a command: with this sentence where there is one, else by running it again."""

IN_MENUS: Final = {QUOTE_THIS: "Quote this"}
"""Commands offered in the menu of every message, with what they are called there; each platform registers them."""


class UsedCommands:
    """What was used and is not done with.

    A question is asked once more by the next start, and so is what only shows something. What else was used may have
    been carried out already: its user is told to look, for to set a page twice, or to undo it twice, is not the same as
    once.
    """

    def __init__(self, inbox: Inbox, platform: str) -> None:
        self._inbox = inbox
        self._platform = f"{platform}/used"
        self._at_work: set[str] = set()
        self._done_meanwhile: set[str] = set()
        self._is_looking = False

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
        """Note that a command is done with."""
        try:
            await self._inbox.finish(event)
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
        ours = self._at_work | self._done_meanwhile
        self._done_meanwhile.clear()
        for event in left:
            if event.message_id in ours:
                continue
            self._at_work.add(event.message_id)
            words = str(event.payload.get("words") or "")
            attempts = await self._inbox.begin(event)
            may_run = words in _ASKED_AGAIN and attempts <= _MOST_ATTEMPTS
            try:
                await deal_with(event, None if may_run else _interrupted(words))
            except OutOfReachError as error:
                _log.warning("The command %s stays open: %s", event.message_id, error)
                continue
            except Exception:  # noqa: BLE001 (it would be so again)
                _log.exception("The command %s is given up.", event.message_id)
            await self.done(event)


def _interrupted(words: str) -> str:
    button = f"“{IN_MENUS[words]}”" if words in IN_MENUS else "the button that you pressed"
    what = button if words.startswith(_BUTTON) else f"`{words}`"
    return f"I restarted before I finished {what}. `where` shows how far it got. Please try it again if it isn't done."
