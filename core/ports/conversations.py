"""Ports: conversations by session, and their messages."""

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
    """Finds and edits stored messages by the platform's message ids. `TurnRecord` stores them."""

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        """Return the conversation id and the position of a platform's message; None if it is not stored."""

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return the latest questions and answers of a conversation, oldest first, including those beyond the page.

        Do not show them to readers or to a model.
        """

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        """Replace the text of a platform's message, also in its turn; an empty text means that it was deleted.

        `reveals_page` is the highest page that the new text is known to reveal.
        """
