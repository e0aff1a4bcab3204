"""Serves the platforms that are configured until told to stop, and looks after the indexes meanwhile."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from adapters.discord.client import ThusfarClient
from adapters.discord.connection import DiscordConnection
from adapters.discord.services import DiscordEmoji, DiscordOptions, DiscordServices
from bot.settings import Settings
from bot.supervise import Backoff, supervise
from bot.wiring import Application, say_to_operator
from core.domain.errors import SettingsError, ThusfarError
from core.domain.scope import LOCAL_SCOPE

_log = logging.getLogger(__name__)

NO_TOKEN: Final = "DISCORD_TOKEN is not set: a bot's token from Discord's developer portal; see the README."  # noqa: S105
_LAST_TURNS_S: Final = 25.0
_LOOK_AFTER_S: Final = 300.0


def discord_options(settings: Settings) -> DiscordOptions:
    """Return how the Discord adapter is to behave.

    Raises:
        SettingsError: there is no token.
    """
    if settings.discord_token is None:
        raise SettingsError(NO_TOKEN)
    return DiscordOptions(
        token=settings.discord_token.get_secret_value().strip(),
        api_base=settings.discord_api_base,
        gateway_url=settings.discord_gateway_url,
        allowed_guilds=settings.discord_guilds,
        allowed_channels=settings.discord_channels,
        organiser_roles=settings.discord_organiser_roles,
        emoji=DiscordEmoji(
            searching=settings.discord_emoji_searching,
            found=settings.discord_emoji_found,
            found_nothing=settings.discord_emoji_found_nothing,
            answered=settings.discord_emoji_answered,
            failed=settings.discord_emoji_failed,
            waiting=settings.discord_emoji_waiting,
        ),
        max_book_bytes=settings.max_book_megabytes * 1_000_000,
        missed_hours=settings.discord_missed_hours,
    )


def discord_services(thusfar: Application) -> DiscordServices:
    """Return what the Discord adapter uses of core."""
    return DiscordServices(
        answer_message=thusfar.answer_message,
        hear_message=thusfar.hear_message,
        commands=thusfar.commands,
        book_commands=thusfar.book_commands,
        answers=thusfar.answers,
        inbox=thusfar.inbox,
    )


async def serve_all(thusfar: Application) -> None:
    """Serve what is configured, which today can be Discord alone.

    Raises:
        SettingsError: nothing is configured, or a platform refuses for good.
    """
    await serve_discord(thusfar)


async def serve_discord(thusfar: Application, *, backoff: Backoff = Backoff()) -> None:  # noqa: B008 (frozen)
    """Serve Discord until SIGTERM or SIGINT, then let the turns under way end.

    Raises:
        SettingsError: there is no token, or Discord refuses for good.
    """
    services, options = discord_services(thusfar), discord_options(thusfar.settings)
    connection = DiscordConnection(
        lambda message_content: ThusfarClient(services, options, message_content=message_content, say=say_to_operator),
        token=options.token,
    )
    async with _told_to_stop() as stopping, _looked_after(thusfar, connection):
        serving = asyncio.create_task(supervise("Discord", connection.attempt, stopping=stopping, backoff=backoff))
        told = asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait([serving, told], return_when=asyncio.FIRST_COMPLETED)
            await connection.finish(within=_LAST_TURNS_S)
        finally:
            told.cancel()
            await connection.close()
            if stopping.is_set() and not serving.done():
                serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


@asynccontextmanager
async def _told_to_stop() -> AsyncIterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set; a second one of them ends the process as ever."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def stop() -> None:
        stopping.set()
        for each in signals:
            loop.remove_signal_handler(each)

    # Windows has no such handlers; there a KeyboardInterrupt ends it.
    with contextlib.suppress(NotImplementedError):
        for each in signals:
            loop.add_signal_handler(each, stop)
    try:
        yield stopping
    finally:
        with contextlib.suppress(NotImplementedError):
            for each in signals:
                loop.remove_signal_handler(each)


@asynccontextmanager
async def _looked_after(thusfar: Application, connection: DiscordConnection) -> AsyncIterator[None]:
    task = asyncio.create_task(_look_after(thusfar, connection))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _look_after(thusfar: Application, connection: DiscordConnection) -> None:
    """Open Chroma before the first question, and make the vectors that an interrupted import left out."""
    if thusfar.chroma is not None:
        await thusfar.chroma.owned()
    while True:
        for scope in (LOCAL_SCOPE, *connection.scopes()):
            for book in await thusfar.library.in_scope(scope=scope):
                if book.status != "complete":
                    try:
                        await thusfar.library.complete(book.book_id)
                    except ThusfarError as error:
                        _log.warning("%s cannot be completed yet: %s", book.title, error)
        await asyncio.sleep(_LOOK_AFTER_S)
