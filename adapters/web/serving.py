"""Serves the page on this machine only, until told to stop."""

import contextlib
import os
import secrets
import socket
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import uvicorn
from typing_extensions import override

from adapters.web.app import Site
from adapters.web.bookshelf import Bookshelf
from adapters.web.gate import Keys
from adapters.web.room import Room

LOOPBACK: Final = "127.0.0.1"
USUAL_PORT: Final = 8418
_SECRET_BYTES: Final = 32
_LAST_WORDS_S: Final = 2.0
_IN_THE_TERMINAL: Final = frozenset({"www-browser", "links", "elinks", "lynx", "w3m"})


class WebServer:
    """One server at `address`; `link` opens the page."""

    def __init__(self, room: Room, shelf: Bookshelf, *, keys: Keys, listening: socket.socket) -> None:
        port = listening.getsockname()[1]
        self.address = f"http://{LOOPBACK}:{port}/"
        self.link = f"{self.address}?key={keys.token}"
        self.room = room
        self.shelf = shelf
        self._listening = listening
        self._server = _Server(
            uvicorn.Config(
                Site(room, shelf).app(keys, port=port),
                log_level="warning",
                access_log=False,
                log_config=None,
                lifespan="off",
                ws="none",
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=int(_LAST_WORDS_S),
            )
        )

    async def serve(self, opened: Callable[[], None]) -> None:
        """Serve until `stop`; `opened` is called when the page can be opened."""
        self._server.opened = opened
        try:
            await self._server.serve(sockets=[self._listening])
        finally:
            await self.room.close(within=_LAST_WORDS_S)

    def stop(self) -> None:
        """Let running requests end, and close the tabs' streams."""
        self.room.talk.close()
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """Leaves signal handling to the program, and reports when it is ready."""

    opened: Callable[[], None] = staticmethod(lambda: None)

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.opened()


def listening_socket(port: int | None) -> socket.socket:
    """Return a local socket: on the requested port, else on the default port, else on any free one.

    Raises:
        OSError: the requested port is taken.
    """
    for wanted in (USUAL_PORT, 0) if port is None else (port,):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if os.name != "nt":  # on Windows this would let another process take the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((LOOPBACK, wanted))
        except OSError:
            made.close()
            if wanted == 0 or port is not None:
                raise
        else:
            return made
    raise OSError("no port is free")


def kept_secret(path: Path) -> bytes:
    """Return the secret from a file, which is created if needed; only the home's owner can read it."""
    with contextlib.suppress(OSError):
        kept = path.read_bytes()
        if len(kept) == _SECRET_BYTES:
            return kept
    made = secrets.token_bytes(_SECRET_BYTES)
    with contextlib.suppress(OSError):  # without the file, a restart needs the new link
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(made)
    return made


def open_in_browser(link: str) -> None:
    """Open a link in the user's browser, if there is a graphical one."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    if getattr(browser, "name", "") not in _IN_THE_TERMINAL:
        browser.open(link)
