"""What is done with a human's message before it is a question: is it for us, and who spoke?"""

from datetime import timedelta
from typing import Final

from core.app.listening import Heard, wants_answer
from core.app.threads import Thread, ThreadService
from core.domain.reading import Listen, Standing
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.repositories import ChatMessageRepository

# Presence is looked at by the day (spec section 2): who spoke within the hour need not be noted again.
_PRESENT_FOR: Final = timedelta(hours=1)


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
        state = await self._threads.state(thread) if thread.thread else None
        if state is None:
            return wants_answer(heard, Listen.OPENED)
        await self._note_present(state.standing, member_id)
        return wants_answer(heard, state.listen)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; no new turn comes of it."""
        await self._messages.replace_text(ref, text)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted on the platform."""
        await self._messages.replace_text(ref, "")

    async def _note_present(self, standing: Standing, member_id: str) -> None:
        now = self._clock.now()
        spoke = next((m.last_spoke_at for m in standing.members if m.member_id == member_id), None)
        if spoke is None or now - spoke > _PRESENT_FOR:
            await self._clubs.spoke(standing.reading.reading_id, member_id, now)
