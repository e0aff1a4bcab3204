"""What was asked and answered in a conversation before: for a place that shows its talk itself, after a restart."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.app.printed_pages import with_labels
from core.domain.conversation import Conversation, Role
from core.domain.position import footer, page_names
from core.ports.books import BookRepository
from core.ports.conversations import ChatMessageRepository

_MOST_MESSAGES: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurn:
    """A question with its answer as it was posted, and the page at which it was asked.

    Whoever has read less than to `reaches` sees nothing of the answer.
    """

    question: str
    answer: str
    footer: str
    asked_at: int
    reaches: int


class EarlierTalk:
    """Looks the latest turns of a conversation up."""

    def __init__(self, *, messages: ChatMessageRepository, books: BookRepository) -> None:
        self._messages = messages
        self._books = books

    async def of(self, conversation: Conversation) -> Sequence[EarlierTurn]:
        """Return its latest answered questions, oldest first; what was forgotten is not among them."""
        said = await self._messages.latest(conversation.conversation_id, most=_MOST_MESSAGES)
        name = page_names(await self._books.outline(conversation.book_id))
        return [
            EarlierTurn(
                question=asked.content,
                answer=with_labels(answer.content, name),
                footer=footer(answer.position, name=name),
                asked_at=asked.position or 0,
                reaches=max(answer.position or 0, answer.reveals_page or 0),
            )
            for asked, answer in pairwise(said)
            if (asked.role, answer.role) == (Role.USER, Role.ASSISTANT)
        ]
