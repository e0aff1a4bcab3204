"""Ports: conversations by session, and what was said in them."""

from typing import Protocol

from core.domain.conversation import ChatMessage, Conversation
from core.domain.position import Position


class ConversationRepository(Protocol):
    """Conversations by session."""

    async def get(self, conversation_id: str) -> Conversation:
        """Return the conversation. Raises BookError(NOT_FOUND)."""

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        """Return the conversation of a session about a reading; safe under concurrent callers."""


class ChatMessageRepository(Protocol):
    """What was said on a platform, by the names that the platform gives its messages; `TurnRecord` stores it."""

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation's id and the position at which a platform's message was written; None for others."""

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return what was asked and answered last in a conversation, oldest first, whatever page it tells of.

        It is not for any reader's eyes, nor a model's.
        """

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Put another text in place of a platform's message, an empty one where it was deleted; its turn says so too.

        `reveals_page` is the highest page that the new text is known to tell of.
        """
