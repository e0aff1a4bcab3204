"""An application that serves its page on this machine, and a tab without a browser that records what it gets."""

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import aiohttp

from adapters.web.serving import WebServer, listening_socket
from adapters.web.surface import THREAD
from bot.browsing import local_server
from bot.settings import Settings
from bot.wiring import Application, build
from tests.patience import PATIENCE_S

_PREBUILT = Path(__file__).resolve().parents[3] / "fixtures" / "sample" / "prebuilt.db"


class Tab:
    """One tab, in which the link was opened; `got` is everything it received, decoded."""

    def __init__(self, server: WebServer, session: aiohttp.ClientSession) -> None:
        self.origin = server.address.rstrip("/")
        self.got: list[str] = []
        self.events: list[tuple[str, dict[str, Any]]] = []
        self._came = asyncio.Event()
        self._session = session
        self._listening: asyncio.Task[None] | None = None

    async def get(self, path: str, *, status: int = 200) -> str:
        async with self._session.get(f"{self.origin}{path}", headers={"Accept": "text/html"}) as response:
            assert response.status == status, await response.text()
            return self._kept(await response.text())

    async def post(self, path: str, *, status: int | None = None, **what: Any) -> dict[str, Any]:
        headers = {"Origin": self.origin}
        async with self._session.post(f"{self.origin}{path}", json=what, headers=headers) as response:
            assert status is None or response.status == status, await response.text()
            text = self._kept(await response.text())
        told = json.loads(text)
        assert isinstance(told, dict)
        self._keep_strings(told)
        return told

    async def drop(self, name: str, content: bytes) -> str:
        """Drop a file on the page of books; return the outcome as HTML."""
        headers = {"Origin": self.origin}
        address = f"{self.origin}/books"
        async with self._session.put(address, params={"name": name}, data=content, headers=headers) as response:
            told = await response.json()
        self._keep_strings(told)
        return str(told["html"])

    async def listen(self) -> Self:
        """Listen to the server's events from now on."""
        self._listening = asyncio.create_task(self._hear())
        await self.heard("hello")
        return self

    async def close(self) -> None:
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.gather(self._listening, return_exceptions=True)

    async def heard(self, name: str, holding: str = "") -> dict[str, Any]:
        """Wait for an event whose data contain a text."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for event, data in self.events:
                    if event == name and holding in json.dumps(data, ensure_ascii=False):
                        return data
                self._came.clear()
                await self._came.wait()

    async def _hear(self) -> None:
        timeout = aiohttp.ClientTimeout(total=None)
        async with self._session.get(f"{self.origin}/events", timeout=timeout) as response:
            name = ""
            async for raw in response.content:
                line = raw.decode().rstrip("\n")
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    data = json.loads(self._kept(line.removeprefix("data: ")))
                    self._keep_strings(data)
                    self.events.append((name, data))
                    self._came.set()

    def _kept(self, text: str) -> str:
        self.got.append(text)
        return text

    def _keep_strings(self, value: object) -> None:
        self.got.extend(html.unescape(each) for each in _strings(value))


class Served:
    """An application, its page, and its tabs."""

    def __init__(self, thusfar: Application, server: WebServer) -> None:
        self.thusfar = thusfar
        self.server = server
        self.room = server.room
        self.port = urlsplit(server.address).port
        self._tabs: list[Tab] = []
        self._sessions: list[aiohttp.ClientSession] = []
        self._browser: aiohttp.ClientSession | None = None

    def session(self) -> aiohttp.ClientSession:
        """Return a new browser."""
        # A connection each request: one that is kept may be closed by the server just as the next request is sent.
        connector = aiohttp.TCPConnector(force_close=True)
        made = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._sessions.append(made)
        return made

    async def tab(self) -> Tab:
        """Return a tab of the browser in which the link was opened."""
        self._browser = session = self._browser or self.session()
        async with session.get(self.server.link) as response:
            assert response.status == 200
        made = Tab(self.server, session)
        self._tabs.append(made)
        return made

    async def say(self, tab: Tab, text: str, **more: Any) -> str:
        """Say something, and return its finished entry as HTML."""
        told = await tab.post("/say", text=text, **more)
        await self.idle()
        entry = self.room.talk.get(told["id"])
        assert entry is not None
        return self.room.html_of(entry)

    async def idle(self) -> None:
        """Wait until no work is running."""
        async with asyncio.timeout(PATIENCE_S):
            await self.room._tasks.idle()

    async def position(self) -> int | None:
        return (await self.thusfar.threads.club(THREAD)).page_of_all

    async def close(self) -> None:
        for tab in self._tabs:
            await tab.close()
        for session in self._sessions:
            await session.close()


@asynccontextmanager
async def served(home: Path, *, port: int = 0) -> AsyncIterator[Served]:
    """Serve the page of a home whose sample is open."""
    thusfar = build(Settings(thusfar_home=home))
    book = await thusfar.library.find(scope="local", name="Short Weight")
    await thusfar.threads.open(THREAD, book_id=book.book_id)
    try:
        async with served_by(thusfar, port=port) as house:
            yield house
    finally:
        await thusfar.close()


@asynccontextmanager
async def served_by(thusfar: Application, *, port: int = 0) -> AsyncIterator[Served]:
    """Serve the page of an application."""
    with listening_socket(port) as listening:
        server = local_server(thusfar, listening)
        opened = asyncio.Event()
        serving = asyncio.create_task(server.serve(opened.set))
        await opened.wait()
        house = Served(thusfar, server)
        try:
            yield house
        finally:
            server.stop()
            await house.close()
            await serving


def prepared(home: Path) -> Path:
    """Make a home with the sample, ready to be read."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "thusfar.db").write_bytes(_PREBUILT.read_bytes())
    return home


def buttons(entry: str) -> dict[str, str]:
    """Return what the buttons of an entry send, by their labels."""
    found = re.findall(r'data-button="([^"]*)"[^>]*>([^<]*)<', entry)
    return {html.unescape(label): html.unescape(button) for button, label in found}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
