"""What is done with a human's message before it is a question: is it for us, and who spoke?"""

from core.app.listening import Heard, wants_answer
from core.app.threads import Thread, ThreadService
from core.domain.reading import Listen
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.repositories import ChatMessageRepository


class HearMessage:
    """Decides whether a message is answered, and follows what becomes of it on its platform."""

    def __init__(
        self, *, threads: ThreadService, clubs: ClubRepository, messages: ChatMessageRepository, clock: Clock
    ) -> None:
        self._threads = threads
        self._clubs = clubs
        self._messages = messages
        self._clock = clock

    async def wants_answer(self, thread: Thread, heard: Heard, *, member_id: str) -> bool:
        """Whether the bot answers; a member who speaks in a thread about a book is noted as present."""
        conversation = await self._threads.current(thread) if thread.thread else None
        if conversation is None:
            return wants_answer(heard, Listen.OPENED)
        await self._clubs.spoke(conversation.reading_id, member_id, self._clock.now())
        return wants_answer(heard, await self._clubs.listen(conversation.conversation_id))

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; no new turn comes of it."""
        await self._messages.replace_text(ref, text)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted on the platform."""
        await self._messages.replace_text(ref, "")
