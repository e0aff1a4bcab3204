"""Unrequested posts: scheduled messages in a channel, a thread or a DM, and one welcome per place."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from typing_extensions import override

from adapters.platform.commands import CommandFlow
from adapters.platform.due import sending
from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.people import PLATFORM
from adapters.slack.render import Spot, as_typed
from adapters.slack.surface import SlackSurface
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say
from core.club.commands.values import Choice
from core.club.timers.due import DueMessage, ServedPlatform
from core.domain.messages import OF_YOUR_CLUBS, WELCOME, WELCOME_ALONE
from core.domain.scopes import is_direct

_log = logging.getLogger(__name__)

_CLOCKS_DIFFER: Final = timedelta(minutes=5)
_EVER: Final = "0"


class DueInSlack(ServedPlatform):
    """Posts scheduled messages, each once even when retried."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    @override
    def timer_scopes(self) -> Sequence[str]:
        """Return the scopes of the workspace and of its members' direct messages."""
        team_id = self._workspace.me.team_id
        return f"{PLATFORM}:{team_id}", f"{PLATFORM}:dm:{team_id}:"

    @override
    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        workspace = self._workspace
        async with sending():
            to, about = await self._target(message)
            await workspace.posting.post(
                to,
                as_typed(message.text, workspace.me.name, in_thread=to.thread_ts is not None),
                ref=ref,
                about=about,
                choices=await workspace.services.seal.of(message.choices, message.thread, message.member_id),
                role=message.role,
                again=since is not None,
                since=None if since is None else _ts(since),
            )

    @override
    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        async with sending():
            to, _ = await self._target(message)
            return await self._workspace.posting.is_posted(to, ref=ref, since=_ts(since))

    async def _target(self, message: DueMessage) -> tuple[Spot, Spot]:
        """Return where a message belongs, and the place that its buttons are about. Raises RefusedError."""
        thread, calls = message.thread, self._workspace.calls
        place = Spot(channel=thread.place, thread_ts=thread.thread or None)
        if message.member_id or is_direct(thread.scope):
            user_id = (message.member_id or thread.scope).rpartition(":")[2]
            opened = await calls.ask(calls.client.conversations_open, users=user_id)
            direct = Spot(channel=str(opened["channel"]["id"]))
            return direct, direct if is_direct(thread.scope) else place
        if not self._workspace.is_allowed(thread.place):
            raise RefusedError("the bot is not set up to speak there")
        return place, place


def _ts(since: datetime) -> str:
    return f"{(since - _CLOCKS_DIFFER).timestamp():.6f}"


class Welcome:
    """Posts welcomes; never raises. Looks first for a welcome that an earlier process posted."""

    def __init__(self, workspace: Workspace, commands: CommandFlow) -> None:
        self._workspace = workspace
        self._commands = commands
        self._said: set[str] = set()

    async def in_channel(self, channel: str) -> None:
        """Post a welcome in a channel that the bot was invited to."""
        if self._workspace.is_allowed(channel):
            await self._say(channel, say(WELCOME))

    async def alone(self, user_id: str, channel: str) -> None:
        """Post a welcome in a DM; a member who reads nothing with the bot is offered the books of their clubs."""
        if channel in self._said:
            return
        surface = SlackSurface(self._workspace, Spot(channel=channel), user_id, ref=f"welcome:{channel}")
        request = await self._commands.request(surface)
        offered = await self._workspace.services.book_commands.offered_alone(request)
        said = f"{say(WELCOME_ALONE)}\n{say(OF_YOUR_CLUBS)}" if offered else say(WELCOME_ALONE)
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
            _log.info("The welcome in channel %s could not be posted: %s", channel, error)
