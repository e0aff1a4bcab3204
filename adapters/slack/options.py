"""The options of the Slack adapter, set by the wiring."""

from dataclasses import dataclass
from typing import Final

from adapters.platform.services import Emoji

EMOJI: Final = Emoji(
    searching="mag",
    found="book",
    found_nothing="shrug",
    answered="white_check_mark",
    failed="warning",
    waiting="hourglass_flowing_sand",
    thanked="yellow_heart",
)
API_BASE: Final = "https://slack.com/api/"


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackOptions:
    """The adapter's options; an empty allow-list allows every channel. Sizes are in bytes, ages in hours.

    With an `app_token` it uses Socket Mode; otherwise it listens at `port` and verifies requests with the
    `signing_secret`. `pause` is the minimum number of seconds between two messages in a channel.
    """

    bot_token: str
    app_token: str | None = None
    signing_secret: str | None = None
    api_base: str | None = None
    host: str = "0.0.0.0"  # noqa: S104 (Slack connects from outside; requests are verified)
    port: int = 3000
    allowed_channels: frozenset[str] = frozenset()
    organisers: frozenset[str] = frozenset()
    emoji: Emoji = EMOJI
    max_book_bytes: int = 50_000_000
    missed_hours: int = 12
    pause: float = 1.0
