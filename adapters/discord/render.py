"""Core's texts and choices as Discord's messages: cut to its length, naming nobody, with buttons that outlive us."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol, Self

import discord

from adapters.platform.buttons import DANGEROUS, PATTERN, THUMBS, button_id
from core.app.answers import PostableAnswer
from core.app.commands.values import Choice
from core.text.split import split_message

MESSAGE_LIMIT: Final = 2_000
NOBODY: Final = discord.AllowedMentions.none()
ONLY_THE_ASKER: Final = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)
_LONGEST_NONCE: Final = 25
_LONGEST_ID: Final = 100
_CONTAINED: Final = 3_500
"""Discord takes 4,000 characters in a layout; the line above the container needs some of them."""
_HIDDEN: Final = re.compile(r"\\\|\\\|(.+?)\\\|\\\|", re.DOTALL)


class Presses(Protocol):
    """The client, as buttons know it."""

    async def pressed(self, used: discord.Interaction[Any], choice: Choice, about: int | None) -> None:
        """Carry out what a button says."""


class PressButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=PATTERN):
    """A button that runs a command with a text, by whoever presses it; in a DM it says what channel it is `about`."""

    def __init__(self, choice: Choice, *, about: int | None = None) -> None:
        emoji = THUMBS.get(choice.command)
        super().__init__(
            discord.ui.Button(
                label=None if emoji else choice.label or choice.command,
                emoji=emoji,
                custom_id=button_id(choice, longest=_LONGEST_ID, about=about),
                style=discord.ButtonStyle.danger if choice.command in DANGEROUS else discord.ButtonStyle.secondary,
            )
        )
        self.choice = choice
        self.about = about

    @classmethod
    async def from_custom_id(
        cls,
        interaction: discord.Interaction[Any],  # noqa: ARG003
        item: discord.ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        """Make the button again out of what its message holds."""
        return cls.made_again(match, getattr(item, "label", None))

    @classmethod
    def made_again(cls, match: re.Match[str], label: str | None) -> Self:
        """Return the button whose id says this."""
        about = match["about"]
        choice = Choice(label=label or "", command=match["command"], text=match["text"])
        return cls(choice, about=int(about) if about else None)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Run the command."""
        client: Presses = interaction.client
        await client.pressed(interaction, self.choice, self.about)


def view_of(choices: Iterable[Choice], *, about: int | None = None) -> discord.ui.View | None:
    """Return core's choices as buttons; None for none."""
    return _view([PressButton(choice, about=about) for choice in choices])


def lasting_view(message: discord.Message, lasting: frozenset[str]) -> discord.ui.View | None:
    """Return the buttons of a message that can be pressed again; None for none."""
    items = discord.ui.View.from_message(message, timeout=None).children
    buttons = [item for item in items if isinstance(item, discord.ui.Button)]
    found = [(PATTERN.fullmatch(button.custom_id or ""), button.label) for button in buttons]
    return _view(
        [PressButton.made_again(match, label) for match, label in found if match and match["command"] in lasting]
    )


def rendered(text: str, footer: str = "") -> list[str]:
    """Return a text as Discord's messages; a mention in it is shown as it is written, and names nobody."""
    ending = f"\n-# ({footer})" if footer else ""
    parts = split_message(discord.utils.escape_mentions(text), limit=MESSAGE_LIMIT - len(ending))
    if parts:
        parts[-1] += ending
    return parts


def contained(answer: PostableAnswer, text: str) -> list[discord.ui.LayoutView]:
    """Return an answer that goes beyond the thread's page: each part in a spoiler container, under its warning."""
    layouts = []
    for part in split_message(discord.utils.escape_mentions(text), limit=_CONTAINED):
        layout = discord.ui.LayoutView(timeout=None)
        layout.add_item(discord.ui.TextDisplay(f"**{answer.warning}**"))
        layout.add_item(discord.ui.Container(discord.ui.TextDisplay(part), spoiler=True))
        layouts.append(layout)
    return layouts


def with_hidden(text: str) -> str:
    """Return a text as it is, but for what its writer put between spoiler marks; half a pair of them is none."""
    return _HIDDEN.sub(r"||\1||", discord.utils.escape_markdown(text))


def nonce(ref: str, number: int) -> str:
    """Return what Discord tells a repeated part by."""
    return hashlib.sha256(f"{ref}/{number}".encode()).hexdigest()[:_LONGEST_NONCE]


def _view(buttons: Sequence[PressButton]) -> discord.ui.View | None:
    if not buttons:
        return None
    view = discord.ui.View(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
