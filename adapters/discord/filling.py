"""A form with one field, for a command of a button that takes a text."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import discord
from typing_extensions import override

from core.app.commands.values import Command

_log = logging.getLogger(__name__)

_LONGEST_TITLE: Final = 45
_LONGEST_HINT: Final = 100
_LONGEST_TEXT: Final = 1_000
_KEPT_S: Final = 15 * 60.0

Interaction = discord.Interaction[Any]
Run = Callable[[Interaction, str], Awaitable[None]]


class _Form(discord.ui.Modal):
    def __init__(self, command: Command, run: Run) -> None:
        title = f"{command.help[:1].upper()}{command.help[1:]}"
        super().__init__(title=title[:_LONGEST_TITLE], custom_id=f"tf1-form:{command.words}", timeout=_KEPT_S)
        self._field: discord.ui.TextInput[_Form] = discord.ui.TextInput(
            label="Say", custom_id="text", placeholder=command.takes[:_LONGEST_HINT], max_length=_LONGEST_TEXT
        )
        self._run_with = run
        self.add_item(self._field)

    @override
    async def on_submit(self, interaction: Interaction, /) -> None:
        await self._run_with(interaction, str(self._field.value).strip())


async def open_form(interaction: Interaction, command: Command, run: Run) -> None:
    """Open a command's form; `run` gets what was typed. Nothing raises: who sees no form presses again."""
    try:
        await interaction.response.send_modal(_Form(command, run))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        _log.warning("A form could not be opened: %s", error)
