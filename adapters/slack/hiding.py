"""Puts the bot's answers that go beyond the thread's current page away, each behind a button."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from adapters.platform.surface import OutOfReachError, RefusedError
from adapters.slack.posting import payload_of
from adapters.slack.render import MessagePart, Spot, unlinked_body
from adapters.slack.workspace import Workspace
from core.catalogue.sentences import say
from core.club.commands.values import Choice
from core.club.questions.shown_commands import put_away

Sealed = Callable[[Sequence[Choice]], Awaitable[tuple[Choice, ...]]]
"""Returns buttons with their signatures."""

_log = logging.getLogger(__name__)


async def hide_beyond(workspace: Workspace, spot: Spot, footers: frozenset[str], *, sealed: Sealed) -> int:
    """Put away the answers in a place that end with one of these footers; return the number of messages changed.

    Raises:
        OutOfReachError, RefusedError: the place can't be read.
    """
    own = await workspace.posting.own_messages(spot)
    beyond = {
        str(payload_of(one).get("turn")): footer for one in own for footer in footers if _footer(one) == f"({footer})"
    }
    parts = [(one, turn) for one in own if (turn := str(payload_of(one).get("turn"))) in beyond and turn != "None"]
    hidden = 0
    for one, turn in parts:
        line = say("This answer goes past our current page ({page}), so I put it away.", page=beyond[turn])
        hidden += await _put(workspace, spot, one, line, await sealed([put_away(int(turn))]))
    return hidden


async def hide_turn(workspace: Workspace, spot: Spot, turn_id: int, line: str, choices: Sequence[Choice]) -> bool:
    """Replace a turn's answer with a line and buttons; return whether it was found. Raises as above."""
    parts = [
        one for one in await workspace.posting.own_messages(spot) if str(payload_of(one).get("turn")) == str(turn_id)
    ]
    return any([await _put(workspace, spot, one, line, choices) for one in parts])


async def _put(workspace: Workspace, spot: Spot, message: dict[str, Any], line: str, choices: Sequence[Choice]) -> bool:
    part = MessagePart(text=line, choices=tuple(choices), about=spot)
    try:
        await workspace.calls.ask(
            workspace.calls.client.chat_update, channel=spot.channel, ts=str(message["ts"]), **unlinked_body(part)
        )
    except (OutOfReachError, RefusedError) as error:
        _log.info("A message of %s cannot be edited: %s", spot.channel, error)
        return False
    return True


def _footer(message: dict[str, Any]) -> str:
    """Return the footer of a message; "" for none."""
    contexts = [block for block in message.get("blocks") or [] if block.get("type") == "context"]
    return str(contexts[-1]["elements"][0].get("text", "")) if contexts else ""
