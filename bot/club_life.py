"""Wires the commands of a club's life: who is who, what happened so far, how far it has come, what to talk about."""

from dataclasses import dataclass

from adapters.persistence.aliases import SqlAliasRepository
from adapters.persistence.club_texts import SqlClubTexts
from adapters.persistence.database import Database
from adapters.persistence.keepsakes import SqlKeepsakeRepository
from adapters.persistence.own_marks import SqlOwnMarks
from core.agent.read_book import Shelf
from core.app.commands.club_drafts import ClubDrafts, Writer
from core.app.commands.discuss_commands import DiscussCommands
from core.app.commands.open_books import OpenBooks
from core.app.commands.people_commands import PeopleCommands
from core.app.commands.prediction_commands import PredictionCommands
from core.app.commands.progress_commands import ProgressCommands
from core.app.commands.quote_commands import QuoteCommands
from core.app.commands.recap_commands import RecapCommands
from core.app.commands.schedule_commands import ScheduleCommands
from core.app.commands.values import Command
from core.app.positions import PositionService
from core.app.threads import ThreadService
from core.ports.aliases import AliasRepository
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.club_texts import ClubTexts
from core.ports.clubs import ClubRepository
from core.ports.guard import Guard
from core.ports.keepsakes import KeepsakeRepository
from core.ports.own_marks import OwnMarks
from core.ports.readings import ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubStores:
    """Where a club's life is kept."""

    aliases: AliasRepository
    marks: OwnMarks
    texts: ClubTexts
    keepsakes: KeepsakeRepository


def stored_in(database: Database) -> ClubStores:
    """Return all of them over one database."""
    return ClubStores(
        aliases=SqlAliasRepository(database),
        marks=SqlOwnMarks(database),
        texts=SqlClubTexts(database),
        keepsakes=SqlKeepsakeRepository(database),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubLife:
    """What the commands of a club's life are made of; they need no question."""

    threads: ThreadService
    positions: PositionService
    clubs: ClubRepository
    books: BookRepository
    readings: ReadingRepository
    stores: ClubStores
    guard: Guard
    clock: Clock
    shelf: Shelf
    writer: Writer | None

    def commands(self) -> list[Command]:
        """Return the commands."""
        open_books = OpenBooks(
            threads=self.threads, positions=self.positions, clubs=self.clubs, books=self.books, shelf=self.shelf
        )
        drafts = ClubDrafts(texts=self.stores.texts, writer=self.writer)
        return [
            *PeopleCommands(open_books, aliases=self.stores.aliases).commands(),
            *RecapCommands(open_books, positions=self.positions, marks=self.stores.marks, drafts=drafts).commands(),
            *DiscussCommands(open_books, drafts=drafts, texts=self.stores.texts, guard=self.guard).commands(),
            *ScheduleCommands(threads=self.threads, books=self.books, clock=self.clock).commands(),
            *ProgressCommands(
                threads=self.threads,
                positions=self.positions,
                readings=self.readings,
                clubs=self.clubs,
                books=self.books,
                marks=self.stores.marks,
                clock=self.clock,
            ).commands(),
            *QuoteCommands(
                threads=self.threads,
                positions=self.positions,
                clubs=self.clubs,
                books=self.books,
                keepsakes=self.stores.keepsakes,
            ).commands(),
            *PredictionCommands(
                threads=self.threads,
                positions=self.positions,
                clubs=self.clubs,
                books=self.books,
                keepsakes=self.stores.keepsakes,
            ).commands(),
        ]
