"""What the Discord adapter is given by the wiring: core's services, and how it is to behave."""

from dataclasses import dataclass, field

from core.app.answer_message import AnswerMessage
from core.app.answers import Answers
from core.app.commands.book_commands import BookCommands
from core.app.commands.registry import CommandRegistry
from core.app.hear_message import HearMessage
from core.ports.inbox import Inbox


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordEmoji:
    """The reactions on the asker's message."""

    searching: str = "🔍"
    found: str = "📖"
    found_nothing: str = "🤷"
    answered: str = "✅"
    failed: str = "⚠️"
    waiting: str = "⏳"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordOptions:
    """How the adapter behaves; empty allow-lists allow everything. Sizes are in bytes, ages in hours."""

    token: str
    api_base: str | None = None
    gateway_url: str | None = None
    allowed_guilds: frozenset[int] = frozenset()
    allowed_channels: frozenset[int] = frozenset()
    organiser_roles: frozenset[int] = frozenset()
    emoji: DiscordEmoji = field(default_factory=DiscordEmoji)
    max_book_bytes: int = 50_000_000
    missed_hours: int = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordServices:
    """Core's services, as every platform uses them."""

    answer_message: AnswerMessage
    hear_message: HearMessage
    commands: CommandRegistry
    book_commands: BookCommands
    answers: Answers
    inbox: Inbox
