"""The bot's own answers that go further than their thread's page by now, each put away behind a button."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.posting import EVENT_TYPE
from adapters.slack.render import Part, Spot, body_of
from adapters.slack.workspace import Workspace
from core.app.commands.shown_commands import put_away
from core.app.commands.values import Choice

Sealed = Callable[[Sequence[Choice]], Awaitable[tuple[Choice, ...]]]
"""Returns buttons with what proves them."""

_log = logging.getLogger(__name__)

_LOOKED_AT: Final = 200


async def hide_beyond(workspace: Workspace, spot: Spot, footers: frozenset[str], *, sealed: Sealed) -> int:
    """Put the answers of a place away that end with one of these footers; return how many messages that were.

    Raises:
        OutOfReachError, RefusedError: what stands there cannot be read.
    """
    client, calls = workspace.calls.client, workspace.calls
    if spot.thread_ts is None:
        answer = await calls.ask(
            client.conversations_history, channel=spot.channel, limit=_LOOKED_AT, include_all_metadata=True
        )
    else:
        answer = await calls.ask(
            client.conversations_replies,
            channel=spot.channel,
            ts=spot.thread_ts,
            limit=_LOOKED_AT,
            include_all_metadata=True,
        )
    own = [one for one in answer.get("messages", []) if one.get("user") == workspace.me.bot_user_id]
    beyond = {
        str(_payload(one).get("turn")): footer for one in own for footer in footers if _footer(one) == f"({footer})"
    }
    parts = [(one, turn) for one in own if (turn := str(_payload(one).get("turn"))) in beyond and turn != "None"]
    return sum([await _hide(workspace, spot, one, int(turn), beyond[turn], sealed) for one, turn in parts])


async def _hide(
    workspace: Workspace, spot: Spot, message: Mapping[str, Any], turn_id: int, footer: str, sealed: Sealed
) -> bool:
    line = f"This answer goes further than our page now ({footer}), so I put it away."
    part = Part(text=line, choices=await sealed([put_away(turn_id)]), about=spot)
    body = {name: value for name, value in body_of(part).items() if not name.startswith("unfurl")}
    try:
        await workspace.calls.ask(
            workspace.calls.client.chat_update, channel=spot.channel, ts=str(message["ts"]), **body
        )
    except (OutOfReachError, RefusedError) as error:
        _log.info("A message of %s stays as it is: %s", spot.channel, error)
        return False
    return True


def _payload(message: Mapping[str, Any]) -> dict[str, Any]:
    metadata = message.get("metadata") or {}
    return dict(metadata.get("event_payload") or {}) if metadata.get("event_type") == EVENT_TYPE else {}


def _footer(message: Mapping[str, Any]) -> str:
    """Return the small line under a message; empty for none."""
    contexts = [block for block in message.get("blocks") or [] if block.get("type") == "context"]
    return str(contexts[-1]["elements"][0].get("text", "")) if contexts else ""
