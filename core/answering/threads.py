"""Finds the conversation of a thread, which is about its first reading for good; and the title of a new one.

A title stands where everybody of a place sees it, also who never opens the thread; and a title that is one thing for a
question about what lies ahead and another for one about what the book never says would tell them apart. So it
is made by one rule for every question, of names and chapters that have been read, and never of its other words.
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
from core.domain.club_state import ClubState
from core.domain.conversation import Author, Conversation
from core.domain.errors import BookError, ThusfarError
from core.domain.messages import no_book, plain_name
from core.domain.numbers import printed_chapter_number
from core.domain.reading import Reading
from core.domain.scopes import is_direct
from core.domain.thread import PlaceState, Thread, ThreadState
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.conversations import ConversationRepository
from core.ports.readings import ReadingRepository
from core.ports.threads import ThreadRepository
from core.understanding.asked_names import names_in

_LONGEST_BOOK: Final = 40
_LONGEST_NAME: Final = 22
"""Of the asker, and of whom they ask about."""
_MARKUP: Final = re.compile(r"[*_~`|<>@#\\\[\]]+")


class ThreadService:
    """Opens threads on books."""

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
        """Return what a thread reads: its first reading, for good; a place, or a new thread, what its club does now."""
        if not thread.about:
            return await self._readings.current(scope=thread.scope, place=thread.place, session_of=thread.session)
        try:
            return await self._readings.get(thread.about)
        except BookError:
            return None

    async def use(self, thread: Thread, *, book_id: str) -> Reading:
        """Make a book what the thread's club reads."""
        return await self._readings.get_or_create(scope=thread.scope, place=thread.place, book_id=book_id)

    async def open(self, thread: Thread, *, book_id: str) -> Conversation:
        """Return the thread's conversation about a book, which becomes what its club reads."""
        return await self._about(thread, await self.use(thread, book_id=book_id))

    async def current(self, thread: Thread) -> Conversation | None:
        """Return the thread's conversation about what it reads; None where that is nothing."""
        state = await self.state(thread)
        return None if state is None else state.conversation

    async def state(self, thread: Thread) -> ThreadState | None:
        """Return all that is known of a thread about what it reads; None where that is nothing."""
        there = await self._state(thread)
        if there is not None:
            return there
        reading = await self.reading(thread)
        if reading is None:
            return None
        await self._about(thread, reading)
        return await self._state(thread)

    async def club(self, thread: Thread, member_id: str = "", *, of_club: bool = False) -> ClubState:
        """Return what a thread's club reads and where everybody stands; what is `of_club` is the reading's alone.

        Raises:
            ThusfarError: nothing is read there.
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
        """Return what the thread's place reads now and where it stands; None where it reads nothing."""
        return await self._threads.place(scope=thread.scope, place=thread.place)

    async def why_no_book(self, thread: Thread) -> str:
        """Return what is said where nothing is read: there never was a book, or it is gone."""
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
    """Names threads by what their place reads, who asks, and whom or which chapter of the pages read they ask about."""

    def __init__(self, *, threads: ThreadService, books: BookRepository, shelf: PageCache, clock: Clock) -> None:
        self._threads = threads
        self._books = books
        self._shelf = shelf
        self._clock = clock

    async def of(self, thread: Thread, asker: Author, question: str = "") -> str | None:
        """Return what a thread that begins in a place is called; None where nothing is read: there is none to open."""
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
    """Return a text as it may stand in a thread's name: no mark-up, nobody called, and not too long."""
    plain = plain_name(_MARKUP.sub("", text))
    return plain if len(plain) <= longest else f"{plain[: longest - 1].rstrip()}…"


def asked_about(question: str, read: ReadText) -> str:
    """Return the first name that has been met, as the book prints it, or else the chapter that has begun.

    Empty where a question has neither: of what has not been read, and of its own words, nothing is returned.
    """
    return _name(question, read) or _chapter(question, read)


def _name(question: str, read: ReadText) -> str:
    met = (find_name(read, without_title(named)) for named in names_in(question))
    return next((each.name for each in met if each is not None and not stands_small(read, each.name)), "")


def _chapter(question: str, read: ReadText) -> str:
    pages = next((each for each in chapters_named(question, read) if each), range(0))
    begun = (chapter for chapter in read.chapters if chapter.first_page in pages[:1])
    numbers = (printed_chapter_number(each.title) or each.number for each in begun)
    return next((say("chapter {number}", number=each) for each in numbers), "")
