"""The state of a club for one member's command, read once when the command starts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from core.catalogue.sentences import say
from core.domain.alias import Alias
from core.domain.book import Book, BookOutline
from core.domain.copy_numbers import Unit, place_in_words
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
        """The member's page: their own, else the shared page."""
        return self.page_of_all if self.own_page is None else self.own_page

    def at(self, position: Position) -> "ClubState":
        """Return the state with the outline of the book of a series that is read at a position, and its copies."""
        return self.within(self.outline.counted_at(position))

    def within(self, outline: BookOutline) -> "ClubState":
        """Return the state with the outline of one book of a series, and its copies; of a single book the same."""
        own, of_club = (
            copy if copy is not None and copy.begin == outline.begin else None
            for copy in (self.own_edition, self.club_edition)
        )
        return replace(self, outline=outline, own_edition=own, club_edition=of_club)

    def copy_in(self, unit: Unit) -> Edition | None:
        """Return the copy whose numbers of this unit the member uses: their own, else the club's."""
        return next((each for each in (self.own_edition, self.club_edition) if each and each.unit is unit), None)

    @property
    def page_name(self) -> Callable[[int], str]:
        """Returns the printed label of a page, else its number, and its book where that isn't the one being read."""
        return page_names(self.outline.at(self.page_of_all))

    def footer(self, position: Position) -> str:
        """Return the footer that says how far an answer goes."""
        return footer(position, name=self.page_name)

    def private_footer(self, position: Position) -> str:
        """Return the footer for the member, with the place in their own copy."""
        there = self.at(position)
        told, edition = footer(position, name=page_names(there.outline)), there.own_edition
        if edition is None or not edition.converts or not position:
            return told
        place = place_in_words(edition.unit, page_in_copy(edition, position, there.outline))
        return say("{told}, about {place} of your copy", told=told, place=place)


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
