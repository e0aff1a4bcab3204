"""Serves the configured platforms until stopped, and completes indexes in the background."""

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from adapters.persistence.clubs import SqlClubRepository
from adapters.persistence.overview import Overview
from adapters.retrieval.minilm_embedding import MiniLmEmbeddingProvider
from bot.monitoring import monitored
from bot.platforms import configured, connection_to, left_servers
from bot.service_manager import told_to_systemd
from bot.supervise import Backoff, supervise
from bot.wiring import Application
from core.domain.book import BookStatus
from core.domain.errors import LLMError, ThusfarError
from core.domain.scopes import LOCAL_SCOPE
from core.domain.tool_use import TokenUsage
from core.understanding.classifier import classifier

if TYPE_CHECKING:
    from adapters.platform.connection import PlatformConnection

Connections = Mapping[str, "PlatformConnection[Any]"]

_log = logging.getLogger(__name__)

LAST_TURNS_S: Final = 25.0
_LOOK_AFTER_S: Final = 300.0
_ABANDONED_AFTER: Final = timedelta(hours=1)
_OBJECTS_BETWEEN_COLLECTIONS: Final = 50_000


async def serve_all(thusfar: Application) -> None:
    """Serve the configured platforms.

    Raises:
        SettingsError: nothing is configured, or a platform refuses permanently.
    """
    await serve(thusfar, configured(thusfar.settings))


async def serve(
    thusfar: Application,
    platforms: Sequence[str],
    *,
    backoff: Backoff = Backoff(),  # noqa: B008 (frozen)
) -> None:
    """Serve these platforms until SIGTERM or SIGINT, then finish current turns.

    Raises:
        SettingsError: a token is missing, or a platform refuses permanently.
    """
    connections: dict[str, PlatformConnection[Any]] = {name: connection_to(name, thusfar) for name in platforms}
    async with (
        monitored(thusfar, connections),
        told_to_systemd(),
        told_to_stop() as stopping,
        _looked_after(thusfar, connections),
        _working_off(thusfar, connections),
    ):
        serving = [
            asyncio.create_task(supervise(name, one.attempt, stopping=stopping, backoff=backoff))
            for name, one in connections.items()
        ]
        told = asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait([*serving, told], return_when=asyncio.FIRST_COMPLETED)
            await asyncio.gather(*(one.finish(within=LAST_TURNS_S) for one in connections.values()))
        finally:
            told.cancel()
            for one in connections.values():
                await one.close()
            ended = [task for task in serving if task.done()]
            for task in serving:
                task.cancel()
            await asyncio.gather(*serving, return_exceptions=True)
        for task in ended:
            task.result()


@asynccontextmanager
async def told_to_stop() -> AsyncIterator[asyncio.Event]:
    """Return an event that SIGTERM and SIGINT set; a second signal ends the process as usual."""
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)

    def stop() -> None:
        stopping.set()
        for each in signals:
            loop.remove_signal_handler(each)

    # Windows has no such handlers; there, KeyboardInterrupt ends it.
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
async def _looked_after(thusfar: Application, connections: Connections) -> AsyncIterator[None]:
    task = asyncio.create_task(_look_after(thusfar, connections))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def _working_off(thusfar: Application, connections: Connections) -> AsyncIterator[None]:
    """Run due timers, separately for each platform."""
    tasks = [asyncio.create_task(thusfar.clubs().times.due.run(one.due)) for one in connections.values()]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _look_after(thusfar: Application, connections: Connections) -> None:
    """Load what the first question needs, and make the vectors missing from interrupted imports."""
    await _tidy_up(thusfar)
    await warm_up(thusfar)
    while True:
        await _go_on_with_notes(thusfar)
        for scope in (LOCAL_SCOPE, *(scope for one in connections.values() for scope in one.scopes())):
            try:
                await complete_books(thusfar, scope)
            except ThusfarError as error:
                _log.warning("Interrupted imports of %s cannot be finished yet: %s", scope, error)
        await asyncio.sleep(_LOOK_AFTER_S)
        await _tidy_up(thusfar)


async def _tidy_up(thusfar: Application) -> None:
    """Delete old message ids, old timers and, where it is set, old talk; and indexes without a book."""
    long_ago = datetime.now(UTC) - timedelta(days=thusfar.settings.inbox_days)
    try:
        await thusfar.clubs().inbox.prune(long_ago)
        await Overview(thusfar.database).end_abandoned(datetime.now(UTC) - _ABANDONED_AFTER)
        await thusfar.clubs().times.timers.prune(long_ago)
        await thusfar.database.truncate_log()
        await thusfar.library.tidy_up()
        await left_servers(thusfar).erase_due()
        await forget_old_talk(thusfar)
    except ThusfarError as error:
        _log.warning("The database could not be cleaned up: %s", error)


async def forget_old_talk(thusfar: Application) -> None:
    """Delete what was said in threads that have been quiet for the days that are set, if any. Raises StorageError."""
    if (days := thusfar.settings.keep_days) is not None:
        await SqlClubRepository(thusfar.database).forget_talk(before=datetime.now(UTC) - timedelta(days=days))


async def _go_on_with_notes(thusfar: Application) -> None:
    """Resume note making that was interrupted by a crash or an unreachable model."""
    try:
        if (jobs := thusfar.noted().jobs) is not None:
            await jobs.resume()
    except ThusfarError as error:
        _log.warning("Note making cannot be resumed yet: %s", error)


async def complete_books(thusfar: Application, scope: str) -> None:
    """Make vectors missing from interrupted imports, and those of new notes."""
    for book in await thusfar.library.in_scope(scope=scope):
        try:
            if book.status is not BookStatus.COMPLETE:
                await thusfar.library.complete(book.book_id)
            elif book.notes_id:
                await thusfar.library.complete_notes(book.book_id)
        except (ThusfarError, LLMError) as error:
            _log.warning("%s cannot be completed yet: %s", book.title, error)


async def warm_up(thusfar: Application) -> None:
    """Load what the first question needs."""
    await asyncio.to_thread(classifier)
    try:
        if thusfar.chroma is not None:
            await thusfar.chroma.usable()
        if thusfar.model is not None:
            await asyncio.to_thread(thusfar.price, thusfar.model.model, TokenUsage())
        if thusfar.words is not None:
            await asyncio.to_thread(lambda words: words.rows(words.pieces(["warm"])[0]), thusfar.words)
        if isinstance(thusfar.embeddings, MiniLmEmbeddingProvider):  # another one would use the network
            await thusfar.embeddings.embed(["warm"])
    except (ThusfarError, LLMError) as error:
        _log.warning("Preloading for the first question failed: %s", error)
    # A full collection scans all permanent objects of the libraries and blocks the loop.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
