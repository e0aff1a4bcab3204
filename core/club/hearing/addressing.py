"""Decides whether a message asks the bot something, and notes who is present.

Also keeps questions that wait for a page, and follows edits and deletions on the platform.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from core.answering.running_turns import RunningTurns
from core.answering.threads import ThreadService
from core.club.watch.watching import PostWatch
from core.domain.conversation import AskedAs, ChatMessage, Line, Role
from core.domain.messages import asks_position
from core.domain.position import is_newly_present
from core.domain.question import IncomingMessage
from core.domain.reading import ListeningRule, ReadingState
from core.domain.thread import Thread, ThreadState
from core.domain.understanding import NOBODY_ASKED, Intent, Understanding
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.conversations import ChatMessageRepository, ConversationRepository
from core.ports.guard import Guard
from core.understanding.classifier import ready
from core.understanding.listening import Addressing, RecentLines, is_addressed, line_of, listens
from core.understanding.said_position import is_position
from core.understanding.talk import LOOKED_BACK
from core.understanding.understand import understand

_MOST_WAITING: Final = 500
_WAITS_S: Final = 3_600
_FIRST_FROM: Final = 0.2
"""So likely for the bot, the first question of a thread that it opened is taken for one."""


class AddressingService:
    """Decides whether a message is answered, and follows its edits and deletions.

    Args:
        threads: finds a thread's state.
        presence: notes who is present.
        kept: the stored messages.
        recent_lines: the latest lines of each thread.
        waiting: the questions that wait until someone sets the page.
        watch: checks messages that do not ask the bot, in clubs that want that; None for no checks.
        running: the turns that this process answers.
        has_model: whether a model answers. It can decide that an unclear message does not ask the bot. Without a model,
            the bot stays silent on unclear messages.
    """

    def __init__(  # noqa: PLR0913 (keyword-only)
        self,
        *,
        threads: ThreadService,
        presence: "Presence",
        kept: "KeptMessages",
        recent_lines: RecentLines,
        waiting: "WaitingQuestions",
        running: RunningTurns,
        watch: PostWatch | None = None,
        has_model: bool = False,
    ) -> None:
        self._threads = threads
        self._presence = presence
        self._kept = kept
        self._watch = watch
        self._running = running
        self._has_model = has_model
        self._recent_lines = recent_lines
        self.waiting = waiting

    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        """Return what a message means; a member who speaks in a thread about a book is noted as present.

        For a message that addresses the bot nothing is looked up: its author is noted when the turn begins.
        """
        thread, line = message.thread, line_of(heard, message.text, message.author.display_name)
        state: ThreadState | None = None
        if not is_addressed(heard) and thread.thread:
            state = await self._note_present(message, heard)
        hearing = ListeningRule() if state is None else state.hearing
        before = self._recent_lines.before(thread, message.ref)
        if heard.in_thread:
            self._recent_lines.add(thread, line, ref=message.ref)
        meaning = NOBODY_ASKED
        if is_addressed(heard) or listens(heard, hearing):
            await ready()
            meaning = self._settled(
                understand(line, before, listen=hearing.listen, direct=heard.is_direct), before, heard
            )
            meaning = _as_asked(line, before, meaning)
        if meaning.addressed is not AskedAs.YES and self._running.answers(thread, message.author.member_id):
            meaning = await _as_stop(line, before, meaning)
        if meaning.addressed in {AskedAs.LIKELY, AskedAs.YES}:
            self._recent_lines.ask(thread, message.ref)
        self._show_to_watch(message, meaning.addressed, state, before)
        return meaning

    def _settled(self, meaning: Understanding, before: Sequence[Line], heard: Addressing) -> Understanding:
        """Return the meaning of a message in doubt as likely for the bot, or not for it; of others as it is.

        The first question of a thread that the bot opened is likely for it. Only a model settles other doubt.
        """
        is_question = meaning.intent.is_about_book
        if is_question and heard.thread_opened_by_bot and not before and meaning.chance >= _FIRST_FROM:
            return meaning if meaning.addressed is AskedAs.YES else replace(meaning, addressed=AskedAs.LIKELY)
        if meaning.addressed is not AskedAs.PERHAPS:
            return meaning
        return meaning if is_question and self._has_model else replace(meaning, addressed=AskedAs.NO)

    async def understood(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        """Return what a message means that another process has found to be for the bot."""
        line = line_of(heard, message.text, message.author.display_name)
        before = self._recent_lines.before(message.thread, message.ref)
        await ready()
        return _as_asked(line, before, understand(line, before, direct=heard.is_direct))

    def answered(self, message: IncomingMessage, text: str) -> None:
        """Note the bot's reply to a message in its thread, since the next messages may refer to it."""
        if not self._recent_lines.before(message.thread):
            asked = Line(text=message.text, author=message.author.display_name, mentions_bot=True)
            self._recent_lines.add(message.thread, asked, ref=message.ref)
        self._recent_lines.add(message.thread, Line(text=text, is_bot=True))

    async def waits(self, message: IncomingMessage) -> None:
        """Keep a question until someone has set the page of the book that it is about."""
        reading = await self._threads.reading(message.thread)
        self.waiting.add(replace(message, about=reading.reading_id if reading is not None else ""))

    async def answer_waiting(self, place: Thread, answer: Callable[[IncomingMessage], Awaitable[bool]]) -> None:
        """Answer the questions that wait in a place and its threads; drop those about another book.

        A question keeps waiting if `answer` returns False for it. If `answer` raises, that question and all after it
        keep waiting.

        Raises:
            StorageError: the database failed.
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

    async def _note_present(self, message: IncomingMessage, heard: Addressing) -> ThreadState | None:
        """Note the author of a message that does not address the bot, and return the state of its thread."""
        thread = message.thread
        state = await self._threads.state(thread)
        if state is None:
            return None
        await self._presence.note(state.standing, message.author.member_id)
        if listens(heard, state.hearing) and not self._recent_lines.knows(thread):
            await self._recall(thread, state.conversation.conversation_id, message.ref)
        return state

    async def _recall(self, thread: Thread, conversation_id: str, ref: str | None) -> None:
        """Load the latest questions and answers of a thread from the store, since a restart loses the recent lines."""
        for said in await self._kept.latest(conversation_id, most=LOOKED_BACK):
            if ref is not None and said.platform_ref == ref:
                return
            is_bot, author = said.role is Role.ASSISTANT, said.author.display_name if said.author else ""
            line = Line(text=said.content, author=author, is_bot=is_bot, mentions_bot=not is_bot)
            self._recent_lines.add(thread, line, ref=said.platform_ref)
            if not is_bot:
                self._recent_lines.ask(thread, said.platform_ref)

    async def opened_thread(self, thread: Thread, member_id: str) -> None:
        """Note the member who opens a thread in a place as present, even before they ask anything."""
        state = await self._threads.place(thread)
        if state is not None:
            await self._presence.note(state.standing, member_id)

    async def edited(self, ref: str, text: str) -> None:
        """Replace the text of an edited message; this starts no new turn."""
        self._recent_lines.replace_text(ref, text)
        self.waiting.edited(ref, text)
        await self._kept.edited(ref, text)

    async def deleted(self, ref: str) -> None:
        """Clear the text of a deleted message."""
        self._recent_lines.replace_text(ref, "")
        self.waiting.deleted(ref)
        await self._kept.deleted(ref)

    def _show_to_watch(
        self, message: IncomingMessage, asked: AskedAs, state: ThreadState | None, before: Sequence[Line]
    ) -> None:
        """Pass a message that does not ask the bot to the watch. An unclear one without "?" counts as conversation."""
        is_talk = asked is AskedAs.NO or (asked is AskedAs.PERHAPS and "?" not in message.text)
        if is_talk and state is not None and self._watch is not None:
            self._watch.see(message, state, [one.author for one in before])


async def _as_stop(line: Line, before: Sequence[Line], meaning: Understanding) -> Understanding:
    """Return what a member means whose question is being answered: "stop" is then said to the bot."""
    await ready()
    told = understand(replace(line, text=line.text.rstrip(" !."), mentions_bot=True), before)
    return told if told.intent is Intent.QUIET else meaning


def _as_asked(line: Line, before: Sequence[Line], meaning: Understanding) -> Understanding:
    """Return what a message means; one that says how far is read, as the bot has just asked, is an answer to it."""
    if not (before and before[-1].is_bot and asks_position(before[-1].text) and is_position(line.text)):
        return meaning
    intent = meaning.intent if meaning.intent is Intent.MY_PAGE else Intent.SET_PAGE
    return replace(meaning, addressed=AskedAs.YES, intent=intent, confidence=1.0, reason="says how far, as asked")


class Presence:
    """Stores when members last spoke in threads about a book."""

    def __init__(self, *, clubs: ClubRepository, clock: Clock) -> None:
        self._clubs = clubs
        self._clock = clock

    async def note(self, standing: ReadingState, member_id: str) -> None:
        """Store that a member speaks, if they have not spoken for a while."""
        now = self._clock.now()
        spoke = next((m.last_spoke_at for m in standing.members if m.member_id == member_id), None)
        if is_newly_present(spoke, now):
            await self._clubs.spoke(standing.reading.reading_id, member_id, now)


class WaitingQuestions:
    """Questions that were asked before the page was set, to be answered once it is.

    Keeps the latest question of each thread, for an hour at most and in memory only.
    """

    def __init__(self) -> None:
        self._by_thread: TTLCache[Thread, IncomingMessage] = TTLCache(maxsize=_MOST_WAITING, ttl=_WAITS_S)

    def add(self, message: IncomingMessage) -> None:
        """Keep a question; it replaces an earlier one in the same thread."""
        self._by_thread[message.thread] = message

    def take(self, place: Thread) -> list[IncomingMessage]:
        """Return the questions of a place and its threads, and remove them."""
        here = replace(place, thread="")
        found = [each for each in self._by_thread.values() if replace(each.thread, thread="") == here]
        for message in found:
            self._by_thread.pop(message.thread, None)
        return found

    def edited(self, ref: str, text: str) -> None:
        """Replace the text of an edited question."""
        for thread, message in list(self._by_thread.items()):
            if message.ref == ref:
                self._by_thread[thread] = replace(message, text=text)

    def deleted(self, ref: str) -> None:
        """Remove a deleted question."""
        for thread, message in list(self._by_thread.items()):
            if message.ref == ref:
                del self._by_thread[thread]


class KeptMessages:
    """Applies edits and deletions on a platform to stored messages."""

    def __init__(
        self,
        *,
        messages: ChatMessageRepository,
        conversations: ConversationRepository,
        books: BookTexts,
        guard: Guard,
    ) -> None:
        self._messages = messages
        self._conversations = conversations
        self._books = books
        self._guard = guard

    async def latest(self, conversation_id: str, *, most: int) -> list[ChatMessage]:
        """Return the latest questions and answers of a conversation, oldest first."""
        return await self._messages.latest(conversation_id, most=most)

    async def edited(self, ref: str, text: str) -> None:
        """Replace the text of a stored message, and let the guard judge it at the same position; starts no turn."""
        said = await self._messages.where_said(ref)
        if said is None:
            return
        conversation_id, position = said
        book = await self._books.get((await self._conversations.get(conversation_id)).book_id)
        reveals_page = await self._guard.revealed_page(text, book=book, position=position)
        await self._messages.replace_text(ref, text, reveals_page=reveals_page)

    async def deleted(self, ref: str) -> None:
        """Clear the text of a deleted message."""
        await self._messages.replace_text(ref, "")
