"""Renders core's texts and choices as Slack blocks, and Slack's texts as people read them; never mentions anyone.

Blocks: https://docs.slack.dev/reference/block-kit. Slack's text formats are described at
https://docs.slack.dev/messaging/formatting-message-text.
"""

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from adapters.platform.buttons import THUMBS, answer_choices, button_id
from adapters.platform.surface import Post
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice
from core.domain.clean_text import clean
from core.domain.moments import has_marks, shown, written_out
from core.language.split import split_message

Block = dict[str, Any]

MOST_IN_MESSAGE: Final = 11_900
"""A message's `markdown` blocks allow 12,000 characters."""
MOST_IN_SECTION: Final = 3_000
"""The limit of a section, counted after & < > are escaped."""
SET_PAGE: Final = ".setpage"
"""Opens the form for the page; the one button command of Slack's own."""

FEEDBACK: Final = ".feedback"
"""The id of Slack's feedback buttons, whose values are the button ids."""

_PLACE: Final = "tf1@"
"""Precedes, in a button row's id, the place that the row is about."""
_BESIDE: Final = "tf1+@"
_LONGEST_ID: Final = 255
_LONGEST_LABEL: Final = 75

_BREAK: Final = "\u200b"
_CONTROL: Final = re.compile(r"<(?=[@!#]|(?:https?|mailto|tel):)")
_EVERYBODY: Final = re.compile(r"@(?=(?:channel|here|everyone|group)\b)", re.IGNORECASE)
OWN_LINK: Final = "\ufdd1"
"""Marks the bot's own titled links until they are rendered; `clean` removes it from all incoming text."""
_FOREIGN_LINK: Final = re.compile(r"\](?=\()")
_SPECIALS: Final = re.compile(r"([\\`*_~\[\]<>#|])")
_ESCAPED: Final = re.compile(r"\\([\\`*_~\[\]<>#|])")

_PERSON: Final = re.compile(r"<@([UW][A-Z0-9]+)(?:\|([^>]*))?>")
_CHANNEL: Final = re.compile(r"<#[CGD][A-Z0-9]+(?:\|([^>]*))?>")
_SPECIAL: Final = re.compile(r"<!(?:subteam\^[A-Z0-9]+|([a-z]+)(?:\^[^|>]*)*)(?:\|([^>]*))?>")
_LINK: Final = re.compile(r"<((?:https?|mailto|tel):[^|>]+)(?:\|([^>]*))?>")
_SOMEBODY: Final = sentence("somebody")
_CHANNEL_NAME: Final = sentence("channel")
_BLANKS: Final = re.compile(r"[ \t]{2,}")

_BOLD: Final = re.compile(r"\*\*(?=\S)(.{1,1000}?)(?<=\S)\*\*")
_TITLED_LINK: Final = re.compile(rf"\[([^\[\]]+)\]{OWN_LINK}?\((\S+?)\)")
_HEADING: Final = re.compile(r"^#{1,6}\s+(.+)$", re.MULTILINE)
_TYPED: Final = re.compile(r"`/(?=[a-z])")
_OTHERS: Final = re.compile(r"`/(?=[a-z])(?!(?:setpage|thusfar)\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A channel, or a thread in it."""

    channel: str
    thread_ts: str | None = None

    @property
    def key(self) -> str:
        """The form that a button's id holds."""
        return f"{self.channel}:{self.thread_ts or ''}"

    @classmethod
    def of_key(cls, key: str) -> "Spot":
        """Return the place from a button's id."""
        channel, _, thread_ts = key.partition(":")
        return cls(channel=channel, thread_ts=thread_ts or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePart:
    """One message: its text, footer and buttons, and the place that these are about.

    `role` is a user group to mention.
    """

    text: str
    role: str = ""
    footer: str = ""
    choices: tuple[Choice, ...] = ()
    about: Spot


def under_answer(post: Post) -> tuple[Choice, ...]:
    """Return the buttons under a public answer."""
    under = answer_choices(post)
    return (*under, Choice(label=say("Set page"), command=SET_PAGE)) if under else ()


def parts_of(
    text: str,
    *,
    about: Spot,
    footer: str = "",
    choices: Sequence[Choice] = (),
    role: str = "",
    limit: int = MOST_IN_MESSAGE,
) -> list[MessagePart]:
    """Split a text into messages; the first mentions the role, the last has the footer and the buttons."""
    texts = split_message(harmless(text), limit=limit)
    last = len(texts) - 1
    return [
        MessagePart(
            text=each,
            role=role if number == 0 else "",
            footer=footer if number == last else "",
            choices=tuple(choices) if number == last else (),
            about=about,
        )
        for number, each in enumerate(texts)
    ]


def body_of(part: MessagePart, *, in_sections: bool = False) -> dict[str, Any]:
    """Return a message's blocks and fallback text, with link and name parsing turned off.

    Only sections can show times in each reader's zone, and mention a user group.
    """
    if in_sections or part.role or has_marks(part.text):
        pieces = _in_mrkdwn(part.text, limit=MOST_IN_SECTION)
        if part.role:
            pieces[0] = f"<!subteam^{part.role}> {pieces[0]}"
        blocks: list[Block] = [
            {"type": "section", "text": {"type": "mrkdwn", "text": piece, "verbatim": True}} for piece in pieces
        ]
    else:
        blocks = [{"type": "markdown", "text": harmless(part.text).replace(OWN_LINK, "")}]
    if part.footer:
        blocks.append({"type": "context", "elements": [{"type": "plain_text", "text": f"({part.footer})"}]})
    blocks += _under(part, plain=in_sections)
    whole = f"{part.text}\n({part.footer})" if part.footer else part.text
    return {
        "text": fallback(whole),
        "blocks": blocks,
        "unfurl_links": False,
        "unfurl_media": False,
        "link_names": False,
        "parse": "none",
    }


def unlinked_body(part: MessagePart) -> dict[str, Any]:
    """Return a message's body for calls without options about links: edits and ephemeral messages."""
    return {name: value for name, value in body_of(part).items() if not name.startswith("unfurl")}


def actions(choices: Sequence[Choice], about: Spot) -> Block:
    """Return a row of buttons, whose id holds the place that they are about."""
    return {"type": "actions", "block_id": f"{_PLACE}{about.key}", "elements": [_button(choice) for choice in choices]}


def _under(part: MessagePart, *, plain: bool) -> list[Block]:
    """Return the rows under a message: its buttons, and Slack's feedback buttons.

    With `plain`, for older Slack features only, feedback buttons are ordinary buttons.
    """
    thumbs = [] if plain else [choice for choice in part.choices if choice.label in THUMBS]
    others = [choice for choice in part.choices if choice not in thumbs]
    rows = [actions(others, part.about)] if others else []
    return [*rows, _feedback(thumbs, part.about)] if thumbs else rows


def _feedback(thumbs: Sequence[Choice], about: Spot) -> Block:
    """Return a row of feedback buttons, each value a button id.

    https://docs.slack.dev/reference/block-kit/block-elements/feedback-buttons-element
    """
    made: Block = {"type": "feedback_buttons", "action_id": f"tf1:{FEEDBACK}:{thumbs[0].text}"}
    for name, thumb in zip(("positive_button", "negative_button"), thumbs, strict=True):
        text = {"type": "plain_text", "text": thumb.label, "emoji": True}
        value = button_id(thumb, longest=_LONGEST_ID)
        made[name] = {"text": text, "accessibility_label": say(THUMBS[thumb.label]), "value": value}
    return {"type": "context_actions", "block_id": f"{_BESIDE}{about.key}", "elements": [made]}


def _in_mrkdwn(text: str, *, limit: int) -> list[str]:
    """Return a text in pieces that fit once translated to mrkdwn."""
    translated = [mrkdwn(piece) for piece in split_message(text, limit=limit)]
    if all(len(piece) <= MOST_IN_SECTION for piece in translated):
        return translated
    return _in_mrkdwn(text, limit=limit // 2)


def _button(choice: Choice) -> Block:
    made: Block = {
        "type": "button",
        "action_id": button_id(choice, longest=_LONGEST_ID),
        "text": {"type": "plain_text", "text": choice.label[:_LONGEST_LABEL], "emoji": True},
    }
    if choice.is_dangerous:
        made["style"] = "danger"
    return made


def harmless(text: str) -> str:
    """Return Markdown with mentions and foreign titled links disabled by a zero-width space."""
    return OWN_LINK.join(map(_literal, text.split(OWN_LINK)))


def _literal(text: str) -> str:
    unlinked = _FOREIGN_LINK.sub(f"]{_BREAK}", clean(text))
    return _EVERYBODY.sub(f"@{_BREAK}", _CONTROL.sub(f"<{_BREAK}", unlinked))


def fallback(text: str) -> str:
    """Return Markdown as plain text for notifications (https://docs.slack.dev/reference/methods/chat.postMessage)."""
    plain = _BOLD.sub(r"\1", _TITLED_LINK.sub(r"\1", shown(text, _in_utc)))
    return html.escape(harmless(_ESCAPED.sub(r"\1", plain)), quote=False)


def mrkdwn(text: str) -> str:
    """Return Markdown as Slack's older mrkdwn, used where the `markdown` block is refused."""
    plain = harmless(_ESCAPED.sub(r"\1", _TITLED_LINK.sub(r"\1 (\2)", text)))
    plain = shown(html.escape(plain, quote=False), _in_own_time, escaped=True)
    # A leading > marks a quotation and must not stay escaped.
    quoted = re.sub(r"^&gt;", ">", plain, flags=re.MULTILINE)
    return _BOLD.sub(r"*\1*", _HEADING.sub(r"*\1*", quoted))


def _in_own_time(moment: datetime) -> str:
    """Return a time in the format that Slack shows in each reader's zone."""
    return f"<!date^{moment.timestamp():.0f}^{{date_long_pretty}}, {{time}}|{_in_utc(moment)}>"


def _in_utc(moment: datetime) -> str:
    return f"{written_out(moment.astimezone(UTC))} UTC"


def escaped(name: str) -> str:
    """Return Markdown that shows the name literally."""
    return _SPECIALS.sub(r"\\\1", name)


def as_typed(text: str, bot_name: str, *, in_thread: bool) -> str:
    """Return a text with commands as they are typed in Slack: as slash commands, or as mentions within a thread."""
    return _TYPED.sub(f"`@{bot_name} ", text) if in_thread else _OTHERS.sub("`/thusfar ", text)


def without_bot(text: str, bot_id: str) -> str:
    """Return a member's text without the bot's mention and Slack's mark-up; people stay as `<@U...>`."""

    def special(match: re.Match[str]) -> str:
        return match[2] or f"@{match[1] or say(_SOMEBODY)}"

    text = re.sub(rf"<@{re.escape(bot_id)}(?:\|[^>]*)?>", "", text)
    text = _CHANNEL.sub(lambda match: f"#{match[1] or say(_CHANNEL_NAME)}", _SPECIAL.sub(special, text))
    text = _LINK.sub(lambda match: match[2] or match[1], text)
    return _BLANKS.sub(" ", html.unescape(text)).strip()


def people_in(text: str) -> set[str]:
    """Return the ids of the users that a text mentions."""
    return {match[1] for match in _PERSON.finditer(text)}


def with_names(text: str, name_of: Callable[[str], str]) -> str:
    """Return a text with names in place of mentions."""
    return _PERSON.sub(lambda match: f"@{match[2] or name_of(match[1])}", text)
