"""Conversations and their messages, in memory."""

from dataclasses import replace
from datetime import UTC, datetime

from core.domain.conversation import ChatMessage, Conversation, Role
from core.domain.errors import BookError, BookErrorCode
from core.domain.position import Position
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryConversationRepository(ConversationRepository):
    """Conversations by session."""

    def __init__(self, readings: InMemoryReadingRepository) -> None:
        self._readings = readings
        self._by_session: dict[str, Conversation] = {}

    async def get(self, conversation_id: str) -> Conversation:
        for conversation in self._by_session.values():
            if conversation.conversation_id == conversation_id:
                reading = await self._readings.get(conversation.reading_id)
                return replace(conversation, book_id=reading.book_id)
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no conversation {conversation_id}.")

    def of_session(self, session_id: str) -> Conversation | None:
        held = self._by_session.get(session_id)
        return held and replace(held, book_id=self._readings.book_of(held))

    async def get_or_create(self, *, session_id: str, reading_id: str) -> Conversation:
        reading = await self._readings.get(reading_id)
        if session_id not in self._by_session:
            conversation_id = f"t_{len(self._by_session) + 1}"
            self._readings.attach(conversation_id, reading_id, session_id)
            self._by_session[session_id] = Conversation(
                conversation_id=conversation_id, session_id=session_id, reading_id=reading_id, book_id=reading.book_id
            )
        return replace(self._by_session[session_id], book_id=reading.book_id)


class InMemoryChatMessageRepository(ChatMessageRepository):
    """Messages in one list; `turn_ids` says for which turn each was stored."""

    def __init__(self) -> None:
        self._messages: list[tuple[str, ChatMessage]] = []
        self.turn_ids: list[int | None] = []

    def asker(self, turn_id: int) -> str:
        """Return the name of whoever asked in a turn; empty where nobody is named."""
        said = (
            message.author
            for (_, message), of_turn in zip(self._messages, self.turn_ids, strict=True)
            if of_turn == turn_id and message.role is Role.USER
        )
        author = next(said, None)
        return author.display_name if author else ""

    async def add(self, conversation_id: str, *messages: ChatMessage, turn_id: int | None = None) -> None:
        for message in messages:
            if message.platform_ref and any(m.platform_ref == message.platform_ref for _, m in self._messages):
                continue
            stored = replace(message, message_id=len(self._messages) + 1, created_at=datetime.now(UTC))
            self._messages.append((conversation_id, stored))
            self.turn_ids.append(turn_id)

    async def readable_history(self, conversation_id: str, *, position: Position, latest: int) -> list[ChatMessage]:
        return [m for m in await self.get_by_conversation(conversation_id) if m.fits(position)][-latest:]

    async def where_said(self, platform_ref: str) -> tuple[str, Position] | None:
        named = [(owner, message.position) for owner, message in self._messages if message.platform_ref == platform_ref]
        return named[0] if named else None

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        said = await self.get_by_conversation(conversation_id)
        return [message for message in said if message.role is not Role.TOOL_RESULT][-most:]

    async def replace_text(self, platform_ref: str, text: str, *, reveals_page: int | None = None) -> None:
        self._messages = [
            (owner, replace(message, content=text, reveals_page=reveals_page))
            if message.platform_ref == platform_ref
            else (owner, message)
            for owner, message in self._messages
        ]

    async def get_by_conversation(self, conversation_id: str) -> list[ChatMessage]:
        return [message for owner, message in self._messages if owner == conversation_id]

    def asked_in(self, turn_id: int) -> str | None:
        """What the question of a turn says by now; None where it was stored for none."""
        return next((self._messages[index][1].content for index in self._questions(turn_id)), None)

    def judge(self, question: ChatMessage, *, turn_id: int) -> None:
        """Say of the question of a turn whose it is and how far it tells; one that says something else by now stays."""
        for index in self._questions(turn_id):
            owner, stored = self._messages[index]
            if stored.content == question.content:
                self._messages[index] = (
                    owner,
                    replace(
                        stored,
                        author=question.author,
                        position=question.position,
                        reveals_page=question.reveals_page,
                    ),
                )

    def answer_reveals(self, turn_id: int, page: int | None) -> None:
        """Say of the answer of a turn how far it tells."""
        self._messages = [
            (owner, replace(said, reveals_page=page) if of == turn_id and said.role is Role.ASSISTANT else said)
            for (owner, said), of in zip(self._messages, self.turn_ids, strict=True)
        ]

    def let_go(self, turn_id: int) -> None:
        """Drop what was stored for a turn."""
        kept = [(said, of) for said, of in zip(self._messages, self.turn_ids, strict=True) if of != turn_id]
        self._messages, self.turn_ids = [said for said, _ in kept], [of for _, of in kept]

    def _questions(self, turn_id: int) -> list[int]:
        return [
            index
            for index, (_, message) in enumerate(self._messages)
            if self.turn_ids[index] == turn_id and message.role is Role.USER
        ]
