"""What is done with a human's message before it is a question: is it for us, and who spoke?

And what becomes of it afterwards: it waits, or is edited or deleted on its platform.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from core.answering.threads import ThreadService
from core.club.watch.watching import PostWatch
from core.domain.conversation import AskedAs, ChatMessage, Line, Role
from core.domain.position import is_newly_present
from core.domain.question import IncomingMessage
from core.domain.reading import ListeningRule, ReadingState
from core.domain.thread import Thread, ThreadState
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.guard import Guard
from core.understanding.listening import (
    Addressing,
    AddressingVerdict,
    RecentLines,
    is_addressed,
    judge,
    line_of,
    listens,
)
from core.understanding.talk_signals import LOOKED_BACK

_MOST_WAITING: Final = 500
_WAITS_S: Final = 3_600


class AddressingService:
    """Decides whether a message is answered, and follows what becomes of it on its platform.

    `has_model`: a model answers, and may say of what is in doubt that nobody asked. Without one, doubt is silence.
    `watch` is shown what is said to nobody of us, in clubs that want that.
    `overheard` is what was said of late, `waiting` are the questions that wait for somebody to say how far is read.
    """

    def __init__(
        self,
        *,
        threads: ThreadService,
        presence: "Presence",
        kept: "KeptMessages",
        recent_lines: RecentLines,
        waiting: "WaitingQuestions",
        watch: PostWatch | None = None,
        has_model: bool = False,
    ) -> None:
        self._threads = threads
        self._presence = presence
        self._kept = kept
        self._watch = watch
        self._has_model = has_model
        self._recent_lines = recent_lines
        self.waiting = waiting

    async def hear(self, message: IncomingMessage, heard: Addressing) -> AskedAs:
        """Return whether the bot is asked something; a member who speaks in a thread about a book is noted as present.

        Of what is said to the bot itself nothing need be looked up: who asks is noted when the turn begins.
        """
        thread, line = message.thread, line_of(heard, message.text, message.author.display_name)
        state: ThreadState | None = None
        if not is_addressed(heard) and thread.thread:
            state = await self._in_passing(message, heard)
        hearing = ListeningRule() if state is None else state.hearing
        before = self._recent_lines.before(thread, message.ref)
        if heard.in_thread:
            self._recent_lines.add(thread, line, ref=message.ref)
        asked = AskedAs.NO
        if is_addressed(heard) or listens(heard, hearing):
            asked = self._settled(judge(line, before, listen=hearing.listen, direct=heard.is_direct))
        if asked in {AskedAs.LIKELY, AskedAs.YES}:
            self._recent_lines.ask(thread, message.ref)
        self._show(message, asked, state, before)
        return asked

    def answered(self, message: IncomingMessage, text: str) -> None:
        """Note what the bot said to a message, in the thread in which it stands: what follows may be about it."""
        if not self._recent_lines.before(message.thread):
            asked = Line(text=message.text, author=message.author.display_name, mentions_bot=True)
            self._recent_lines.add(message.thread, asked, ref=message.ref)
        self._recent_lines.add(message.thread, Line(text=text, is_bot=True))

    async def waits(self, message: IncomingMessage) -> None:
        """Keep a question until somebody has said how far is read in the book that it is about."""
        reading = await self._threads.reading(message.thread)
        self.waiting.add(replace(message, about=reading.reading_id if reading is not None else ""))

    async def answer_waiting(self, place: Thread, answer: Callable[[IncomingMessage], Awaitable[bool]]) -> None:
        """Answer what waits in a place and its threads; what was asked about another book is answered no more.

        What `answer` returns False for waits on, and where it raises, all that is left. Raises StorageError.
        """
        left = self.waiting.take(place)
        try:
            for message in list(left):
                reading = await self._threads.reading(message.thread)
                is_wanted = reading is not None and message.about in {"", reading.reading_id}
                if not is_wanted or await answer(message):
                    left.remove(message)
        finally:
            for message in left:
                self.waiting.add(message)

    async def _in_passing(self, message: IncomingMessage, heard: Addressing) -> ThreadState | None:
        """Return what is known of the thread of what is said to nobody in particular; its author is present."""
        thread = message.thread
        state = await self._threads.state(thread)
        if state is None:
            return None
        await self._presence.note(state.standing, message.author.member_id)
        if listens(heard, state.hearing) and not self._recent_lines.knows(thread):
            await self._recall(thread, state.conversation.conversation_id, message.ref)
        return state

    async def _recall(self, thread: Thread, conversation_id: str, ref: str | None) -> None:
        """Take what was asked and answered in a thread from what is stored: after a restart nothing else is known."""
        for said in await self._kept.latest(conversation_id, most=LOOKED_BACK):
            if ref is not None and said.platform_ref == ref:
                return
            is_bot, author = said.role is Role.ASSISTANT, said.author.display_name if said.author else ""
            line = Line(text=said.content, author=author, is_bot=is_bot, mentions_bot=not is_bot)
            self._recent_lines.add(thread, line, ref=said.platform_ref)
            if not is_bot:
                self._recent_lines.ask(thread, said.platform_ref)

    async def opened_thread(self, thread: Thread, member_id: str) -> None:
        """Note that whoever opens a thread at a place is present there, also where they ask nothing yet."""
        state = await self._threads.place(thread)
        if state is not None:
            await self._presence.note(state.standing, member_id)

    async def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one; no new turn comes of it."""
        self._recent_lines.replace_text(ref, text)
        self.waiting.edited(ref, text)
        await self._kept.edited(ref, text)

    async def deleted(self, ref: str) -> None:
        """Empty what was deleted on the platform."""
        self._recent_lines.replace_text(ref, "")
        self.waiting.deleted(ref)
        await self._kept.deleted(ref)

    def _show(
        self, message: IncomingMessage, asked: AskedAs, state: ThreadState | None, before: Sequence[Line]
    ) -> None:
        """Show a post that asks us nothing to whoever looks at posts; what may is most often talk, by its form."""
        is_talk = asked is AskedAs.NO or (asked is AskedAs.PERHAPS and "?" not in message.text)
        if is_talk and state is not None and self._watch is not None:
            self._watch.see(message, state, [one.author for one in before])

    def _settled(self, judged: AddressingVerdict) -> AskedAs:
        return AskedAs.NO if judged.asked is AskedAs.PERHAPS and not self._has_model else judged.asked


class Presence:
    """Notes who is present in threads about a book."""

    def __init__(self, *, clubs: ClubRepository, clock: Clock) -> None:
        self._clubs = clubs
        self._clock = clock

    async def note(self, standing: ReadingState, member_id: str) -> None:
        """Note that a member speaks there, where they have not for a while."""
        now = self._clock.now()
        spoke = next((m.last_spoke_at for m in standing.members if m.member_id == member_id), None)
        if is_newly_present(spoke, now):
            await self._clubs.spoke(standing.reading.reading_id, member_id, now)


class WaitingQuestions:
    """Questions that came before anybody had said how far is read; each is answered once somebody has.

    The latest of each thread, for an hour at most; a restart forgets them.
    """

    def __init__(self) -> None:
        self._of: TTLCache[Thread, IncomingMessage] = TTLCache(maxsize=_MOST_WAITING, ttl=_WAITS_S)

    def add(self, message: IncomingMessage) -> None:
        """Keep a question, in place of what was asked in its thread before."""
        self._of[message.thread] = message

    def take(self, place: Thread) -> list[IncomingMessage]:
        """Return what waits in a place and its threads, and keep it no longer."""
        found = [each for each in self._of.values() if replace(each.thread, thread="") == replace(place, thread="")]
        for message in found:
            self._of.pop(message.thread, None)
        return found

    def edited(self, ref: str, text: str) -> None:
        """Put the new text in place of the old one."""
        for thread, message in list(self._of.items()):
            if message.ref == ref:
                self._of[thread] = replace(message, text=text)

    def deleted(self, ref: str) -> None:
        """Keep no longer what was taken back."""
        for thread, message in list(self._of.items()):
            if message.ref == ref:
                del self._of[thread]


class KeptMessages:
    """Follows what becomes, on its platform, of a message that is kept here: it is edited, or deleted."""

    def __init__(
        self,
        *,
        messages: ChatMessageRepository,
        conversations: ConversationRepository,
        books: BookRepository,
        guard: Guard,
    ) -> None:
        self._messages = messages
        self._conversations = conversations
        self._books = books
        self._guard = guard

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return what was asked and answered last, oldest first: for what decides when to speak alone."""
        return await self._messages.latest(conversation_id, most=most)

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
