"""The options of the Discord adapter, set by the wiring."""

from dataclasses import dataclass
from typing import Final

from adapters.platform.services import Emoji

EMOJI: Final = Emoji(
    searching="🔍", found="📖", found_nothing="🤷", answered="✅", failed="⚠️", waiting="⏳", thanked="💛"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordOptions:
    """The adapter's options; an empty allow-list allows everything. Sizes are in bytes, ages in hours."""

    token: str
    api_base: str | None = None
    gateway_url: str | None = None
    allowed_guilds: frozenset[int] = frozenset()
    allowed_channels: frozenset[int] = frozenset()
    organiser_roles: frozenset[int] = frozenset()
    emoji: Emoji = EMOJI
    max_book_bytes: int = 50_000_000
    missed_hours: int = 12
