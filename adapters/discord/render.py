"""Renders core's texts and choices as Discord messages: split to its limit, without mentions, with lasting buttons."""

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
"""Discord allows 4,000 characters in a layout; the line above the container needs some of them."""
OWN_LINK: Final = "\ufdd1"
"""Stands for the `<` of the bot's own links until a text is rendered."""
_OWN_BARS: Final = "\ufdd0"
_OURS: Final = {_OWN_BARS: "||", OWN_LINK: "<"}
_OURS_IN: Final = re.compile(f"([{''.join(_OURS)}])")
_CALLS: Final = re.compile(r"<(?=[@#/]|a?:\w|id:|sound:)")
_HEADING: Final = re.compile(r"^([>\-*+ \t]*)(-#|#{1,3})(?=\s)", re.MULTILINE)
_EFFECTS: Final = re.compile(
    r"\\[\W_]"  # already escaped
    r"|(?<!`)`(?:(?!\]\(|\|\||~~)[^`\n]){1,100}`(?!`)"  # code; Discord may parse less as code than we do
    r"|(?P<takes_effect>\]\(|\|\||~~|```|(?<![^\W_])_+|_+(?![^\W_]))"  # links, spoilers, struck, fences, underlined
)
_QUOTED: Final = re.compile(r"^>.*", re.MULTILINE)
_STAR: Final = re.compile(r"(?<![*\\])\*(?!\*)")
_HIDDEN: Final = re.compile(r"\\\|\\\|(.+?)\\\|\\\|", re.DOTALL)


class _Buttons(discord.ui.View):
    """Buttons whose presses the client handles as interactions; discord.py doesn't keep them."""

    @override
    def is_dispatchable(self) -> bool:
        return False


def view_of(choices: Iterable[Choice], *, about: int | None = None) -> discord.ui.View | None:
    """Return choices as buttons, or None; in a DM the buttons name the channel that they are `about`."""
    return _view([_button(choice, about) for choice in choices])


def lasting_view(message: discord.Message, stays: Callable[[str], bool]) -> discord.ui.View | None:
    """Return the buttons of a message that can be pressed again, or None."""
    items = discord.ui.View.from_message(message, timeout=None).children
    found = [(one, pressed_in(one.custom_id)) for one in items if isinstance(one, discord.ui.Button)]
    return _view([button for button, pressed in found if pressed is not None and stays(pressed[0].command)])


def rendered(text: str, footer: str = "") -> list[str]:
    """Return a text split into Discord messages; mark-up in it from a book or a member is escaped."""
    ending = f"\n-# ({footer})" if footer else ""
    parts = split_message(harmless(text), limit=MESSAGE_LIMIT - len(ending))
    if parts:
        parts[-1] += ending
    return parts


def harmless(text: str) -> str:
    """Return Markdown in which only bold, italics, lists, quotations and code take effect; the rest is escaped.

    In a quotation only bold is kept, since the rest comes from the book.
    """
    return "".join([_OURS.get(piece) or _literal(piece) for piece in _OURS_IN.split(text)])


def _literal(text: str) -> str:
    def escaped(match: re.Match[str]) -> str:
        return "".join(f"\\{letter}" for letter in match[0]) if match["takes_effect"] else match[0]

    uncalled = _CALLS.sub("<\u200b", discord.utils.escape_mentions(clean(text)))
    quoted = _QUOTED.sub(lambda line: _STAR.sub(r"\*", line[0]), uncalled)
    return _EFFECTS.sub(escaped, _HEADING.sub(r"\1\\\2", quoted))


def contained(answer: PostableAnswer, text: str) -> list[discord.ui.LayoutView]:
    """Return an answer that goes beyond the thread's page, each part in a spoiler container under a warning."""
    layouts = []
    for part in split_message(harmless(text), limit=_CONTAINED):
        layout = discord.ui.LayoutView(timeout=None)
        layout.add_item(discord.ui.TextDisplay(f"**{answer.warning}**"))
        layout.add_item(discord.ui.Container(discord.ui.TextDisplay(part), spoiler=True))
        layouts.append(layout)
    return layouts


def with_hidden(text: str) -> str:
    """Return a text as it is, except for text in complete pairs of spoiler marks."""
    return _HIDDEN.sub(rf"{_OWN_BARS}\1{_OWN_BARS}", discord.utils.escape_markdown(text))


def nonce(ref: str, number: int) -> str:
    """Return the nonce by which Discord recognises a repeated part."""
    return hashlib.sha256(f"{ref}/{number}".encode()).hexdigest()[:_LONGEST_NONCE]


def sendable(
    parts: Sequence[str], *, ref: str, view: discord.ui.View | None
) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """Yield each part with its send options and whether it is the last, which carries the buttons."""
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
