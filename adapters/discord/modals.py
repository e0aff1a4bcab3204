"""A form with one field, for a command of a button that takes a text."""

import logging
from collections.abc import Iterator
from typing import Any, Final

import aiohttp
import discord

from core.club.commands.values import Command

_log = logging.getLogger(__name__)

_LONGEST_TITLE: Final = 45
_LONGEST_HINT: Final = 100
_LONGEST_TEXT: Final = 1_000

Interaction = discord.Interaction[Any]


async def open_form(interaction: Interaction, command: Command, form_id: str) -> None:
    """Open a command's form; it comes back under this id. Nothing raises: who sees no form presses again."""
    title = f"{command.help[:1].upper()}{command.help[1:]}"
    form = discord.ui.Modal(title=title[:_LONGEST_TITLE], custom_id=form_id)
    form.add_item(
        discord.ui.TextInput(
            label="Say", custom_id="text", placeholder=command.usage[:_LONGEST_HINT], max_length=_LONGEST_TEXT
        )
    )
    form.stop()  # discord.py isn't to remember it: what is sent comes to the client as every interaction does
    try:
        await interaction.response.send_modal(form)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.warning("A form could not be opened: %s", error)


def typed_in(form: object) -> str:
    """Return what was typed in a form that somebody sent."""
    return next(_values(form), "").strip()


def _values(part: object) -> Iterator[str]:
    if isinstance(part, list):
        for one in part:
            yield from _values(one)
    elif isinstance(part, dict):
        if isinstance(part.get("value"), str):
            yield part["value"]
        yield from _values([part.get("component"), part.get("components")])
