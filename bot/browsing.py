"""Builds the browser page and serves it until stopped."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Final

from adapters.persistence.conversations import SqlChatMessageRepository
from adapters.platform.uploads import BookShelf
from adapters.web.bookshelf import Bookshelf
from adapters.web.gate import Keys
from adapters.web.room import Room, RoomServices
from adapters.web.serving import WebServer, kept_secret
from bot.monitoring import monitored
from bot.platforms import platform_services
from bot.serving import complete_books, forget_old_talk, told_to_stop, warm_up
from bot.wiring import Application
from core.club.browser.reader_view import AnswersAtPages, EarlierTalk, ReaderView
from core.domain.errors import ThusfarError
from core.domain.scopes import LOCAL_SCOPE

_log = logging.getLogger(__name__)

_KEPT_IN: Final = "web.key"


def local_server(thusfar: Application, listening: socket.socket) -> WebServer:
    """Return the server of the page at a socket."""
    books = thusfar.books
    room = Room(
        RoomServices(
            platform=platform_services(thusfar),
            threads=thusfar.threads,
            library=thusfar.library,
            reader_view=ReaderView(books=books, shelf=thusfar.quoting.shelf),
            at_pages=AnswersAtPages(ask=thusfar.ask),
            earlier_talk=EarlierTalk(messages=SqlChatMessageRepository(thusfar.database), books=books),
            exports=thusfar.settings.thusfar_home.resolve() / "exports",
        )
    )
    most_bytes = thusfar.settings.max_book_megabytes * 1_000_000
    shelf = Bookshelf(room, BookShelf(thusfar.clubs().book_commands, most_bytes=most_bytes))
    keys = Keys(secret=kept_secret(thusfar.settings.thusfar_home.resolve() / _KEPT_IN))
    return WebServer(room, shelf, keys=keys, listening=listening)


async def serve_locally(thusfar: Application, server: WebServer, opened: Callable[[], None]) -> None:
    """Serve until SIGTERM or SIGINT; finish unfinished imports in the background."""
    async with monitored(thusfar, {}), told_to_stop() as stopping:
        looking_after = asyncio.create_task(_look_after(thusfar))
        waiting = asyncio.create_task(_stopped(stopping, server))
        try:
            await server.serve(opened)
        finally:
            for task in (looking_after, waiting):
                task.cancel()
            await asyncio.gather(looking_after, waiting, return_exceptions=True)


async def _stopped(stopping: asyncio.Event, server: WebServer) -> None:
    await stopping.wait()
    server.stop()


async def _look_after(thusfar: Application) -> None:
    """Load what the first question needs, finish interrupted imports, and delete old talk."""
    await warm_up(thusfar)
    try:
        await forget_old_talk(thusfar)
        await complete_books(thusfar, LOCAL_SCOPE)
    except ThusfarError as error:
        _log.warning("The database could not be looked after: %s", error)
