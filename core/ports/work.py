"""Port: the questions that any of several processes may answer, each leased by one of them."""

from datetime import timedelta
from typing import Protocol

from core.domain.conversation import AskedAs
from core.domain.inbound import InboundEvent


class WorkQueue(Protocol):
    """The undone events of the inbox, as those see them who share the work. What is claimed here is this process's."""

    async def offer(self, event: InboundEvent, *, thread: str, order: int, asked: AskedAs) -> None:
        """Let whoever claims it answer an event; of a thread, the first one in order that is not posted yet."""

    async def amend(self, ref: str, *, bot: str, text: str | None) -> None:
        """Let an offered message say something else from now on; with None it is not answered any more."""

    async def claim(self, platform: str, *, bot: str, lease: timedelta) -> InboundEvent | None:
        """Return what is to be answered next, for as long as the lease nobody else's; None where there is nothing.

        What another process had begun whose lease has run out is as if received anew, but counted; what ran there with
        nothing beside it is to blame for that.
        """

    async def renew(self, event: InboundEvent, *, lease: timedelta) -> bool:
        """Keep an event for longer; False where it is done, dropped, or by now another's."""

    async def give_back(self, event: InboundEvent, *, after: timedelta) -> None:
        """Let another claim an event, not before that: work on it could not be done, by no fault of its own."""

    async def came(self, *, within: float) -> None:
        """Wait until something may be there to be claimed, for so many seconds at most."""
