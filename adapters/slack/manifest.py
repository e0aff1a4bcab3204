"""What the Slack app needs; a test keeps it equal to `manifest.json`, and the doctor compares it with the installation.

The manifest's format: https://docs.slack.dev/reference/app-manifest.
"""

import json
from pathlib import Path
from typing import Any, Final

from core.club.sealed.quote_commands import QUOTE_THIS

COMMANDS: Final = ("/thusfar", "/setpage")
SHORTCUT: Final = "thusfar_here"
IN_MENU: Final = {"thusfar_quote": QUOTE_THIS}
"""The other message shortcuts, each with the command that runs on the message's text."""
GONE: Final = ("app_uninstalled", "tokens_revoked")
"""The events by which a workspace removes the bot; `tokens_revoked` only if it names the bot's token."""

EVENTS: Final = ("app_mention", "message", "app_home_opened", "member_joined_channel", "agent_session_stopped", *GONE)
"""The events that are subscribed to; `message` comes in four kinds, one per kind of channel."""

SCOPES: Final = {
    "app_mentions:read": "to hear mentions",
    "assistant:write": "to offer questions in the messages, and to tell what is being done",
    "channels:history": "to hear threads in public channels, and to look whether an answer stands there already",
    "channels:read": "to show somebody the clubs of the channels they are in",
    "chat:write": "to answer",
    "commands": "for /thusfar, /setpage and the shortcuts",
    "files:read": "to take in books",
    "files:write": "for a picture beside /progress here, and to hand an organiser what their club did with a book",
    "groups:history": "as channels:history, in private channels",
    "groups:read": "as channels:read, for private channels",
    "im:history": "to hear direct messages",
    "im:read": "to look for what was missed in direct messages",
    "im:write": "to tell somebody in a direct message what is for them alone",
    "mpim:history": "as channels:history, in group messages",
    "mpim:read": "as channels:read, for group messages",
    "reactions:write": "to show on a message what is done about it",
    "users:read": "to know names, and who administers the workspace",
}
"""The bot token's scopes, with the purpose of each."""
OPTIONAL: Final = frozenset({"files:write"})
"""Scopes without which only their own feature is missing."""


def manifest() -> dict[str, Any]:
    """Return the manifest that comes with the program."""
    path = Path(__file__).with_name("manifest.json")
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
