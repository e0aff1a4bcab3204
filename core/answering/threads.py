"""Finds the conversation of a thread, which never changes its reading, and makes titles for new threads.

Everyone in a place sees a thread's title. A title must not show whether a question is about unread pages or about
something that the book never mentions. So every title is made by the same rule: from names and chapters that have been
read, and never from other words of the question.
"""

import asyncio
import re
from typing import Final

from core.answering.extracts.named_parts import chapters_named
from core.answering.extracts.names import without_title
from core.answering.extracts.people import find_name, stands_small
from core.answering.extracts.read_text import ReadText
from core.answering.read_book import PageCache, ReadBook
from core.catalogue.sentences import say
from core.domain.book_places import shown_number
from core.domain.club_state import ClubState
from core.domain.conversation import Author, Conversation
from core.domain.errors import BookError, ThusfarError
from core.domain.messages import no_book, plain_name
from core.domain.reading import Reading
from core.domain.scopes import is_direct
from core.domain.thread import PlaceState, Thread, ThreadState
from core.language.names import names_in
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.conversations import ConversationRepository
from core.ports.readings import ReadingRepository
from core.ports.threads import ThreadRepository

_LONGEST_BOOK: Final = 40
_LONGEST_NAME: Final = 22
"""The longest name of the asker, or of the person they ask about, in characters."""
_MARKUP: Final = re.compile(r"[*_~`|<>@#\\\[\]]+")


class ThreadService:
    """Finds and creates the readings and conversations of threads."""

    def __init__(
        self,
        *,
        readings: ReadingRepository,
        conversations: ConversationRepository,
        threads: ThreadRepository,
        clock: Clock,
    ) -> None:
        self._readings = readings
        self._conversations = conversations
        self._threads = threads
        self._clock = clock

    async def reading(self, thread: Thread) -> Reading | None:
        """Return the reading of a thread; None if there is none.

        A thread keeps its first reading. A new thread, or a place, has its club's current reading.
        """
        if not thread.about:
            return await self._readings.current(scope=thread.scope, place=thread.place, session_of=thread.session)
        try:
            return await self._readings.get(thread.about)
        except BookError:
            return None

    async def use(self, thread: Thread, *, book_id: str) -> Reading:
        """Make a book the current reading of the thread's club, and return that reading."""
        return await self._readings.get_or_create(scope=thread.scope, place=thread.place, book_id=book_id)

    async def open(self, thread: Thread, *, book_id: str) -> Conversation:
        """Make a book the current reading of the thread's club, and return the thread's conversation about it."""
        return await self._about(thread, await self.use(thread, book_id=book_id))

    async def current(self, thread: Thread) -> Conversation | None:
        """Return the thread's conversation about its reading; None if it has no reading."""
        state = await self.state(thread)
        return None if state is None else state.conversation

    async def state(self, thread: Thread) -> ThreadState | None:
        """Return the state of a thread, and create its conversation if needed; None if it has no reading."""
        there = await self._state(thread)
        if there is not None:
            return there
        reading = await self.reading(thread)
        if reading is None:
            return None
        await self._about(thread, reading)
        return await self._state(thread)

    async def club(self, thread: Thread, member_id: str = "", *, of_club: bool = False) -> ClubState:
        """Return the state of a thread's club: its reading and everyone's pages.

        Args:
            thread: the thread.
            member_id: the member whose own page and copy are included.
            of_club: whether to return the club's own page and not the thread's.

        Raises:
            ThusfarError: the club has no book.
        """
        there = await self._club(thread, member_id, of_club=of_club)
        if there is None:  # nothing is read, or this is the thread's first command
            reading = await self.reading(thread)
            if reading is not None:
                await self._about(thread, reading)
                there = await self._club(thread, member_id, of_club=of_club)
        if there is None:
            raise ThusfarError(await self.why_no_book(thread))
        return there

    async def place(self, thread: Thread) -> PlaceState | None:
        """Return the current reading and page of the thread's place; None if it has no reading."""
        return await self._threads.place(scope=thread.scope, place=thread.place)

    async def why_no_book(self, thread: Thread) -> str:
        """Return the sentence for a club without a book: it never had one, or its book was removed."""
        removed = await self._readings.removed_title(scope=thread.scope, place=thread.place, session_of=thread.session)
        return no_book(removed, alone=is_direct(thread.scope))

    async def _club(self, thread: Thread, member_id: str, *, of_club: bool) -> ClubState | None:
        return await self._threads.club(thread, member_id=member_id, now=self._clock.now(), of_club=of_club)

    async def _about(self, thread: Thread, reading: Reading) -> Conversation:
        session_id = f"{thread.session}{reading.reading_id}"
        return await self._conversations.get_or_create(session_id=session_id, reading_id=reading.reading_id)

    async def _state(self, thread: Thread) -> ThreadState | None:
        return await self._threads.current(
            scope=thread.scope, place=thread.place, session_of=thread.session, about=thread.about
        )


class ThreadTitles:
    """Makes titles of threads: the book, who asks, and the person or chapter that they ask about."""

    def __init__(self, *, threads: ThreadService, books: BookTexts, shelf: PageCache, clock: Clock) -> None:
        self._threads = threads
        self._books = books
        self._shelf = shelf
        self._clock = clock

    async def of(self, thread: Thread, asker: Author, question: str = "") -> str | None:
        """Return the title of a new thread in a place; None if the place has no book."""
        state = await self._threads.place(thread)
        if state is None:
            return None
        now, about = self._clock.now(), ""
        if question:
            position = state.standing.public(now)
            read = await ReadBook(books=self._books, book=state.book, position=position, shelf=self._shelf).text()
            about = await asyncio.to_thread(asked_about, question, read)
        title, name = in_a_name(state.book.title), in_a_name(asker.display_name, longest=_LONGEST_NAME)
        if not about:
            day = f"{now.day} {now:%b}"
            return say("{title}: {name} asks, {day}", title=title, name=name, day=day)
        about = in_a_name(about, longest=_LONGEST_NAME)
        return say("{title}: {name} asks about {about}", title=title, name=name, about=about)


def in_a_name(text: str, *, longest: int = _LONGEST_BOOK) -> str:
    """Return a text for a thread's title: without mark-up and mentions, and shortened to `longest` characters."""
    plain = plain_name(_MARKUP.sub("", text))
    return plain if len(plain) <= longest else f"{plain[: longest - 1].rstrip()}…"


def asked_about(question: str, read: ReadText) -> str:
    """Return the first person in a question who has been met, as the book spells the name, else the chapter begun.

    Empty if the question has neither. Unread names and other words of the question are never returned.
    """
    return _name(question, read) or _chapter(question, read)


def _name(question: str, read: ReadText) -> str:
    met = (find_name(read, without_title(named)) for named in names_in(question))
    return next((each.name for each in met if each is not None and not stands_small(read, each.name)), "")


def _chapter(question: str, read: ReadText) -> str:
    pages = next((each for each in chapters_named(question, read) if each), range(0))
    begun = (chapter for chapter in read.chapters if chapter.first_page in pages[:1])
    numbers = map(shown_number, begun)
    return next((say("chapter {number}", number=each) for each in numbers), "")
