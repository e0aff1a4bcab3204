"""Buttons that outlive the process: what they run stands in their custom id, and core checks it when they are pressed.

Commands and buttons are carried out here alike, since a command's answer brings buttons, and a button's answer too.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, Self

import discord

from adapters.discord.posting import retried, send_parts
from adapters.discord.private import (
    NOT_REACHED,
    public_line,
    request_of,
    sentence_for,
    tell,
    tell_nothing,
    undertake,
)
from adapters.discord.spoilers import show_to_all
from adapters.platform.buttons import DANGEROUS, LASTING, PATTERN, SHOW, THUMBS, UNDER_ANSWERS, button_id
from core.app.commands.values import Choice, CommandResponse
from core.domain.errors import BookError, PositionError

if TYPE_CHECKING:
    from adapters.discord.private import Interaction

_log = logging.getLogger(__name__)

_LONGEST_ID: Final = 100


class PressButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=PATTERN,
):
    """A button that runs a command with a text, by whoever presses it."""

    def __init__(self, command: str, text: str, *, label: str | None = None) -> None:
        custom_id = button_id(command, text, longest=_LONGEST_ID)
        style = discord.ButtonStyle.danger if command in DANGEROUS else discord.ButtonStyle.secondary
        emoji = THUMBS.get(command)
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
        await undertake(interaction, lambda: self._press(interaction), beside=self.command not in LASTING)

    async def _press(self, used: "Interaction") -> None:
        failed = await carry_out(used, lambda: self._run(used))
        if self.command not in LASTING and (failed is None or isinstance(failed, (PositionError, BookError))):
            await _leave_lasting(used)

    async def _run(self, used: "Interaction") -> CommandResponse:
        if self.command == SHOW:
            return await show_to_all(used, int(self.text))
        return await used.client.services.commands.run(self.command, request_of(used, self.text, words=self.command))


def answer_view(turn_id: int) -> discord.ui.View:
    """Return the buttons under a public answer."""
    return _view(PressButton(command, str(turn_id), label=label) for command, label in UNDER_ANSWERS.items())


def choices_view(choices: Sequence[Choice]) -> discord.ui.View | None:
    """Return core's choices as buttons; None for none."""
    if not choices:
        return None
    return _view(PressButton(choice.command, choice.text, label=choice.label) for choice in choices)


async def carry_out(used: "Interaction", act: Callable[[], Awaitable[CommandResponse]]) -> Exception | None:
    """Do what was asked and show what comes of it; return what went wrong, which the asker has been told then."""
    try:
        await _show(used, await act())
    except Exception as error:  # noqa: BLE001 (whatever it is, the asker hears a sentence)
        await tell(used, sentence_for(used, error))
        return error
    return None


async def _show(used: "Interaction", response: CommandResponse) -> None:
    """Post the public line with its buttons; where it cannot stand in the channel, the asker has it all."""
    view, private = choices_view(response.choices), response.text
    if response.announcement:
        named = "".join(f" <#{thread_id}>" for thread_id in response.names)
        if await _announce(used, response.announcement + named, view):
            view = None
        else:
            unseen = f"{response.announcement}\n(I could not write this in the channel, so only you see it.)"
            private = f"{unseen}\n\n{private}".strip()
    if private:
        await tell(used, private, view=view)
    elif used.type is discord.InteractionType.application_command:
        await tell_nothing(used)


async def _announce(used: "Interaction", line: str, view: discord.ui.View | None) -> bool:
    channel = used.channel
    if not isinstance(channel, discord.abc.Messageable):
        return False
    try:
        await send_parts(
            channel,
            public_line(used, line),
            ref=f"interaction:{used.id}",
            view=view,
            retry=used.client.retry,
        )
    except NOT_REACHED as error:
        _log.warning("No public line in channel %s: %s", used.channel_id, error)
        return False
    return True


async def _leave_lasting(used: "Interaction") -> None:
    """Take the buttons that are done with from the message that was pressed."""
    items = [] if used.message is None else discord.ui.View.from_message(used.message, timeout=None).children
    buttons = [item for item in items if isinstance(item, discord.ui.Button)]
    kept = [
        PressButton(found["command"], found["text"], label=button.label)
        for button in buttons
        if (found := PATTERN.fullmatch(button.custom_id or "")) and found["command"] in LASTING
    ]
    try:
        await retried(lambda: used.edit_original_response(view=_view(kept) if kept else None), used.client.retry)
    except NOT_REACHED as error:
        _log.info("The buttons of interaction %s stay: %s", used.id, error)


def _view(buttons: Iterable[PressButton]) -> discord.ui.View:
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
