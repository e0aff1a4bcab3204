"""Buttons that outlive the process: what they run stands in their custom id, and core checks it when they are pressed.

Commands and buttons are carried out here alike, since a command's answer brings buttons, and a button's answer too.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import discord

from adapters.discord.posting import patiently, send_parts
from adapters.discord.private import (
    NOT_REACHED,
    acknowledge,
    public_line,
    request_of,
    sentence_for,
    tell,
    tell_nothing,
)
from adapters.discord.spoilers import show_to_all
from core.app.commands.values import Choice, CommandResponse
from core.domain.errors import BookError, PositionError

if TYPE_CHECKING:
    from adapters.discord.private import Used

_log = logging.getLogger(__name__)

_LONGEST_ID: Final = 100
_SHOW: Final = ".post"
_LASTING: Final = frozenset({".sources", ".up", ".down"})
"""What can be pressed again and again; all others are done with once they were pressed."""
_DANGEROUS: Final = frozenset({".remove", ".forget-thread", ".forget-club"})
_EMOJI: Final = {".up": "👍", ".down": "👎"}


class PressButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=re.compile(r"tf1:(?P<command>\.[a-z-]+):(?P<text>.*)", re.DOTALL),
):
    """A button that runs a command with a text, by whoever presses it."""

    def __init__(self, command: str, text: str, *, label: str | None = None) -> None:
        custom_id = f"tf1:{command}:{text}"
        if len(custom_id) > _LONGEST_ID:
            raise ValueError(f"A button cannot hold {custom_id}.")
        style = discord.ButtonStyle.danger if command in _DANGEROUS else discord.ButtonStyle.secondary
        emoji = _EMOJI.get(command)
        super().__init__(
            discord.ui.Button(label=None if emoji else label or command, emoji=emoji, custom_id=custom_id, style=style)
        )
        self.command = command
        self.text = text

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],  # noqa: ARG003
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Make the button again out of what its message holds."""
        return cls(match["command"], match["text"], label=getattr(item, "label", None))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Run the command; afterwards the buttons that make no sense any more are gone."""
        lasting = self.command in _LASTING
        if not await acknowledge(interaction, beside=not lasting):
            return
        failed = await carry_out(interaction, lambda: self._run(interaction))
        if not lasting and (failed is None or isinstance(failed, (PositionError, BookError))):
            await _leave_lasting(interaction)

    async def _run(self, used: "Used") -> CommandResponse:
        if self.command == _SHOW:
            return await show_to_all(used, int(self.text))
        return await used.client.services.commands.run(self.command, request_of(used, self.text))


def answer_view(turn_id: int) -> discord.ui.View:
    """Return the buttons under a public answer."""
    return _view(PressButton(command, str(turn_id), label="Sources") for command in (".sources", ".up", ".down"))


def choices_view(choices: Sequence[Choice]) -> discord.ui.View | None:
    """Return core's choices as buttons; None for none."""
    if not choices:
        return None
    return _view(PressButton(choice.command, choice.text, label=choice.label) for choice in choices)


async def carry_out(used: "Used", act: Callable[[], Awaitable[CommandResponse]]) -> Exception | None:
    """Do what was asked and show what comes of it; return what went wrong, which the asker has been told then."""
    try:
        await _show(used, await act())
    except Exception as error:  # noqa: BLE001 (whatever it is, the asker hears a sentence)
        await tell(used, sentence_for(used, error))
        return error
    return None


async def _show(used: "Used", response: CommandResponse) -> None:
    """Post the public line with its buttons; where it cannot stand in the channel, the asker has it all."""
    view, private = choices_view(response.choices), response.text
    if response.announcement:
        if await _announce(used, response.announcement, view):
            view = None
        else:
            unseen = f"{response.announcement}\n(I could not write this in the channel, so only you see it.)"
            private = f"{unseen}\n\n{private}".strip()
    if private:
        await tell(used, private, view=view)
    elif used.type is discord.InteractionType.application_command:
        await tell_nothing(used)


async def _announce(used: "Used", line: str, view: discord.ui.View | None) -> bool:
    channel = used.channel
    if not isinstance(channel, discord.abc.Messageable):
        return False
    try:
        await send_parts(
            channel, public_line(used, line), ref=f"interaction:{used.id}", view=view, patience=used.client.patience
        )
    except NOT_REACHED as error:
        _log.warning("No public line in channel %s: %s", used.channel_id, error)
        return False
    return True


async def _leave_lasting(used: "Used") -> None:
    """Take the buttons that are done with from the message that was pressed."""
    items = [] if used.message is None else discord.ui.View.from_message(used.message, timeout=None).children
    buttons = [item for item in items if isinstance(item, discord.ui.Button)]
    kept = [
        PressButton(found["command"], found["text"], label=button.label)
        for button in buttons
        if (found := PressButton.__discord_ui_compiled_template__.fullmatch(button.custom_id or ""))
        and found["command"] in _LASTING
    ]
    try:
        await patiently(lambda: used.edit_original_response(view=_view(kept) if kept else None), used.client.patience)
    except NOT_REACHED as error:
        _log.info("The buttons of interaction %s stay: %s", used.id, error)


def _view(buttons: Iterable[PressButton]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
