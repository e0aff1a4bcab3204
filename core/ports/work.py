"""Port: a queue of questions that several processes answer, each leased by one process."""

from datetime import timedelta
from typing import Protocol

from core.domain.conversation import AskedAs
from core.domain.inbound import InboundEvent
from core.domain.thread import Thread


class WorkQueue(Protocol):
    """The unfinished events of the inbox, shared by several processes. Claims belong to this process."""

    async def offer(self, event: InboundEvent, *, thread: str, order: int, asked: AskedAs) -> None:
        """Offer an event to be claimed. Events of a thread are given out in order, one after the other is posted."""

    async def amend(self, ref: str, *, bot: str, text: str | None) -> None:
        """Change the text of an offered message; with None it is not answered."""

    async def drop(self, thread: Thread, *, member_id: str | None) -> bool:
        """Drop the question of a thread that a process is answering; return False if there is none.

        With `member_id` only a question of that member.
        """

    async def claim(self, platform: str, *, bot: str, lease: timedelta) -> InboundEvent | None:
        """Claim and return the next event to answer; None if there is none. No other process gets it during the lease.

        An event whose lease has expired at another process is given out again, and its attempts count. One that was the
        only event there is suspected of ending that process.
        """

    async def renew(self, event: InboundEvent, *, lease: timedelta) -> bool:
        """Extend the lease of an event; False if it is done, dropped or claimed by another process."""

    async def give_back(self, event: InboundEvent, *, after: timedelta) -> None:
        """Return an event to the queue after a delay. The attempt does not count."""

    async def came(self, *, within: float) -> None:
        """Wait until there may be something to claim, at most `within` seconds."""
