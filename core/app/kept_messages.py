"""What becomes, on its platform, of a message that is kept here: it is edited, or deleted."""

from core.domain.conversation import ChatMessage
from core.ports.books import BookRepository
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.guard import Guard


class KeptMessages:
    """Follows edits and deletions."""

    def __init__(
        self,
        *,
        messages: ChatMessageRepository,
        conversations: ConversationRepository,
        books: BookRepository,
        guard: Guard,
    ) -> None:
        self._messages = messages
        self._conversations = conversations
        self._books = books
        self._guard = guard

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return what was asked and answered last, oldest first: for what decides when to speak alone."""
        return await self._messages.latest(conversation_id, most=most)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one, judged as that one was; no new turn comes of it."""
        said = await self._messages.where_said(ref)
        if said is None:
            return
        conversation_id, position = said
        book = await self._books.get((await self._conversations.get(conversation_id)).book_id)
        reveals_page = await self._guard.revealed_page(text, book=book, position=position)
        await self._messages.replace_text(ref, text, reveals_page=reveals_page)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted on the platform."""
        await self._messages.replace_text(ref, "")
