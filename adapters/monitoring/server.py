"""Serves `/healthz` and `/metrics` over HTTP for the operator; the only user of prometheus-client.

Only names and counts: no member's texts, and no names but the platforms' own for servers and channels.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from core.domain.errors import StorageError

Seen = TypeVar("Seen")
_PATIENCE_S: Final = 5.0
_SILENT: Final = f"the database has not answered within {_PATIENCE_S:.0f} seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformHealth:
    """The state of this process on a platform.

    `silent_s` is the seconds since the last event, None if there was none; `under_way` is the number of messages being
    handled.
    """

    name: str
    is_there: bool
    silent_s: float | None
    under_way: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A metric: its name without `thusfar_`, its help text, and its values by labels."""

    name: str
    help: str
    labels: tuple[str, ...]
    values: Sequence[tuple[tuple[str, ...], float]]


class MetricsSource(Protocol):
    """The source of the metrics: of this process, and of the store that it may share."""

    def platforms(self) -> Sequence[PlatformHealth]:
        """Return the state of each platform."""

    def of_process(self) -> Sequence[Sample]:
        """Return the metrics of this process."""

    async def of_store(self) -> Sequence[Sample]:
        """Return the metrics from the store. Raises StorageError."""

    async def reach_store(self) -> None:
        """Check that the store answers. Raises StorageError."""


class Monitoring:
    """Serves the two addresses."""

    def __init__(self, figures: MetricsSource) -> None:
        self._figures = figures
        self._reaching = _SharedRead(figures.reach_store)
        self._counting = _SharedRead(figures.of_store)

    @asynccontextmanager
    async def listening(self, host: str, port: int) -> AsyncIterator[int]:
        """Listen while the block runs; the block gets the port. Raises OSError if it is taken."""
        application = web.Application()
        application.router.add_get("/healthz", self._health)
        application.router.add_get("/metrics", self._metrics)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            yield int(runner.addresses[0][1])
        finally:
            await runner.cleanup()
            for look in (self._reaching, self._counting):
                await look.end()

    async def _health(self, _: web.Request) -> web.Response:
        """Return 200 if everything works, else 503 with the reasons."""
        troubles = [f"{one.name} is not connected" for one in self._figures.platforms() if not one.is_there]
        try:
            await self._reaching.outcome()
        except StorageError as error:
            troubles.append(str(error))
        text = "\n".join(troubles) or "ok"
        return web.Response(text=f"{text}\n", status=503 if troubles else 200)

    async def _metrics(self, _: web.Request) -> web.Response:
        """Return all metrics; without the store, those of the process."""
        try:
            await self._reaching.outcome()
            counted = await self._counting.outcome()
        except StorageError:
            counted, is_reached = (), 0.0
        else:
            is_reached = 1.0
        reached = Sample(
            name="database_connected", help="Whether the database answers.", labels=(), values=[((), is_reached)]
        )
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        samples = [*_of_platforms(self._figures.platforms()), reached, *self._figures.of_process(), *counted]
        registry.register(_Samples(samples))
        return web.Response(body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})


class _SharedRead(Generic[Seen]):
    """Caches a read of the store: concurrent callers share one read, and each waits for a limited time."""

    def __init__(self, see: Callable[[], Coroutine[None, None, Seen]]) -> None:
        self._see = see
        self._going_on: asyncio.Task[Seen] | None = None

    async def outcome(self) -> Seen:
        """Return the result. Raises StorageError: the store can't be reached, or doesn't answer in time."""
        if self._going_on is None or self._going_on.done():
            self._going_on = asyncio.create_task(self._see())
        seen, _ = await asyncio.wait([self._going_on], timeout=_PATIENCE_S)
        if not seen:
            raise StorageError(_SILENT)
        return self._going_on.result()

    async def end(self) -> None:
        """Cancel the running read."""
        if self._going_on is not None:
            self._going_on.cancel()
            await asyncio.gather(self._going_on, return_exceptions=True)


def _of_platforms(platforms: Sequence[PlatformHealth]) -> list[Sample]:
    there = [((one.name,), float(one.is_there)) for one in platforms]
    silent = [((one.name,), one.silent_s) for one in platforms if one.silent_s is not None]
    under_way = [((one.name,), float(one.under_way)) for one in platforms]
    labels = ("platform",)
    return [
        Sample(name="connected", help="Whether a platform is connected.", labels=labels, values=there),
        Sample(
            name="last_event_seconds", help="How long ago anything came from a platform.", labels=labels, values=silent
        ),
        Sample(name="under_way", help="Messages that this process deals with.", labels=labels, values=under_way),
    ]


class _Samples(Collector):
    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = samples

    def collect(self) -> Iterator[Metric]:
        """Return the metrics to export."""
        for sample in self._samples:
            family = GaugeMetricFamily(f"thusfar_{sample.name}", sample.help, labels=sample.labels)
            for labels, value in sample.values:
                family.add_metric(labels, value)
            yield family
