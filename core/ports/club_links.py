"""Port: clubs that read as one with another, and the codes by which their organisers agree to it."""

from datetime import datetime
from typing import Protocol

from core.domain.club_link import Code, Link, LinkedReading, Offer
from core.domain.thread import Thread


class ClubLinks(Protocol):
    """Which two clubs have their book, page and schedule in common; a club is a place of a scope.

    While two are joined, whatever moves the page of one, opens a book there, or keeps its schedule does so in the other
    too, at once or not at all; and the other hears of it by a timer of the kind `LINK_NEWS`.
    """

    async def offer(self, place: Thread, *, made_by: str, secret_hash: str, now: datetime) -> int:
        """Keep what is known of a new code of a club that reads something, in place of its last; return its number.

        Raises:
            BookError: there is no such club.
        """

    async def take(self, place: Thread, code: Code, *, now: datetime) -> Offer | None:
        """Take a code up for another club, once; None where it is wrong, used or over."""

    async def offer_of(self, place: Thread, *, now: datetime) -> Offer | None:
        """Return what a club offers, or has taken up; None where nothing is open."""

    async def agree(self, place: Thread, offer_id: int, *, mark: str, now: datetime) -> Offer | None:
        """Say yes for the club that took a code up, and have its giver asked; None where that does not hold any more.

        `mark` is that of the terms that were shown.
        """

    async def decline(self, place: Thread, offer_id: int) -> bool:
        """Say no for either club; return whether there was anything to say it to."""

    async def join(self, place: Thread, offer_id: int, *, mark: str, member_id: str, now: datetime) -> Link | None:
        """Say yes for the club that gave the code, by a member: from then on both are one in what they read.

        None where the offer does not hold any more, or where book or page are others than both said yes to.
        """

    async def link_of(self, place: Thread) -> Link | None:
        """Return with which club another one reads; None where it reads by itself."""

    async def beside(self, reading_id: str) -> LinkedReading | None:
        """Return the other club's reading that goes with one; None where it is read here alone."""

    async def end(self, place: Thread) -> Link | None:
        """Let a club and the other read on by themselves, each from where it is; None where it does already."""
