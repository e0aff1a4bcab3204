"""Which commands Discord offers, under which names and to whom: what is registered, and what `help` may name."""

from typing import Final

import discord

from adapters.discord.options import DiscordOptions
from core.club.commands.values import Command, Who

OF_ORGANISERS: Final = frozenset({"book"})
"""Groups of which Discord shows none to members: it hides whole groups alone."""
BESIDE: Final = {"book list": "books"}
"""What of such a group is for members too, and what it is called beside it."""
WITHIN: Final = {"export": "export club"}
"""Commands that a group has the name of, and what they are called in it: Discord runs no group by itself."""
_ORGANISERS: Final = discord.Permissions(manage_threads=True)


def hidden_by(options: DiscordOptions) -> discord.Permissions | None:
    """Return the right without which Discord hides what is for organisers; None where nothing is hidden.

    Who organises by a role alone has no right that Discord could go by.
    """
    return None if options.organiser_roles else _ORGANISERS


def name_of(command: Command) -> str:
    """Return what a command is called on Discord."""
    return WITHIN.get(command.words, command.words)


def offered_as(command: Command, options: DiscordOptions, rights: discord.Permissions | None) -> str | None:
    """Return what somebody with these rights (None: with all) finds a command under; None where they don't find it."""
    needed = hidden_by(options)
    is_shown = needed is None or rights is None or rights.administrator or rights.is_superset(needed)
    if command.rare or (command.who is Who.ORGANISERS and not is_shown):
        return None
    group = command.words.partition(" ")[0]
    return name_of(command) if is_shown or group not in OF_ORGANISERS else BESIDE.get(command.words)
