"""What is done with a human's message before it is a question: is it for us, and who spoke?"""

from core.app.listening import Heard, is_addressed, wants_answer
from core.app.threads import ThreadService
from core.domain.position import is_newly_present
from core.domain.reading import Listen, Standing
from core.domain.thread import Thread
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.guard import Guard


class HearMessage:
    """Decides whether a message is answered, and follows what becomes of it on its platform."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        clubs: ClubRepository,
        messages: ChatMessageRepository,
        conversations: ConversationRepository,
        books: BookRepository,
        guard: Guard,
        clock: Clock,
    ) -> None:
        self._threads = threads
        self._conversations = conversations
        self._books = books
        self._guard = guard
        self._clubs = clubs
        self._messages = messages
        self._clock = clock

    async def wants_answer(self, thread: Thread, heard: Heard, *, member_id: str) -> bool:
        """Whether the bot answers; a member who speaks in a thread about a book is noted as present.

        Of what is said to the bot itself nothing need be looked up: who asks is noted when the turn begins.
        """
        if is_addressed(heard):
            return True
        state = await self._threads.state(thread) if thread.thread else None
        if state is None:
            return wants_answer(heard, Listen.OPENED)
        await self._note_present(state.standing, member_id)
        return wants_answer(heard, state.listen)

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

    async def _note_present(self, standing: Standing, member_id: str) -> None:
        now = self._clock.now()
        spoke = next((m.last_spoke_at for m in standing.members if m.member_id == member_id), None)
        if is_newly_present(spoke, now):
            await self._clubs.spoke(standing.reading.reading_id, member_id, now)
