"""Places where one person talks with the bot alone: the terminal, the browser, a DM."""

import asyncio
import html
import io
import json
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, redirect_stdout

from adapters.terminal.lines import PipeLines
from adapters.terminal.repl import TerminalChat
from adapters.terminal.surface import THREAD as IN_TERMINAL
from adapters.web.surface import THREAD as IN_BROWSER
from bot.platforms import platform_services
from bot.wiring import Application
from core.domain.book import Book
from core.domain.position import Position
from core.domain.thread import Thread
from tests.adapters.platform.stages import Bot, Message, Stage
from tests.adapters.web.rooms import Served, Tab, buttons, served_by
from tests.patience import PATIENCE_S
from tests.platform_servers.markup import as_read


class Alone(ABC):
    """One person who talks with the bot; `place` is core's place of the conversation."""

    place: Thread

    @abstractmethod
    async def say(self, text: str) -> str:
        """Say something, and return the replies when it is done."""

    @abstractmethod
    async def choose(self, label: str) -> str:
        """Press the button with a label, and return the replies."""

    async def page(self, house: Application) -> Position:
        """Return the current page."""
        return (await house.threads.club(self.place)).page_of_all


class _TypedLines(PipeLines):
    """Lines that a test types; `waits` is set while the next one is awaited."""

    def __init__(self) -> None:
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        self.waits = asyncio.Event()

    async def next(self, prompt: str) -> str | None:
        self.waits.set()
        return await self._typed.get()

    async def type(self, line: str) -> None:
        """Type a line, and wait until it is done."""
        async with asyncio.timeout(PATIENCE_S):
            await self.waits.wait()
            self.waits.clear()
            self._typed.put_nowait(line)
            await self.waits.wait()


class InTerminal(Alone):
    """The terminal; replies are the printed text and the lines on stderr."""

    place = IN_TERMINAL

    def __init__(self, lines: _TypedLines, shown: io.StringIO) -> None:
        self._lines = lines
        self._shown = shown

    async def say(self, text: str) -> str:
        before = self._shown.tell()
        with redirect_stdout(self._shown):
            await self._lines.type(text)
        return as_read(self._shown.getvalue()[before:])

    async def choose(self, label: str) -> str:
        return await self.say(re.findall(rf"(/\d+): {re.escape(label)}\n", self._shown.getvalue())[-1])


class InBrowser(Alone):
    """The browser; replies are what is new in the talk, as a tab shows it."""

    place = IN_BROWSER

    def __init__(self, served: Served, tab: Tab) -> None:
        self._served = served
        self._tab = tab

    async def say(self, text: str) -> str:
        before = await self._parts()
        await self._served.say(self._tab, text)
        return await self._since(before)

    async def choose(self, label: str) -> str:
        before = await self._parts()
        offered = buttons(json.loads(await self._tab.get("/talk"))["html"])
        await self._tab.post("/press", button=offered[label], entry="")
        await self._served.idle()
        return await self._since(before)

    async def _since(self, before: Counter[str]) -> str:
        return "\n".join((await self._parts() - before).elements())

    async def _parts(self) -> Counter[str]:
        entries = json.loads(await self._tab.get("/talk"))["html"].split("</article>")
        parts = [part for entry in entries for part in entry.split('class="part ')[1:]]
        return Counter(html.unescape(re.sub("<[^>]*>", "", part.partition(">")[2])) for part in parts)


class InDirectMessages(Alone):
    """A DM with Ada; replies are the bot's messages to her."""

    def __init__(self, stage: Stage, bot: Bot) -> None:
        self._stage = stage
        self._bot = bot
        self.place = stage.place_of(stage.server.dm(stage.club.ada))

    async def say(self, text: str) -> str:
        before = len(self._told())
        self._stage.say_alone(text, by=self._stage.club.ada)
        return await self._since(before)

    async def choose(self, label: str) -> str:
        before = len(self._told())
        offer = next(one for one in reversed(self._told()) if label in self._stage.labels(one))
        button = self._stage.pressable(offer)[self._stage.labels(offer).index(label)]
        await self._stage.over(self._stage.press(button, offer, by=self._stage.club.ada), self._bot)
        return await self._since(before)

    async def _since(self, before: int) -> str:
        await self._stage.wait_for(lambda: len(self._told()) > before)
        await self._bot.settled()
        return "\n".join(one.content for one in self._told()[before:])

    def _told(self) -> Sequence[Message]:
        return self._stage.told(self._stage.club.ada)


@asynccontextmanager
async def in_terminal(house: Application, book: Book) -> AsyncIterator[Alone]:
    """Talk at a terminal."""
    lines, shown = _TypedLines(), io.StringIO()
    chat = TerminalChat(
        services=platform_services(house),
        positions=house.clubs().positions,
        threads=house.threads,
        library=house.library,
        lines=lines,
        say=lambda sentence: print(sentence, file=shown),
        folder=house.settings.thusfar_home,
    )
    talking = asyncio.create_task(chat.run(book))
    try:
        yield InTerminal(lines, shown)
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)


@asynccontextmanager
async def in_browser(house: Application, book: Book) -> AsyncIterator[Alone]:
    """Talk on the page in the browser."""
    await house.threads.open(IN_BROWSER, book_id=book.book_id)
    async with served_by(house) as served:
        yield InBrowser(served, await served.tab())


@asynccontextmanager
async def in_direct_messages(house: Application, stage: Stage, book: Book) -> AsyncIterator[Alone]:
    """Talk in a DM."""
    async with stage.running(platform_services(house)) as bot:
        alone = InDirectMessages(stage, bot)
        own = (await house.library.share(book.book_id, scope=alone.place.scope)).book
        await house.threads.open(alone.place, book_id=own.book_id)
        yield alone
