"""What falls due, posted in Slack: in a channel or thread, or to one member; once, also where it is tried again."""

from datetime import datetime, timedelta
from typing import Final

from adapters.platform.due import sending
from adapters.platform.surface import RefusedError
from adapters.slack.people import PLATFORM
from adapters.slack.render import Spot, as_typed
from adapters.slack.workspace import Workspace
from core.app.due import DueMessage
from core.domain.scope import is_direct

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
    thread = message.thread
    async with sending():
        about = to = Spot(channel=thread.place, thread_ts=thread.thread or None)
        if message.member_id or is_direct(thread.scope):
            user_id = (message.member_id or thread.scope).rpartition(":")[2]
            opened = await workspace.calls.ask(workspace.calls.client.conversations_open, users=user_id)
            to = Spot(channel=str(opened["channel"]["id"]))
            about = to if is_direct(thread.scope) else about
        elif not workspace.is_allowed(thread.place):
            raise RefusedError("the bot is not set up to speak there")
        await workspace.posting.post(
            to,
            as_typed(message.text, workspace.me.name, in_thread=to.thread_ts is not None),
            ref=ref,
            about=about,
            choices=message.choices,
            role=message.role,
            again=since is not None,
            since=f"{(since - _CLOCKS_DIFFER).timestamp():.6f}" if since is not None else None,
        )
