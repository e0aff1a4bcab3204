"""Where a process answers on one platform without listening there; each platform says how it logs in."""

from abc import ABC, abstractmethod
from typing import Generic

from adapters.platform.intake.items import MessageT
from adapters.platform.worker import Worker


class Workplace(ABC, Generic[MessageT]):
    """Answers what the process that listens has heard, until it is told to finish."""

    def __init__(self) -> None:
        self._worker: Worker[MessageT] | None = None

    @abstractmethod
    async def attempt(self) -> None:
        """Log in, and work. Raises SettingsError: the token is wrong."""

    def is_there(self) -> bool:
        """Whether the platform has let the bot in, and it looks for work."""
        return self._worker is not None and self._worker.is_at_work

    def silent_for(self) -> float | None:
        """Return for how many seconds nothing was claimed; None where nothing ever was."""
        return None if self._worker is None else self._worker.silent_for

    def under_way(self) -> int:
        """Return how many questions are being answered here."""
        return 0 if self._worker is None else self._worker.under_way

    async def finish(self, *, within: float) -> None:
        """Claim nothing more, and let what is under way end, for so many seconds."""
        if self._worker is not None:
            await self._worker.finish(within=within)

    async def _work_by(self, worker: Worker[MessageT]) -> None:
        self._worker = worker
        await worker.run()
