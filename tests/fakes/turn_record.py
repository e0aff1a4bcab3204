"""The record of turns, in memory, over the other fakes."""

from dataclasses import replace
from datetime import datetime, timedelta

from core.domain.conversation import Turn, TurnStatus
from core.domain.errors import BookError, BookErrorCode
from core.domain.passage import readable
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.domain.reading import Reading
from core.ports.turn_record import BegunTurn, NoReading, RecordedAnswer, TurnEnd, TurnRecord
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.conversations import InMemoryChatMessageRepository, InMemoryConversationRepository
from tests.fakes.readings import InMemoryReadingRepository

_PRESENT_FOR = timedelta(hours=1)


class InMemoryTurnRecord(TurnRecord):
    """Turns in one list; `ends` and `feedback` keep what was recorded of each."""

    def __init__(
        self,
        *,
        books: InMemoryBookRepository,
        readings: InMemoryReadingRepository,
        conversations: InMemoryConversationRepository,
        messages: InMemoryChatMessageRepository,
        clubs: InMemoryClubRepository,
    ) -> None:
        self._books = books
        self._readings = readings
        self._conversations = conversations
        self._clubs = clubs
        self._turns: dict[int, Turn] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self.messages = messages
        self.ends: dict[int, TurnEnd] = {}
        self.feedback: dict[int, int] = {}

    def turns(self, conversation_id: str) -> list[Turn]:
        """The turns of a conversation, oldest first."""
        return [turn for turn in self._turns.values() if turn.conversation_id == conversation_id]

    async def begin(self, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        thread, reading = message.thread, await self._reading(message)
        if reading is None:
            return NoReading(removed_title=await self._readings.removed_title(scope=thread.scope, place=thread.place))
        conversation = await self._conversations.get_or_create(
            session_id=f"{thread.session}{reading.reading_id}", reading_id=reading.reading_id
        )
        standing = await self._readings.standing(conversation.conversation_id)
        member_id = message.author.member_id
        spoke = next((m.last_spoke_at for m in standing.members if m.member_id == member_id), None)
        if spoke is None or now - spoke > _PRESENT_FOR:
            await self._clubs.spoke(reading.reading_id, member_id, now)
        position = standing.public(now) if message.page is None else message.page
        book, outline = await self._books.get(reading.book_id), await self._books.outline(reading.book_id)
        begun = BegunTurn(conversation=conversation, book=book, labels=outline.labels, position=position, turn=None)
        if position is None:
            return begun
        history = await self.messages.readable_history(conversation.conversation_id, position=position, latest=latest)
        others = [said for said in history if message.ref is None or said.platform_ref != message.ref]
        return replace(begun, history=tuple(others), turn=self._opened(conversation.conversation_id, message, position))

    async def end(self, begun: Turn, end: TurnEnd, *, now: datetime) -> Position:
        standing = await self._readings.standing(begun.conversation_id)
        is_answered = end.error_code is None
        self._turns[begun.turn_id] = replace(
            begun,
            status=TurnStatus.ANSWERED if is_answered else TurnStatus.FAILED,
            agent_response=end.outcome.text if is_answered else None,
        )
        self.ends[begun.turn_id] = end
        await self.messages.add(begun.conversation_id, *end.messages, turn_id=begun.turn_id)
        return standing.public(now)

    async def answer(self, turn_id: int) -> RecordedAnswer | None:
        turn = self._turns.get(turn_id)
        if turn is None or turn.status is not TurnStatus.ANSWERED:
            return None
        conversation = await self._conversations.get(turn.conversation_id)
        return RecordedAnswer(
            turn=turn,
            session_id=conversation.session_id,
            book_id=conversation.book_id,
            chunk_ids=tuple(source.chunk_id for source in self.ends[turn_id].outcome.sources),
        )

    async def give_feedback(self, turn_id: int, feedback: int) -> None:
        self.feedback[turn_id] = feedback

    async def _reading(self, message: IncomingMessage) -> Reading | None:
        thread = message.thread
        if message.book_id is None:
            return await self._readings.current(scope=thread.scope, place=thread.place)
        book = await self._books.get(message.book_id)
        if message.page is None:
            raise BookError(BookErrorCode.PAGE_OUT_OF_RANGE, "Who names a book names a page of it.")
        readable(book, message.page)
        return await self._readings.get_or_create(scope=thread.scope, place=thread.place, book_id=book.book_id)

    def _opened(self, conversation_id: str, message: IncomingMessage, position: Position) -> Turn:
        key = (conversation_id, message.ref or "")
        if message.ref and key in self._asked:
            return self._turns[self._asked[key]]
        turn = Turn(
            turn_id=len(self._turns) + 1,
            conversation_id=conversation_id,
            turn_number=1 + len(self.turns(conversation_id)),
            status=TurnStatus.OPEN,
            position=position,
            user_query=message.text,
        )
        self._turns[turn.turn_id] = turn
        if message.ref:
            self._asked[key] = turn.turn_id
        return turn
