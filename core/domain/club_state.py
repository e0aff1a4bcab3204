"""What a club reads and where everybody stands, as one member's command meets it: read once, at its start."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from core.catalogue.sentences import say
from core.domain.alias import Alias
from core.domain.book import Book, BookOutline
from core.domain.edition import Edition, page_in_copy
from core.domain.position import AnswerIn, Position, footer, page_names
from core.domain.reading import PositionChange, PositionOwner, Reading, ReadingState
from core.domain.schedule import Schedule
from core.domain.sealed_item import SealedItem


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubState:
    """All that a command decides by; `now` is when it was read (UTC).

    `owner` is whose page is set there: the thread's conversation, or the reading. `own_page`, `own_edition` and
    `answer_in` are the member's; `club_edition` is the copy that the whole reading goes by. `last_change` is what
    `undo` takes back. `linked` is the other club's reading that goes with this one. `aliases` are those of all pages.
    """

    now: datetime
    member_id: str
    owner: PositionOwner
    book: Book
    outline: BookOutline
    standing: ReadingState
    own_page: Position = None
    own_edition: Edition | None = None
    club_edition: Edition | None = None
    answer_in: AnswerIn | None = None
    last_change: PositionChange | None = None
    schedule: Schedule | None = None
    linked: Reading | None = None
    aliases: tuple[Alias, ...] = ()

    @property
    def reading_id(self) -> str:
        """The reading's id."""
        return self.standing.reading.reading_id

    @property
    def page_of_all(self) -> Position:
        """The page that a public answer goes by."""
        return self.standing.public(self.now)

    @property
    def reached(self) -> Position:
        """Where the member stands: their own page, else that of all."""
        return self.page_of_all if self.own_page is None else self.own_page

    @property
    def edition(self) -> Edition | None:
        """The copy whose page numbers the member says: their own, else the club's."""
        return self.club_edition if self.own_edition is None else self.own_edition

    @property
    def page_name(self) -> Callable[[int], str]:
        """What people see of a page number: the label printed in the book, else the number."""
        return page_names(self.outline)

    def footer(self, position: Position) -> str:
        """Say how far an answer goes."""
        return footer(position, name=self.page_name)

    def private_footer(self, position: Position) -> str:
        """Say to the member how far an answer goes, with the page of their own copy."""
        told, edition = self.footer(position), self.own_edition
        if edition is None or not edition.converts or not position:
            return told
        page = page_in_copy(edition, position, self.outline)
        return say("{told}, about p. {page} of your copy", told=told, page=page)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveMade:
    """A move that was stored: the change, where all stand then, and the text of the last page read.

    `change` is None where nothing was moved here: it stands there already, or was moved elsewhere.
    `opened` is what members left for a page up to there, and nobody was told of; `own_pages` are the session ids of
    the threads that hold a page of their own.
    """

    change: PositionChange | None
    standing: ReadingState
    last_page_read: str = ""
    opened: tuple[SealedItem, ...] = ()
    own_pages: tuple[str, ...] = ()
