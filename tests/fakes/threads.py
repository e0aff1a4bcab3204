"""Threads as they are now, in memory: put together from the other stores."""

from core.domain.errors import BookError
from core.domain.thread import PlaceState, ThreadState
from core.ports.threads import ThreadRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.conversations import InMemoryConversationRepository
from tests.fakes.readings import InMemoryReadingRepository


class InMemoryThreadRepository(ThreadRepository):
    """Looks a thread up in the stores that hold its parts."""

    def __init__(
        self,
        *,
        readings: InMemoryReadingRepository,
        conversations: InMemoryConversationRepository,
        clubs: InMemoryClubRepository,
    ) -> None:
        self._readings = readings
        self._conversations = conversations
        self._clubs = clubs

    async def current(self, *, scope: str, place: str, session_of: str, about: str = "") -> ThreadState | None:
        reading = await self._readings.current(scope=scope, place=place, session_of=session_of)
        read = about or (reading.reading_id if reading else "")
        conversation = self._conversations.of_session(f"{session_of}{read}") if read else None
        if conversation is None:
            return None
        try:
            standing = await self._readings.standing(conversation.conversation_id)
        except BookError:
            return None
        hearing = await self._clubs.hearing(conversation.conversation_id)
        is_watched = standing.reading.club_id in self._readings.watched
        return ThreadState(conversation=conversation, standing=standing, hearing=hearing, is_watched=is_watched)

    async def place(self, *, scope: str, place: str) -> PlaceState | None:
        reading = await self._readings.current(scope=scope, place=place)
        if reading is None:
            return None
        return PlaceState(
            book=await self._readings.book(reading), standing=await self._readings.reading_standing(reading.reading_id)
        )
