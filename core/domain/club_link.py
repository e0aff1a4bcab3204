"""Two linked clubs that read together: the code, the terms their organisers agree to, and the news between them.

They share the book, the page and the schedule. Nothing else of a club is visible in the other.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from core.catalogue.sentences import say, sentence
from core.domain.position import Position
from core.domain.reading import Reading
from core.domain.thread import Thread

LINK_NEWS: Final = "club"
"""The kind of the timers that tell one club what happened in the other."""
CODE_HOLDS: Final = timedelta(minutes=15)
AGREED_WITHIN: Final = timedelta(days=1)
"""How long both organisers have to agree after a code was used."""
_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Letters and digits that cannot be confused."""
_GROUPS: Final = 3
_GROUP: Final = 4
_CODE: Final = re.compile(rf"(?P<offer>\d{{1,9}})-?(?P<secret>[{_LETTERS}]{{{_GROUPS * _GROUP}}})")
_PLATFORMS: Final = {"discord": sentence("on Discord"), "slack": sentence("in Slack")}
_ELSEWHERE: Final = sentence("elsewhere")


class News(StrEnum):
    """What one club is told about the other."""

    ASKED = "asked"
    JOINED = "joined"
    MOVED = "moved"
    OPENED = "opened"
    DATES = "dates"
    PARTED = "parted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """A code: the number of its offer, and its secret, of which only the hash is stored."""

    offer_id: int
    secret: str

    @property
    def hashed(self) -> str:
        """The stored hash of the secret. Its 58 random bits cannot be guessed within the code's 15 minutes."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def __str__(self) -> str:
        """Return the code as members see it."""
        groups = (self.secret[start : start + _GROUP] for start in range(0, len(self.secret), _GROUP))
        return "-".join((str(self.offer_id), *groups))


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What two clubs would have in common: the giver's book, by its id, and the page at which both would stand.

    `giver_page` and `taker_page` are where they stand in it now, None where nobody has said; `taker_title` is what the
    taker reads now, empty where that is nothing or the same text. `has_dates`: the giver has a schedule.
    """

    book_id: str
    page: Position
    giver_page: Position
    taker_page: Position
    taker_title: str = ""
    has_dates: bool = False

    @property
    def mark(self) -> str:
        """Identifies the terms in a button, so that both sides agree to the same book and page."""
        return f"{self.book_id[-6:]}.{'' if self.page is None else self.page}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A code that a club gave, and how far it has come: with a `taker` it was taken up, then `agreed` to there.

    `terms` are what both would have in common as things stand now; None where nobody has taken it up, or where the
    giver reads nothing any more.
    """

    offer_id: int
    giver: Thread
    made_by: str
    taker: Thread | None = None
    agreed: bool = False
    terms: Terms | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The other club that a club reads with, and since when."""

    other: Thread
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedReading:
    """What the other club reads: the same text, at the same page."""

    place: Thread
    reading: Reading


def new_secret() -> str:
    """Return a secret that nobody can guess."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP))


def read_code(text: str) -> Code | None:
    """Read a code as people type it; None where it cannot be one."""
    typed = "".join(text.strip().strip("`").upper().split())
    offer, _, secret = typed.partition("-")
    found = _CODE.fullmatch(f"{offer}-{secret.replace('-', '')}")
    return Code(offer_id=int(found["offer"]), secret=found["secret"]) if found else None


def page_of_both(one: Position, other: Position) -> Position:
    """Return the page of two clubs that link: the lower one, so that nobody moves ahead.

    A club without a page takes the other's, which its organiser has agreed to.
    """
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def page_in_next_book(one: Position, other: Position) -> Position:
    """Return the page of two linked clubs in a book that one of them opens: the lower one; None if one has no page.

    The other club has not agreed to a page in this book.
    """
    return None if one is None or other is None else min(one, other)


def where(scope: str) -> str:
    """Return the words for a club's platform: "on Discord", "in Slack"."""
    return say(_PLATFORMS.get(scope.partition(":")[0], _ELSEWHERE))
