"""What is offered in the menu of every message: a command of core's, with what the message says as its text."""

from typing import Final

from core.app.commands.quote_commands import QUOTE_THIS

IN_MENUS: Final = {QUOTE_THIS: "Quote this"}
"""The commands by their words, with what they are called there; each platform's app registers them."""
