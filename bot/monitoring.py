"""What is told of a bot that serves: how its platforms are, and what is counted of its turns, clubs and guard."""

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, Protocol

from adapters.monitoring.server import Monitoring, PlatformHealth, Sample
from adapters.persistence.overview import ClubLine, Overview, TurnCounts
from bot.operator import say_to_operator
from bot.wiring import Application
from core.domain.errors import SettingsError
from core.domain.inbound import EventState

_UNDONE: Final = (EventState.RECEIVED, EventState.BEGUN, EventState.ANSWERED)
_MICRO: Final = 1_000_000
_FRESH_S: Final = 15.0
"""Turns are counted anew after that: a scrape costs the store no more than four looks a minute."""


class Served(Protocol):
    """A platform that is served."""

    def is_there(self) -> bool:
        """Whether it is connected, or was until a moment ago."""

    def silent_for(self) -> float | None:
        """Return how many seconds ago it told of anything; None where it never did."""


@asynccontextmanager
async def monitored(thusfar: Application, platforms: Mapping[str, Served]) -> AsyncIterator[None]:
    """Tell of it, where a port is set, while the block runs.

    Raises:
        SettingsError: the port is taken.
    """
    settings = thusfar.settings
    if settings.metrics_port is None:
        yield
        return
    figures = _Figures(Overview(thusfar.database))
    monitoring = Monitoring(
        platforms=lambda: (
            PlatformHealth(name=name, is_there=one.is_there(), silent_s=one.silent_for())
            for name, one in platforms.items()
        ),
        samples=figures.samples,
    )
    async with AsyncExitStack() as stack:
        try:
            port = await stack.enter_async_context(monitoring.listening(settings.metrics_host, settings.metrics_port))
        except OSError as error:
            raise SettingsError(f"THUSFAR_METRICS_PORT cannot be used: {error.strerror}.") from error
        say_to_operator(f"/healthz and /metrics are at {settings.metrics_host}:{port}.")
        yield


class _Figures:
    def __init__(self, overview: Overview) -> None:
        self._overview = overview
        self._counted: tuple[TurnCounts, list[ClubLine]] | None = None
        self._counted_at = 0.0

    async def samples(self) -> list[Sample]:
        """Return the figures; raises StorageError."""
        if self._counted is None or time.monotonic() - self._counted_at > _FRESH_S:
            self._counted = await self._overview.counts(), await self._overview.clubs()
            self._counted_at = time.monotonic()
        counts, clubs = self._counted
        return [*_of_turns(counts), *_of_clubs(clubs)]


def _of_turns(counts: TurnCounts) -> list[Sample]:
    waiting = [((state.value,), float(counts.by_state.get(state, 0))) for state in _UNDONE]
    oldest = 0.0 if counts.oldest is None else max(0.0, time.time() - counts.oldest.timestamp())
    ended = [(("answered",), float(counts.answered)), (("failed",), float(counts.failed))]
    blocks = [((rule,), float(number)) for rule, number in sorted(counts.blocks.items())]
    return [
        Sample(name="undone", help="Messages and commands that are not done.", labels=("state",), values=waiting),
        Sample(name="oldest_undone_seconds", help="Since when the oldest waits.", labels=(), values=[((), oldest)]),
        Sample(name="turns", help="Turns that ended.", labels=("outcome",), values=ended),
        Sample(name="guard_blocks", help="Drafts that a rule held back.", labels=("rule",), values=blocks),
    ]


def _of_clubs(clubs: list[ClubLine]) -> list[Sample]:
    labels = ("scope", "place")

    def each(name: str, help_: str, value: dict[tuple[str, str], float]) -> Sample:
        return Sample(name=name, help=help_, labels=labels, values=list(value.items()))

    of = {(club.scope, club.place): club for club in clubs}
    return [
        each("club_turns", "Turns of a club.", {key: float(club.turns) for key, club in of.items()}),
        each("club_tokens", "Tokens that they took.", {key: float(club.tokens) for key, club in of.items()}),
        each("club_cost_usd", "What they cost.", {key: club.cost_micro_usd / _MICRO for key, club in of.items()}),
    ]
