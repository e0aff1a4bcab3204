"""`/healthz` and `/metrics` over HTTP, for whoever runs it; the one home of prometheus-client.

Names and counts alone: no member's words, and no name but those that the platforms give to servers and channels.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import web
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from core.domain.errors import StorageError


@dataclass(frozen=True, slots=True, kw_only=True)
class PlatformHealth:
    """Whether a platform is connected, and how many seconds ago it told of anything; None where it never did."""

    name: str
    is_there: bool
    silent_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A figure: its name without `thusfar_`, what it says, and its values by their labels."""

    name: str
    help: str
    labels: tuple[str, ...]
    values: Sequence[tuple[tuple[str, ...], float]]


class Monitoring:
    """Answers two addresses.

    Args:
        platforms: returns how the platforms are.
        samples: returns what is counted in the store. Raises StorageError.
    """

    def __init__(
        self,
        *,
        platforms: Callable[[], Iterable[PlatformHealth]],
        samples: Callable[[], Awaitable[Sequence[Sample]]],
    ) -> None:
        self._platforms = platforms
        self._samples = samples

    @asynccontextmanager
    async def listening(self, host: str, port: int) -> AsyncIterator[int]:
        """Listen while the block runs, which gets the port. Raises OSError where it is taken."""
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

    async def _health(self, _: web.Request) -> web.Response:
        """Say whether all is well: 200, or 503 with what is not."""
        troubles = [f"{one.name} is not connected" for one in self._platforms() if not one.is_there]
        try:
            await self._samples()
        except StorageError as error:
            troubles.append(str(error))
        text = "\n".join(troubles) or "ok"
        return web.Response(text=f"{text}\n", status=503 if troubles else 200)

    async def _metrics(self, _: web.Request) -> web.Response:
        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(_Samples([*self._of_platforms(), *await self._samples()]))
        return web.Response(body=generate_latest(registry), headers={"Content-Type": CONTENT_TYPE_LATEST})

    def _of_platforms(self) -> Iterator[Sample]:
        platforms = list(self._platforms())
        there = [((one.name,), float(one.is_there)) for one in platforms]
        silent = [((one.name,), one.silent_s) for one in platforms if one.silent_s is not None]
        yield Sample(name="connected", help="Whether a platform is connected.", labels=("platform",), values=there)
        yield Sample(
            name="last_event_seconds", help="How long ago a platform told of it.", labels=("platform",), values=silent
        )


class _Samples(Collector):
    def __init__(self, samples: Iterable[Sample]) -> None:
        self._samples = samples

    def collect(self) -> Iterator[Metric]:
        """Return what is shown."""
        for sample in self._samples:
            family = GaugeMetricFamily(f"thusfar_{sample.name}", sample.help, labels=sample.labels)
            for labels, value in sample.values:
                family.add_metric(labels, value)
            yield family
