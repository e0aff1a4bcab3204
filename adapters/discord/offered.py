"""Which commands Discord offers, under which names and to whom: what is registered, and what `help` may name."""

from typing import Final

import discord

from adapters.discord.options import DiscordOptions
from core.club.commands.values import Command, Who

_ORGANISERS: Final = discord.Permissions(manage_threads=True)


def hidden_by(options: DiscordOptions) -> discord.Permissions | None:
    """Return the right without which Discord hides what is for organisers; None where nothing is hidden.

    Who organises by a role alone has no right that Discord could go by.
    """
    return None if options.organiser_roles else _ORGANISERS


def name_of(command: Command) -> str:
    """Return what a command is called on Discord."""
    return command.slash or command.words


def offered_as(command: Command, options: DiscordOptions, rights: discord.Permissions | None) -> str | None:
    """Return what somebody with these rights (None: with all) finds a command under; None where they don't find it."""
    needed = hidden_by(options)
    is_shown = needed is None or rights is None or rights.administrator or rights.is_superset(needed)
    if command.behind or (command.who is not Who.EVERYONE and not is_shown):
        return None
    in_hidden_group = command.group is not None and command.group.for_organisers and not is_shown
    return (command.beside_group or None) if in_hidden_group else name_of(command)
