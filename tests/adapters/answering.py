"""An AnswerMessage that says what a test wants, when it wants."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.app.answer_message import AnswerMessage
from core.app.thread_titles import ThreadTitles
from core.domain.chat_event import ChatEvent, EventSink
from core.domain.conversation import Author
from core.domain.question import IncomingMessage, Reply
from core.domain.thread import Thread


class ScriptedAnswers(AnswerMessage):
    """Answers every message with `text`, after these events; `held` texts wait until they are released."""

    def __init__(self, text: str = "An answer.", *, events: Sequence[ChatEvent] = (), held: Sequence[str] = ()) -> None:
        self._text = text
        self._events = events
        self._held = {words: asyncio.Event() for words in held}
        self._error: Exception | None = None
        self._heard = asyncio.Condition()
        self.asked: list[IncomingMessage] = []
        self.answered: list[str] = []

    async def execute(self, message: IncomingMessage, on_event: EventSink | None = None) -> Reply:
        self.asked.append(message)
        async with self._heard:
            self._heard.notify_all()
        for event in self._events:
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
        async with asyncio.timeout(5), self._heard:
            await self._heard.wait_for(lambda: len(self.asked) >= count)

    def instead_of(self, services: PlatformServices) -> PlatformServices:
        """The services with this in place of core's own; a thread is opened also where nothing is read."""
        return replace(services, answer_message=self, thread_titles=_AnyBook())


class _AnyBook(ThreadTitles):
    def __init__(self) -> None:
        """Whatever is read."""

    async def of(self, thread: Thread, asker: Author) -> str | None:
        return "A book"
