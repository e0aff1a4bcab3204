"""Puts the bot's answers that go beyond the thread's current page behind spoiler marks."""

import logging
import re
from functools import partial
from typing import Final

import discord

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.listening import Talk
from adapters.discord.render import MESSAGE_LIMIT, NOBODY
from adapters.platform.surface import OutOfReachError, RefusedError

_log = logging.getLogger(__name__)

_LOOKED_AT: Final = 200
_MAY_CONTINUE: Final = 1_200
"""A message of at least this many characters may be continued in the next one."""
_ENDING: Final = re.compile(r"\n-# \((.+)\)$")
_QUOTE: Final = re.compile(r"^> ?", re.MULTILINE)
_MARK: Final = "||"


async def hide_beyond(bot: Bot, place: Talk, footers: frozenset[str]) -> int:
    """Hide the answers in a place that end with one of these footers; return the number of messages changed.

    Raises:
        OutOfReachError, RefusedError: the place can't be read.
    """

    async def look() -> list[discord.Message]:
        return [message async for message in place.history(limit=_LOOKED_AT)]

    hidden, goes_on = 0, False
    for message in await ask(look, bot.retry):  # latest first
        is_own = message.author.id == bot.own_id
        ending = _ENDING.search(message.content) if is_own else None
        if ending is not None:
            goes_on = ending[1] in footers
        elif not is_own or len(message.content) < _MAY_CONTINUE:
            goes_on = False
        if goes_on and not message.content.startswith(_MARK):
            hidden += await _put(bot, message, behind_marks(message.content))
    return hidden


async def put_away_before(bot: Bot, place: Talk, last: discord.Message, line: str) -> None:
    """Replace the earlier messages of the answer that ends with `last` by a line."""

    async def look() -> list[discord.Message]:
        return [message async for message in place.history(limit=_LOOKED_AT, before=last)]

    try:
        before = await ask(look, bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.warning("The messages before %s cannot be hidden: %s", last.id, error)
        return
    for message in before:
        if message.author.id != bot.own_id or len(message.content) < _MAY_CONTINUE or _ENDING.search(message.content):
            return
        await _put(bot, message, line)


async def _put(bot: Bot, message: discord.Message, content: str) -> bool:
    try:
        await ask(partial(message.edit, content=content, allowed_mentions=NOBODY), bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.info("Message %s cannot be edited: %s", message.id, error)
        return False
    return True


def behind_marks(content: str) -> str:
    """Return a message behind spoiler marks, without its footer; text that no longer fits is cut."""
    found = _ENDING.search(content)
    ending = found[0] if found is not None else ""
    text = _QUOTE.sub("", content.removesuffix(ending)).replace(_MARK, "")
    room = MESSAGE_LIMIT - len(ending) - 2 * len(_MARK)
    shown = text if len(text) <= room else f"{text[: room - 1]}…"
    return f"{_MARK}{shown}{_MARK}{ending}"
