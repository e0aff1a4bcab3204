"""Port: links between two clubs that read together, and the codes by which their organisers agree."""

from datetime import datetime
from typing import Protocol

from core.domain.club_link import Code, Link, LinkedReading, Offer
from core.domain.thread import Thread


class ClubLinks(Protocol):
    """Stores which two clubs share their book, page and schedule. A club is a place of a scope.

    While two clubs are linked, every change of page, book or schedule applies to both in one transaction. The other
    club is told by a timer of the kind `LINK_NEWS`.
    """

    async def offer(self, place: Thread, *, made_by: str, secret_hash: str, now: datetime) -> int:
        """Store a new code of a club that has a book, in place of its last one; return the offer's number.

        Raises:
            BookError: there is no such club.
        """

    async def take(self, place: Thread, code: Code, *, now: datetime) -> Offer | None:
        """Use a code for another club, once; None if it is wrong, used or expired."""

    async def offer_of(self, place: Thread, *, now: datetime) -> Offer | None:
        """Return the open offer that a club has made or accepted; None if there is none."""

    async def agree(self, place: Thread, offer_id: int, *, mark: str, now: datetime) -> Offer | None:
        """Agree for the club that used the code, and have its giver asked; None if the offer is no longer valid.

        `mark` identifies the terms that were shown.
        """

    async def decline(self, place: Thread, offer_id: int) -> bool:
        """Decline for either club; return whether there was an open offer."""

    async def join(self, place: Thread, offer_id: int, *, mark: str, member_id: str, now: datetime) -> Link | None:
        """Agree for the club that gave the code, and link both clubs.

        None if the offer is no longer valid, or if book or page have changed since both agreed.
        """

    async def link_of(self, place: Thread) -> Link | None:
        """Return the link of a club; None if it reads alone."""

    async def beside(self, reading_id: str) -> LinkedReading | None:
        """Return the other club's reading that is linked to this one; None if there is none."""

    async def end(self, place: Thread) -> Link | None:
        """End the link of a club; both keep their page. None if it had no link."""
