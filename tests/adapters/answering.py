"""An AnswerMessage that a test scripts and holds back."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.answering.answer_message import AnswerMessage
from core.answering.threads import ThreadTitles
from core.club.hearing.addressing import AddressingService
from core.domain.chat_event import ChatEvent, EventSink
from core.domain.conversation import Author
from core.domain.question import IncomingMessage, Reply
from core.domain.reading import Listen, ListeningRule
from core.domain.thread import Thread
from core.domain.understanding import Intent, Understanding
from core.understanding.listening import Addressing, line_of, listens
from core.understanding.understand import understand
from tests.patience import PATIENCE_S


class ScriptedAnswers(AnswerMessage):
    """Answers every message with `text`, after these events; questions in `held` wait until they are released."""

    def __init__(self, text: str = "An answer.", *, events: Sequence[ChatEvent] = (), held: Sequence[str] = ()) -> None:
        self._text = text
        self.events = events
        self._held = {words: asyncio.Event() for words in held}
        self._error: Exception | None = None
        self._heard = asyncio.Condition()
        self.asked: list[IncomingMessage] = []
        self.answered: list[str] = []
        self.sink: EventSink | None = None

    @property
    def texts(self) -> list[str]:
        """The questions so far, in order."""
        return [message.text for message in self.asked]

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        self.asked.append(message)
        self.sink = on_event
        async with self._heard:
            self._heard.notify_all()
        for event in self.events:
            if on_event is not None:
                on_event(event)
        if message.text in self._held:
            await self._held[message.text].wait()
        if self._error is not None:
            raise self._error
        self.answered.append(message.text)
        return Reply(
            text=self._text.format(asked=message.text),
            turn_id=len(self.answered),
            position=2,
            footer="up to p. 2",
            rests_on_book=True,
        )

    async def again(self, message: IncomingMessage, reply: Reply) -> Reply:
        return reply

    def hold(self, words: str) -> None:
        self._held[words] = asyncio.Event()

    def release(self, words: str) -> None:
        self._held[words].set()

    def fail_with(self, error: Exception) -> None:
        self._error = error

    async def was_asked(self, count: int = 1) -> None:
        async with asyncio.timeout(PATIENCE_S), self._heard:
            await self._heard.wait_for(lambda: len(self.asked) >= count)

    def instead_of(self, services: PlatformServices, *, every_line: bool = True) -> PlatformServices:
        """The services with this in place of core's own; a thread is opened even without a current book.

        With `every_line` it answers every message that isn't for someone else, as after `listen all`, so a test can
        use any words.
        """
        seen = replace(services, answer_message=self, thread_titles=_AnyBook())
        return replace(seen, addressing=_EveryLine(services.addressing)) if every_line else seen


class _EveryLine(AddressingService):
    def __init__(self, own: AddressingService) -> None:
        """Wrap core's own service."""
        self._own = own
        self.waiting = own.waiting

    async def hear(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        meaning = await self._own.hear(message, heard)
        if not listens(heard, ListeningRule(listen=Listen.ALL)):
            return replace(meaning, intent=Intent.FACT)
        line = line_of(heard, message.text, message.author.display_name)
        return replace(understand(line, listen=Listen.ALL), intent=Intent.FACT)

    async def understood(self, message: IncomingMessage, heard: Addressing) -> Understanding:
        return replace(await self._own.understood(message, heard), intent=Intent.FACT)

    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)

    async def opened_thread(self, thread: Thread, member_id: str) -> None:
        await self._own.opened_thread(thread, member_id)

    async def edited(self, ref: str, text: str) -> None:
        await self._own.edited(ref, text)

    async def deleted(self, ref: str) -> None:
        await self._own.deleted(ref)


class _AnyBook(ThreadTitles):
    def __init__(self) -> None:
        """Whatever is read."""

    async def of(self, thread: Thread, asker: Author, question: str = "") -> str | None:
        return "A book"
