"""What falls due, posted in Slack: in a channel or thread, or to one member; once, also where it is tried again."""

from datetime import datetime, timedelta
from typing import Final

from adapters.platform.due import sending
from adapters.platform.surface import RefusedError
from adapters.slack.people import PLATFORM
from adapters.slack.render import Spot, as_typed
from adapters.slack.workspace import Workspace
from core.club.timers.due import DueMessage
from core.domain.scopes import is_direct

_CLOCKS_DIFFER: Final = timedelta(minutes=5)


def scopes_of(workspace: Workspace) -> tuple[str, ...]:
    """Return the scopes of a workspace: its own, and those of its members' direct messages."""
    team_id = workspace.me.team_id
    return f"{PLATFORM}:{team_id}", f"{PLATFORM}:dm:{team_id}:"


async def send_due(workspace: Workspace, message: DueMessage, *, ref: str, since: datetime | None) -> None:
    """Post a message; with `since` it is looked for first.

    Raises:
        NotSentError: it could not be posted.
    """
    async with sending():
        to, about = await _where(workspace, message)
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


async def stands(workspace: Workspace, message: DueMessage, *, ref: str, since: datetime) -> bool:
    """Return whether a message was posted since then. Raises NotSentError."""
    async with sending():
        to, _ = await _where(workspace, message)
        return await workspace.posting.stands(to, ref=ref, since=_ts(since))


async def _where(workspace: Workspace, message: DueMessage) -> tuple[Spot, Spot]:
    """Return where a message belongs, and the place that its buttons are about. Raises RefusedError."""
    thread = message.thread
    place = Spot(channel=thread.place, thread_ts=thread.thread or None)
    if message.member_id or is_direct(thread.scope):
        user_id = (message.member_id or thread.scope).rpartition(":")[2]
        opened = await workspace.calls.ask(workspace.calls.client.conversations_open, users=user_id)
        direct = Spot(channel=str(opened["channel"]["id"]))
        return direct, direct if is_direct(thread.scope) else place
    if not workspace.is_allowed(thread.place):
        raise RefusedError("the bot is not set up to speak there")
    return place, place


def _ts(since: datetime) -> str:
    return f"{(since - _CLOCKS_DIFFER).timestamp():.6f}"
