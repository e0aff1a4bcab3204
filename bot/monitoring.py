"""Health and metrics of a serving process: its platforms, turns, clubs and guard."""

import errno
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Final, Protocol

from adapters.monitoring.server import MetricsSource, Monitoring, PlatformHealth, Sample
from adapters.persistence.overview import ClubLine, Overview, TurnCounts
from bot.logs import say_to_operator
from bot.settings import Settings
from bot.wiring import Application
from core.domain.errors import SettingsError
from core.domain.inbound import EventState
from core.domain.scopes import is_direct

_UNDONE: Final = (EventState.RECEIVED, EventState.BEGUN, EventState.ANSWERED)
_MICRO: Final = 1_000_000
_FRESH_S: Final = 15.0
"""How long turn counts are cached, so that scrapes query the database at most four times a minute."""


class Served(Protocol):
    """A platform that this process serves or works for."""

    def is_there(self) -> bool:
        """Whether it is connected, or was a moment ago."""

    def silent_for(self) -> float | None:
        """Return the seconds since its last event; None if there was none."""

    def under_way(self) -> int:
        """Return the number of messages in progress here."""


@asynccontextmanager
async def monitored(thusfar: Application, platforms: Mapping[str, Served]) -> AsyncIterator[None]:
    """Serve health and metrics while the block runs, if a port is set.

    Raises:
        SettingsError: the port cannot be used.
    """
    settings = thusfar.settings
    if settings.metrics_port is None:
        yield
        return
    monitoring = Monitoring(_OfApplication(thusfar, platforms))
    async with AsyncExitStack() as stack:
        try:
            port = await stack.enter_async_context(monitoring.listening(settings.metrics_host, settings.metrics_port))
        except OSError as error:
            raise SettingsError(_why_not(error, settings)) from error
        say_to_operator(f"/healthz and /metrics are at {settings.metrics_host}:{port}.")
        yield


def _why_not(error: OSError, settings: Settings) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {settings.metrics_port} of THUSFAR_METRICS_PORT is taken: each process on a machine needs its "
            "own; 0 takes any free one."
        )
    asked_for = f"THUSFAR_METRICS_HOST {settings.metrics_host} with THUSFAR_METRICS_PORT {settings.metrics_port}"
    return f"{asked_for} cannot be used: {os.strerror(error.errno) if error.errno else error}."


class _OfApplication(MetricsSource):
    def __init__(self, thusfar: Application, platforms: Mapping[str, Served]) -> None:
        self._platforms = platforms
        self._overview = Overview(thusfar.database)
        self._calls = thusfar.calls
        self._memory = thusfar.memory
        self._counted: tuple[TurnCounts, list[ClubLine]] | None = None
        self._counted_at = 0.0

    def platforms(self) -> list[PlatformHealth]:
        """Return the state of the platforms."""
        return [
            PlatformHealth(name=name, is_there=one.is_there(), silent_s=one.silent_for(), under_way=one.under_way())
            for name, one in self._platforms.items()
        ]

    async def reach_store(self) -> None:
        """Check that the database answers. Raises StorageError."""
        await self._overview.reach()

    async def of_store(self) -> list[Sample]:
        """Return the database's counts, at most a moment old. Raises StorageError."""
        if self._counted is None or time.monotonic() - self._counted_at > _FRESH_S:
            self._counted = await self._overview.counts(), await self._overview.clubs()
            self._counted_at = time.monotonic()
        counts, clubs = self._counted
        return [*_of_turns(counts), *of_clubs(clubs), *_of_models(counts)]

    def of_process(self) -> list[Sample]:
        """Return this process's own counts."""
        calls = [(labels, float(number)) for labels, number in sorted(self._calls.counted.items())]
        held = [((kind,), float(size)) for kind, size in sorted(self._memory.by_kind().items())]
        return [
            Sample(
                name="model_calls",
                help="Model calls for questions since the process started.",
                labels=("provider", "model", "outcome"),
                values=calls,
            ),
            Sample(
                name="refused_requests",
                help="HTTP requests that did not come from the platform.",
                labels=("platform", "status"),
                values=[
                    ((name, status), float(number))
                    for name, one in self._platforms.items()
                    for status, number in sorted(getattr(one, "refused", {}).items())
                ],
            ),
            Sample(name="books_memory_bytes", help="Memory used by books.", labels=("kind",), values=held),
        ]


def _of_turns(counts: TurnCounts) -> list[Sample]:
    waiting = [((state.value,), float(counts.by_state.get(state, 0))) for state in _UNDONE]
    ages = [((state.value,), _age(counts.oldest.get(state))) for state in _UNDONE]
    ended = [(("answered",), float(counts.answered)), (("failed",), float(counts.failed))]
    blocks = [((rule,), float(number)) for rule, number in sorted(counts.blocks.items())]
    return [
        Sample(name="undone", help="Unfinished messages and commands.", labels=("state",), values=waiting),
        Sample(name="oldest_undone_seconds", help="Age of the oldest unfinished one.", labels=("state",), values=ages),
        Sample(name="turns", help="Finished turns.", labels=("outcome",), values=ended),
        Sample(name="guard_blocks", help="Drafts blocked, by rule.", labels=("rule",), values=blocks),
    ]


def of_clubs(clubs: list[ClubLine]) -> list[Sample]:
    """Return usage by club; no member can be identified."""
    labels = ("scope", "place")

    def each(name: str, help_: str, value: Callable[[ClubLine], float]) -> Sample:
        sums: dict[tuple[str, str], float] = {}
        for club in clubs:
            key = _shown(club)
            sums[key] = sums.get(key, 0.0) + value(club)
        return Sample(name=name, help=help_, labels=labels, values=list(sums.items()))

    return [
        each("club_turns", "Turns by club.", lambda club: float(club.turns)),
        each("club_tokens", "Tokens by club.", lambda club: float(club.tokens)),
        each("club_cost_usd", "What they cost.", lambda club: club.cost_micro_usd / _MICRO),
    ]


def _shown(club: ClubLine) -> tuple[str, str]:
    """Return the labels of a club; direct messages share one, because their scopes contain member ids."""
    if is_direct(club.scope):
        return f"{club.scope.partition(':')[0]}:dm", ""
    return club.scope, club.place


def _of_models(counts: TurnCounts) -> list[Sample]:
    labels = ("provider", "model")
    tokens = [(which, float(took)) for which, (took, _) in sorted(counts.took.items())]
    cost = [(which, micro_usd / _MICRO) for which, (_, micro_usd) in sorted(counts.took.items())]
    return [
        Sample(name="model_tokens", help="Tokens of all turns.", labels=labels, values=tokens),
        Sample(name="model_cost_usd", help="What they cost.", labels=labels, values=cost),
    ]


def _age(since: datetime | None) -> float:
    if since is None:
        return 0.0
    at = since if since.tzinfo is not None else since.replace(tzinfo=UTC)
    return max(0.0, time.time() - at.timestamp())
