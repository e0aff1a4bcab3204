"""The connection to one platform as the program sees it; each adapter implements it."""

from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

from adapters.platform.intake.intake import Intake
from core.club.timers.due import ServedPlatform


class Client(Protocol):
    """The parts of a live connection: `intake` for incoming messages, `due` for scheduled posts."""

    intake: Intake[Any]

    @property
    def due(self) -> ServedPlatform:
        """The poster of scheduled messages."""

    async def finish(self, *, within: float) -> None:
        """Accept nothing new, and let running work end for `within` seconds."""


ClientT = TypeVar("ClientT", bound=Client)


class PlatformConnection(ABC, Generic[ClientT]):
    """Connects to a platform, and keeps the client across failed attempts so that running answers survive."""

    client: ClientT | None = None

    @abstractmethod
    async def attempt(self) -> None:
        """Connect and stay connected. Every error may be retried, except a SettingsError.

        Raises:
            SettingsError: a token is wrong, or the platform refuses permanently.
        """

    @abstractmethod
    def scopes(self) -> list[str]:
        """Return the scopes that are served, as far as known."""

    @abstractmethod
    def is_there(self) -> bool:
        """Whether it is connected, or was until a moment ago."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection."""

    def due(self) -> ServedPlatform | None:
        """Return the poster of scheduled messages; None while disconnected."""
        return self.client.due if self.client is not None and self.is_there() else None

    def silent_for(self) -> float | None:
        """Return the seconds since the last event; None if there was none."""
        return None if self.client is None else self.client.intake.silent_for

    def under_way(self) -> int:
        """Return the number of messages being handled."""
        return 0 if self.client is None else self.client.intake.under_way

    async def finish(self, *, within: float) -> None:
        """Accept nothing new, and let running turns end for `within` seconds."""
        if self.client is not None:
            await self.client.finish(within=within)
