"""Core's texts and choices as Discord's messages: cut to its length, naming nobody, with buttons that outlive us."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import discord
from typing_extensions import override

from adapters.platform.buttons import THUMBS, button_id, pressed_in
from core.answering.given_answers import PostableAnswer
from core.club.commands.values import Choice
from core.domain.clean_text import clean
from core.language.split import split_message

MESSAGE_LIMIT: Final = 2_000
NOBODY: Final = discord.AllowedMentions.none()
ONLY_THE_ASKER: Final = discord.AllowedMentions(everyone=False, users=False, roles=False, replied_user=True)
_LONGEST_NONCE: Final = 25
LONGEST_ID: Final = 100
_CONTAINED: Final = 3_500
"""Discord takes 4,000 characters in a layout; the line above the container needs some of them."""
OWN_LINK: Final = "\ufdd1"
"""Stands for the `<` of a link of our own until a text is rendered."""
_OWN_BARS: Final = "\ufdd0"
_OURS: Final = {_OWN_BARS: "||", OWN_LINK: "<"}
_OURS_IN: Final = re.compile(f"([{''.join(_OURS)}])")
_CALLS: Final = re.compile(r"<(?=[@#/]|a?:\w|id:|sound:)")
_HEADING: Final = re.compile(r"^([>\-*+ \t]*)(-#|#{1,3})(?=\s)", re.MULTILINE)
_EFFECTS: Final = re.compile(
    r"\\[\W_]"  # what is escaped already
    r"|(?<!`)`(?:(?!\]\(|\|\||~~)[^`\n]){1,100}`(?!`)"  # code; Discord may see none in what we take for some
    r"|(?P<takes_effect>\]\(|\|\||~~|```|(?<![^\W_])_+|_+(?![^\W_]))"  # links, hidden, struck, fences, underlined
)
_QUOTED: Final = re.compile(r"^>.*", re.MULTILINE)
_STAR: Final = re.compile(r"(?<![*\\])\*(?!\*)")
_HIDDEN: Final = re.compile(r"\\\|\\\|(.+?)\\\|\\\|", re.DOTALL)


class _Buttons(discord.ui.View):
    """Buttons whose presses come to the client as every interaction does: discord.py remembers none of them."""

    @override
    def is_dispatchable(self) -> bool:
        return False


def view_of(choices: Iterable[Choice], *, about: int | None = None) -> discord.ui.View | None:
    """Return core's choices as buttons; None for none. In a DM they say what channel they are `about`."""
    return _view([_button(choice, about) for choice in choices])


def lasting_view(message: discord.Message, stays: Callable[[str], bool]) -> discord.ui.View | None:
    """Return the buttons of a message that can be pressed again; None for none."""
    items = discord.ui.View.from_message(message, timeout=None).children
    found = [(one, pressed_in(one.custom_id)) for one in items if isinstance(one, discord.ui.Button)]
    return _view([button for button, pressed in found if pressed is not None and stays(pressed[0].command)])


def rendered(text: str, footer: str = "") -> list[str]:
    """Return a text as Discord's messages; what a book or a member wrote into it does nothing there."""
    ending = f"\n-# ({footer})" if footer else ""
    parts = split_message(harmless(text), limit=MESSAGE_LIMIT - len(ending))
    if parts:
        parts[-1] += ending
    return parts


def harmless(text: str) -> str:
    """Return Markdown with its bold, italics, lists, quotations and code alone: all else is shown as it is written.

    In a quotation bold alone is ours: all else there is the book's.
    """
    return "".join([_OURS.get(piece) or _literal(piece) for piece in _OURS_IN.split(text)])


def _literal(text: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        return "".join(f"\\{letter}" for letter in match[0]) if match["takes_effect"] else match[0]

    uncalled = _CALLS.sub("<\u200b", discord.utils.escape_mentions(clean(text)))
    quoted = _QUOTED.sub(lambda line: _STAR.sub(r"\*", line[0]), uncalled)
    return _EFFECTS.sub(escaped, _HEADING.sub(r"\1\\\2", quoted))


def contained(answer: PostableAnswer, text: str) -> list[discord.ui.LayoutView]:
    """Return an answer that goes beyond the thread's page: each part in a spoiler container, under its warning."""
    layouts = []
    for part in split_message(harmless(text), limit=_CONTAINED):
        layout = discord.ui.LayoutView(timeout=None)
        layout.add_item(discord.ui.TextDisplay(f"**{answer.warning}**"))
        layout.add_item(discord.ui.Container(discord.ui.TextDisplay(part), spoiler=True))
        layouts.append(layout)
    return layouts


def with_hidden(text: str) -> str:
    """Return a text as it is, but for what its writer put between spoiler marks; half a pair of them is none."""
    return _HIDDEN.sub(rf"{_OWN_BARS}\1{_OWN_BARS}", discord.utils.escape_markdown(text))


def nonce(ref: str, number: int) -> str:
    """Return what Discord tells a repeated part by."""
    return hashlib.sha256(f"{ref}/{number}".encode()).hexdigest()[:_LONGEST_NONCE]


def sendable(
    parts: Sequence[str], *, ref: str, view: discord.ui.View | None
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield the parts of a text, each with what it is sent with and whether it is the last, which has the buttons."""
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        arguments: dict[str, Any] = {"nonce": nonce(ref, number), "suppress_embeds": True}
        yield part, arguments | ({"view": view} if view is not None and is_last else {}), is_last


def _button(choice: Choice, about: int | None) -> "discord.ui.Button[discord.ui.View]":
    emoji = choice.label if choice.label in THUMBS else None
    return discord.ui.Button(
        label=None if emoji else choice.label or choice.command,
        emoji=emoji,
        custom_id=button_id(choice, longest=LONGEST_ID, about=about),
        style=discord.ButtonStyle.danger if choice.is_dangerous else discord.ButtonStyle.secondary,
    )


def _view(buttons: "Sequence[discord.ui.Button[discord.ui.View]]") -> discord.ui.View | None:
    if not buttons:
        return None
    view = _Buttons(timeout=None)
    for button in buttons:
        view.add_item(button)
    return view
