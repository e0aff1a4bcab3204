"""The record of turns, in memory: over the stores that hold its parts."""

from dataclasses import replace
from datetime import datetime

from core.domain.conversation import (
    SETTLED,
    SPOILER,
    ChatMessage,
    Conversation,
    Role,
    Turn,
    TurnOutcome,
    TurnStatus,
)
from core.domain.errors import BookError, BookErrorCode, TakenOverError
from core.domain.passage import readable
from core.domain.position import AnswerIn, Position, answer_in, is_newly_present
from core.domain.question import IncomingMessage
from core.domain.reading import Reading
from core.domain.scopes import is_private
from core.ports.turn_record import BegunTurn, NoReading, RecordedAnswer, TurnEnd, TurnRecord
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.clubs import InMemoryClubRepository
from tests.fakes.conversations import InMemoryChatMessageRepository, InMemoryConversationRepository
from tests.fakes.inbox import InMemoryInbox
from tests.fakes.readings import InMemoryReadingRepository

_NEVER_READ = 2**31 - 1


class InMemoryTurnRecord(TurnRecord):
    """Turns in the order in which they began; `ends` keeps what was recorded of each, by its id."""

    def __init__(
        self,
        *,
        books: InMemoryBookRepository,
        readings: InMemoryReadingRepository,
        conversations: InMemoryConversationRepository,
        messages: InMemoryChatMessageRepository,
        clubs: InMemoryClubRepository,
        inbox: InMemoryInbox,
    ) -> None:
        self._inbox = inbox
        self._books = books
        self._readings = readings
        self._conversations = conversations
        self._messages = messages
        self._clubs = clubs
        self._turns: dict[int, Turn] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self.ends: dict[int, TurnEnd] = {}
        self._feedback: dict[tuple[int, str], int] = {}

    async def begin(self, message: IncomingMessage, *, now: datetime, latest: int) -> BegunTurn | NoReading:
        thread = message.thread
        reading = await self._reading(message)
        if reading is None:
            title = await self._readings.removed_title(
                scope=thread.scope, place=thread.place, session_of=thread.session
            )
            return NoReading(removed_title=title)
        conversation = await self._conversations.get_or_create(
            session_id=f"{thread.session}{reading.reading_id}", reading_id=reading.reading_id
        )
        if message.book_id is None:
            await self._note_present(reading.reading_id, message.author.member_id, now)
        book, position = await self._books.get(reading.book_id), message.page
        if message.book_id is None:
            position = (await self._readings.standing(conversation.conversation_id)).public(now)
        outline = await self._books.outline(book.book_id)
        begun = BegunTurn(
            conversation=conversation,
            book=book,
            labels=outline.labels,
            chapters=tuple(each for each in outline.chapters if each.first_page <= (position or 0)),
            position=position,
            turn=None,
        )
        if position is None:
            return begun
        said = await self._messages.readable_history(conversation.conversation_id, position=position, latest=latest + 1)
        history = [each for each in said if message.ref is None or each.platform_ref != message.ref][-latest:]
        where = AnswerIn.HERE
        if message.book_id is None and not is_private(thread.scope):
            own = await self._clubs.member_position(reading.reading_id, message.author.member_id)
            chosen = await self._clubs.answer_in(conversation.conversation_id, message.author.member_id)
            where = answer_in(own, position, chosen)
        turn = self._open(conversation, message, position, asks=where is not AnswerIn.HERE)
        question = ChatMessage(
            role=Role.USER,
            content=message.text,
            position=position,
            author=message.author,
            reveals_page=book.pages,
            platform_ref=message.ref,
        )
        if turn.status is not TurnStatus.IDLE:
            await self._messages.add(conversation.conversation_id, question, turn_id=turn.turn_id)
        self._inbox.begin_turn(message.ref, message.heard_by)
        return replace(
            begun, turn=replace(turn, user_query=self._says_now(turn)), history=tuple(history), answer_in=where
        )

    async def end(self, turn: Turn, end: TurnEnd, *, now: datetime) -> Position:
        standing = await self._readings.standing(turn.conversation_id)
        if standing.reading.book_id != turn.book_id:
            raise BookError(BookErrorCode.NOT_FOUND, "What this thread was reading is gone.")
        status = self._turns[turn.turn_id].status
        if status in SETTLED or status is not turn.status:
            raise TakenOverError("Another process has this turn by now.")
        for message in end.messages:
            if message.role is not Role.USER:
                await self._messages.add(turn.conversation_id, message, turn_id=turn.turn_id)
            else:
                self._messages.judge(message, turn_id=turn.turn_id)
        failed, is_idle = end.error_code is not None, end.outcome.nobody_asked
        self._turns[turn.turn_id] = replace(
            turn,
            status=TurnStatus.FAILED if failed else TurnStatus.IDLE if is_idle else TurnStatus.ANSWERED,
            user_query="" if is_idle else turn.user_query,
            agent_response=None if failed or is_idle else end.outcome.text,
        )
        if is_idle:
            self._messages.let_go(turn.turn_id)
        self.ends[turn.turn_id] = end
        self._inbox.settle_turn(end.ref, end.heard_by, end.reply)
        return standing.public(now)

    async def answered(self, reading_id: str) -> list[tuple[Turn, str, str]]:
        """Return the answered turns of a reading, each with its session and its asker's name."""
        turns = [turn for turn in self._turns.values() if turn.status is TurnStatus.ANSWERED]
        talks = [(turn, await self._conversations.get(turn.conversation_id)) for turn in turns]
        return [
            (turn, talk.session_id, self._messages.asker(turn.turn_id))
            for turn, talk in talks
            if talk.reading_id == reading_id
        ]

    async def answer(self, turn_id: int) -> RecordedAnswer | None:
        turn = self._turns.get(turn_id)
        if turn is None or turn.status not in {TurnStatus.ANSWERED, TurnStatus.ASKED_BACK, TurnStatus.HIDDEN}:
            return None
        ref = next((ref for (_, ref), number in self._asked.items() if number == turn_id), None)
        outcome = self.ends[turn_id].outcome if turn_id in self.ends else TurnOutcome(text="")
        conversation = await self._conversations.get(turn.conversation_id)
        return RecordedAnswer(
            turn=turn,
            session_id=conversation.session_id,
            reading_id=conversation.reading_id,
            book_id=conversation.book_id,
            chunk_ids=tuple(source.chunk_id for source in outcome.sources),
            searched_for=outcome.rewritten_query or turn.user_query,
            ref=ref,
        )

    async def give_feedback(self, turn_id: int, feedback: int, *, member_id: str) -> None:
        if turn_id in self._turns:
            self._feedback[turn_id, member_id] = feedback
            if feedback == SPOILER and self._turns[turn_id].status is TurnStatus.ANSWERED:
                self._hide(turn_id, TurnStatus.HIDDEN, reveals=_NEVER_READ)

    async def take_back_reports(self, turn_id: int) -> None:
        self._feedback = {key: each for key, each in self._feedback.items() if key[0] != turn_id or each != SPOILER}
        if (turn := self._turns.get(turn_id)) is not None and turn.status is TurnStatus.HIDDEN:
            self._hide(turn_id, TurnStatus.ANSWERED, reveals=turn.position)

    def _hide(self, turn_id: int, status: TurnStatus, *, reveals: int | None) -> None:
        self._turns[turn_id] = replace(self._turns[turn_id], status=status)
        self._messages.answer_reveals(turn_id, reveals)

    async def feedback(self, turn_id: int) -> dict[str, int]:
        return {member: thinks for (turn, member), thinks in self._feedback.items() if turn == turn_id}

    def of_conversation(self, conversation_id: str) -> list[Turn]:
        """The turns of a conversation, oldest first."""
        return [turn for turn in self._turns.values() if turn.conversation_id == conversation_id]

    async def _reading(self, message: IncomingMessage) -> Reading | None:
        scope, place = message.thread.scope, message.thread.place
        if message.thread.about:
            try:
                return await self._readings.get(message.thread.about)
            except BookError:
                return None
        if message.book_id is None:
            return await self._readings.current(scope=scope, place=place, session_of=message.thread.session)
        readable(await self._books.get(message.book_id), message.page)
        return await self._readings.get_or_create(scope=scope, place=place, book_id=message.book_id)

    async def _note_present(self, reading_id: str, member_id: str, now: datetime) -> None:
        members = self._readings.members.get(reading_id, ())
        spoke = next((member.last_spoke_at for member in members if member.member_id == member_id), None)
        if is_newly_present(spoke, now):
            await self._clubs.spoke(reading_id, member_id, now)

    def _open(self, conversation: Conversation, message: IncomingMessage, position: int, *, asks: bool) -> Turn:
        asked = (conversation.conversation_id, message.ref or "")
        if asked in self._asked:
            turn = self._turns[self._asked[asked]]
            is_settled = turn.status in SETTLED
            return turn if is_settled else replace(turn, position=position)
        turn = Turn(
            turn_id=len(self._turns) + 1,
            conversation_id=conversation.conversation_id,
            turn_number=1 + len(self.of_conversation(conversation.conversation_id)),
            status=TurnStatus.ASKED_BACK if asks else TurnStatus.OPEN,
            position=position,
            user_query=message.text,
            book_id=conversation.book_id,
        )
        self._turns[turn.turn_id] = turn
        if message.ref:
            self._asked[asked] = turn.turn_id
        return turn

    def _says_now(self, turn: Turn) -> str:
        """What a turn's question says by now: it may have been edited, also before it came again."""
        says = self._messages.asked_in(turn.turn_id)
        return turn.user_query if says is None else says
