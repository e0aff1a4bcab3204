"""The few lines with which the bot comes to a channel, and to whoever first opens a talk with it alone; each once."""

import logging
from collections.abc import Sequence
from typing import Final

from adapters.platform.commands import CommandFlow
from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.render import Spot, as_typed
from adapters.slack.surface import SlackSurface
from adapters.slack.workspace import Workspace
from core.club.commands.values import Choice
from core.domain.messages import OF_YOUR_CLUBS, WELCOME, WELCOME_ALONE

_log = logging.getLogger(__name__)

_EVER: Final = "0"


class Welcome:
    """Says hello; nothing raises. What was said before it started is looked for where it stands."""

    def __init__(self, workspace: Workspace, commands: CommandFlow) -> None:
        self._workspace = workspace
        self._commands = commands
        self._said: set[str] = set()

    async def in_channel(self, channel: str) -> None:
        """Say hello to a channel that the bot was brought into."""
        if self._workspace.is_allowed(channel):
            await self._say(channel, WELCOME)

    async def alone(self, user_id: str, channel: str) -> None:
        """Say hello to a member alone; who reads nothing with the bot is offered the books of their clubs."""
        if channel in self._said:
            return
        surface = SlackSurface(self._workspace, Spot(channel=channel), user_id, ref=f"welcome:{channel}")
        request = await self._commands.request(surface)
        offered = await self._workspace.services.book_commands.offered_alone(request)
        said = f"{WELCOME_ALONE}\n{OF_YOUR_CLUBS}" if offered else WELCOME_ALONE
        await self._say(channel, said, await surface.sealed(offered, alone=True))

    async def _say(self, channel: str, text: str, choices: Sequence[Choice] = ()) -> None:
        if channel in self._said:
            return
        self._said.add(channel)
        shown = as_typed(text, self._workspace.me.name, in_thread=False)
        try:
            await self._workspace.posting.post(
                Spot(channel=channel), shown, ref=f"welcome:{channel}", choices=choices, again=True, since=_EVER
            )
        except (OutOfReachError, RefusedError) as error:
            _log.info("No welcome in channel %s: %s", channel, error)
