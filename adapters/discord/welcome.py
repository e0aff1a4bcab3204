"""The few lines with which the bot comes to a server, once, where it may write and is likely to be seen."""

import logging
from functools import partial

import discord

from adapters.discord.bot import Bot
from adapters.discord.calls import ask
from adapters.discord.listening import is_allowed, own_rights_in
from adapters.discord.render import NOBODY, nonce, rendered
from adapters.platform.surface import OutOfReachError, RefusedError
from core.domain.messages import WELCOME

_log = logging.getLogger(__name__)


async def welcome(bot: Bot, guild: discord.Guild) -> None:
    """Say hello; nothing raises. A process says it once to a server, however often Discord tells that it came."""
    channel = next((one for one in _places(guild) if is_allowed(one, bot.options) and _may_write(one)), None)
    if channel is None or ("welcome", guild.id) in bot.told:
        return
    bot.told.add(("welcome", guild.id))
    (text,) = rendered(WELCOME)
    arguments = {"nonce": nonce(f"welcome:{guild.id}", 0), "allowed_mentions": NOBODY, "suppress_embeds": True}
    try:
        await ask(partial(channel.send, text, **arguments), bot.retry)
    except (OutOfReachError, RefusedError) as error:
        _log.info("No welcome in server %s: %s", guild.id, error)


def _places(guild: discord.Guild) -> list[discord.TextChannel]:
    """Return where it may be said: where Discord itself says that somebody came, else in the channels as they stand."""
    first = [guild.system_channel] if guild.system_channel is not None else []
    return [*first, *sorted(guild.text_channels, key=lambda channel: channel.position)]


def _may_write(channel: discord.TextChannel) -> bool:
    rights = own_rights_in(channel)
    return rights is not None and rights.view_channel and rights.send_messages
