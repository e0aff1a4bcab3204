"""A club whose posts are watched, over SQLite in memory: `await club.says("...")` returns what its writer is told."""

from datetime import timedelta

from adapters.persistence.tables import MemberPositionRow
from core.answering.running_turns import RunningTurns
from core.club.hearing.addressing import AddressingService, KeptMessages, Presence, WaitingQuestions
from core.club.watch.watching import Nudge, PostWatch
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.guard import Guard
from core.understanding.listening import Addressing, RecentLines
from tests.builders import ADA
from tests.unit.club_house import House
from tests.unit.world import THREAD

IN_THREAD = Addressing(in_thread=True, thread_opened_by_bot=True)


class WatchedClub:
    """Reads in one thread; `open` sets its page and Ada's own. `asked` is what was made of the last thing said."""

    def __init__(self, house: House, guard: Guard, *, has_model: bool = False) -> None:
        self.house = house
        self.watch = PostWatch(
            watches=house.watches,
            threads=house.threads,
            clubs=house.clubs,
            books=house.books,
            schedules=house.schedules,
            guard=guard,
            clock=house.clock,
        )
        kept = KeptMessages(
            messages=house.messages, conversations=house.conversations, books=house.books, guard=house.guard
        )
        self.hearing = AddressingService(
            threads=house.threads,
            presence=Presence(clubs=house.clubs, clock=house.clock),
            kept=kept,
            recent_lines=RecentLines(),
            waiting=WaitingQuestions(),
            running=RunningTurns(),
            watch=self.watch,
            has_model=has_model,
        )
        self._said = 0

    async def open(self, *, page: Position, own_page: Position, on: bool = True, book: Book | None = None) -> None:
        conversation = await self.house.reading(THREAD, position=page, book=book)
        self.reading_id = conversation.reading_id
        await self.stand(own_page)
        if on:
            await self.house.use("watch", "on", organiser=True)

    async def stand(self, own_page: Position, *, member: Author = ADA) -> None:
        """Let a member say how far they have read."""
        if own_page is not None:
            await self.house.places.set_member_position(self.reading_id, member.member_id, own_page)

    async def says(
        self, text: str, *, by: Author = ADA, heard: Addressing = IN_THREAD, thread: Thread = THREAD
    ) -> Nudge | None:
        """Say something, and return what its writer is told."""
        self._said += 1
        message = IncomingMessage(thread=thread, author=by, text=text, ref=f"m{self._said}")
        self.asked = (await self.hearing.hear(message, heard)).addressed
        post = self.watch.take(f"m{self._said}")
        assert self.watch.take(f"m{self._said}") is None
        return None if post is None else await self.watch.nudge(post)

    def next_day(self) -> None:
        """Let everybody be told again."""
        self.house.clock.advance(timedelta(days=1))

    async def nudged(self) -> list[str]:
        """Return the ids of all members who were ever told."""
        return [row.member_id for row in await self.house.rows(MemberPositionRow) if row.nudged_at is not None]
