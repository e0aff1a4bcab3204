"""What serves one platform, as the program sees it: each adapter says how it connects."""

from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, TypeVar

from adapters.platform.intake.intake import Intake
from core.club.timers.due import ServedPlatform


class Client(Protocol):
    """What a connection has while it lasts: what is heard goes to the intake, what falls due is posted by `due`."""

    intake: Intake[Any]

    @property
    def due(self) -> ServedPlatform:
        """Posts what falls due."""

    async def finish(self, *, within: float) -> None:
        """Take nothing new, and let what is under way end, for so many seconds."""


ClientT = TypeVar("ClientT", bound=Client)


class PlatformConnection(ABC, Generic[ClientT]):
    """Keeps a client over failed attempts where that can be, so that answers under way are not lost."""

    client: ClientT | None = None

    @abstractmethod
    async def attempt(self) -> None:
        """Connect and stay connected; whatever is raised may be tried again, but for a SettingsError.

        Raises:
            SettingsError: a token is wrong, or the platform refuses for good.
        """

    @abstractmethod
    def scopes(self) -> list[str]:
        """Return the scopes that are served, as far as they are known yet."""

    @abstractmethod
    def is_there(self) -> bool:
        """Whether it is connected, or was until a moment ago."""

    @abstractmethod
    async def close(self) -> None:
        """Say goodbye."""

    def due(self) -> ServedPlatform | None:
        """Return what posts what falls due; None while there is no connection."""
        return self.client.due if self.client is not None and self.is_there() else None

    def silent_for(self) -> float | None:
        """Return for how many seconds nothing was heard; None where nothing ever was."""
        return None if self.client is None else self.client.intake.silent_for

    def under_way(self) -> int:
        """Return how many messages are being dealt with."""
        return 0 if self.client is None else self.client.intake.under_way

    async def finish(self, *, within: float) -> None:
        """Take nothing new, and let the turns under way end, for so many seconds."""
        if self.client is not None:
            await self.client.finish(within=within)
