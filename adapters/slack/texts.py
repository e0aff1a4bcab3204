"""Slack's texts as people read them, and core's as Slack takes them: nobody is pinged by any form of text.

Slack's own forms are described at https://docs.slack.dev/messaging/formatting-message-text.
"""

import html
import re
from collections.abc import Callable
from typing import Final

_BREAK: Final = "\u200b"
_CONTROL: Final = re.compile(r"<(?=[@!#])")
_EVERYBODY: Final = re.compile(r"@(?=(?:channel|here|everyone|group)\b)", re.IGNORECASE)
_SPECIALS: Final = re.compile(r"([\\`*_~\[\]<>#|])")
_ESCAPED: Final = re.compile(r"\\([\\`*_~\[\]<>#|])")

_PERSON: Final = re.compile(r"<@([UW][A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL: Final = re.compile(r"<#[CGD][A-Z0-9]+(?:\|([^>]*))?>")
_SPECIAL: Final = re.compile(r"<!(?:subteam\^[A-Z0-9]+|([a-z]+)(?:\^[^|>]*)*)(?:\|([^>]*))?>")
_LINK: Final = re.compile(r"<((?:https?|mailto|tel):[^|>]+)(?:\|([^>]*))?>")
_BLANKS: Final = re.compile(r"[ \t]{2,}")

_BOLD: Final = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_TITLED_LINK: Final = re.compile(r"\[([^\]]+)\]\((\S+?)\)")
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+)$", re.MULTILINE)
_TYPED: Final = re.compile(r"`/(setpage)\b")


def harmless(text: str) -> str:
    """Return Markdown in which nothing is a mention: what would be one is broken by a space of no width."""
    return _EVERYBODY.sub(f"@{_BREAK}", _CONTROL.sub(f"<{_BREAK}", text))


def fallback(text: str) -> str:
    """Return Markdown as the plain text that notifications show (https://docs.slack.dev/reference/methods/chat.postMessage)."""
    return html.escape(harmless(_ESCAPED.sub(r"\1", _TITLED_LINK.sub(r"\1", text))), quote=False)


def mrkdwn(text: str) -> str:
    """Return Markdown in Slack's older mark-up, for where its `markdown` block is refused."""
    plain = html.escape(harmless(_ESCAPED.sub(r"\1", _TITLED_LINK.sub(r"\1 (\2)", text))), quote=False)
    # A quotation's mark is no character of the text.
    quoted = re.sub(r"^&gt;", ">", plain, flags=re.MULTILINE)
    return _BOLD.sub(r"*\1*", _HEADING.sub(r"*\1*", quoted))


def escaped(name: str) -> str:
    """Return a name as Markdown that shows just it."""
    return _SPECIALS.sub(r"\\\1", name)


def as_typed_in_threads(text: str, bot_name: str) -> str:
    """Return a text with its slash commands as they can be typed in a thread, where Slack has none."""
    return _TYPED.sub(rf"`@{bot_name} \1", text)


def without_bot(text: str, bot_id: str) -> str:
    """Return what a member wrote, without the bot's own mention and Slack's mark-up; people stay as `<@U...>`."""

    def special(match: re.Match[str]) -> str:
        return match[2] or f"@{match[1] or 'somebody'}"

    text = re.sub(rf"<@{re.escape(bot_id)}(?:\|[^>]*)?>", "", text)
    text = _CHANNEL.sub(lambda match: f"#{match[1] or 'channel'}", _SPECIAL.sub(special, text))
    text = _LINK.sub(lambda match: match[2] or match[1], text)
    return _BLANKS.sub(" ", html.unescape(text)).strip()


def people_in(text: str) -> set[str]:
    """Return the ids of the people whom a text mentions."""
    return {match[1] for match in _PERSON.finditer(text)}


def with_names(text: str, name_of: Callable[[str], str]) -> str:
    """Return a text with names in place of mentions."""
    return _PERSON.sub(lambda match: f"@{match[2] or name_of(match[1])}", text)


def begins_with_person(text: str) -> str | None:
    """Return the id of whom a text begins by mentioning."""
    match = _PERSON.match(text.lstrip())
    return match[1] if match else None
