"""A text with its buttons as the blocks and the fallback of Slack's messages (https://docs.slack.dev/reference/block-kit)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from adapters.platform.buttons import DANGEROUS, UNDER_ANSWERS, button_id
from adapters.slack.texts import fallback, harmless, mrkdwn
from core.app.commands.values import Choice
from core.text.split import split_message

Block = dict[str, Any]

MOST_IN_MESSAGE: Final = 11_900
"""A message's `markdown` blocks take 12,000 characters."""
MOST_IN_SECTION: Final = 3_000
"""What a section takes, counted after & < > have been escaped."""
SET_PAGE: Final = ".setpage"
"""Opens the form for the page: the one button of Slack's own."""

_LONGEST_ID: Final = 255
_LONGEST_LABEL: Final = 75


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where a message stands, or is to stand: in a channel, or in a thread of it."""

    channel: str
    thread_ts: str | None = None

    @property
    def key(self) -> str:
        """As a button remembers it."""
        return f"{self.channel}:{self.thread_ts or ''}"

    @classmethod
    def of_key(cls, key: str) -> "Spot":
        """Return the place that a button remembers."""
        channel, _, thread_ts = key.partition(":")
        return cls(channel=channel, thread_ts=thread_ts or None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One message: its text, what stands small under it, its buttons, and the place that these are about."""

    text: str
    footer: str = ""
    choices: tuple[Choice, ...] = ()
    about: Spot


def answer_choices(turn_id: int) -> tuple[Choice, ...]:
    """Return the buttons under a public answer."""
    under = [Choice(label=label, command=command, text=str(turn_id)) for command, label in UNDER_ANSWERS.items()]
    return (*under, Choice(label="Set page", command=SET_PAGE))


def parts_of(
    text: str, *, about: Spot, footer: str = "", choices: Sequence[Choice] = (), limit: int = MOST_IN_MESSAGE
) -> list[Part]:
    """Return a text in as many messages as it needs; the footer and the buttons are the last one's."""
    texts = split_message(harmless(text), limit=limit)
    last = len(texts) - 1
    return [
        Part(
            text=each,
            footer=footer if number == last else "",
            choices=tuple(choices) if number == last else (),
            about=about,
        )
        for number, each in enumerate(texts)
    ]


def body_of(part: Part, *, in_sections: bool = False) -> dict[str, Any]:
    """Return a message's blocks, the whole of it as plain text, and that no link or name in it comes to life."""
    if in_sections:
        pieces = _in_mrkdwn(part.text, limit=MOST_IN_SECTION)
        blocks: list[Block] = [
            {"type": "section", "text": {"type": "mrkdwn", "text": piece, "verbatim": True}} for piece in pieces
        ]
    else:
        blocks = [{"type": "markdown", "text": harmless(part.text)}]
    if part.footer:
        blocks.append({"type": "context", "elements": [{"type": "plain_text", "text": f"({part.footer})"}]})
    if part.choices:
        blocks.append(actions(part.choices, part.about))
    whole = f"{part.text}\n({part.footer})" if part.footer else part.text
    return {
        "text": fallback(whole),
        "blocks": blocks,
        "unfurl_links": False,
        "unfurl_media": False,
        "link_names": False,
        "parse": "none",
    }


def actions(choices: Sequence[Choice], about: Spot) -> Block:
    """Return a row of buttons; the row remembers which place they are about, wherever it is shown."""
    return {"type": "actions", "block_id": f"tf1@{about.key}", "elements": [_button(choice) for choice in choices]}


def _in_mrkdwn(text: str, *, limit: int) -> list[str]:
    """Return a text in pieces that fit after they have been translated."""
    translated = [mrkdwn(piece) for piece in split_message(text, limit=limit)]
    if all(len(piece) <= MOST_IN_SECTION for piece in translated):
        return translated
    return _in_mrkdwn(text, limit=limit // 2)


def _button(choice: Choice) -> Block:
    made: Block = {
        "type": "button",
        "action_id": button_id(choice.command, choice.text, longest=_LONGEST_ID),
        "text": {"type": "plain_text", "text": choice.label[:_LONGEST_LABEL], "emoji": True},
    }
    if choice.command in DANGEROUS:
        made["style"] = "danger"
    return made
