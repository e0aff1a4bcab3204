"""Wires the commands of a club's life: who is who, what happened so far, how far it has come, what to talk about."""

from core.agent.read_book import Shelf
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
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.keepsakes import KeepsakeRepository
from core.ports.readings import ReadingRepository


def club_life_commands(
    *,
    threads: ThreadService,
    positions: PositionService,
    clubs: ClubRepository,
    books: BookRepository,
    readings: ReadingRepository,
    clock: Clock,
    shelf: Shelf,
) -> list[Command]:
    """Return the commands that need no question and no model."""
    open_books = OpenBooks(threads=threads, positions=positions, clubs=clubs, books=books, shelf=shelf)
    return [
        *PeopleCommands(open_books).commands(),
        *RecapCommands(open_books, positions=positions).commands(),
        *DiscussCommands(open_books).commands(),
        *ScheduleCommands(threads=threads, books=books, clock=clock).commands(),
        *ProgressCommands(threads=threads, positions=positions, readings=readings, clubs=clubs, books=books).commands(),
    ]


def keepsake_commands(
    *,
    threads: ThreadService,
    positions: PositionService,
    clubs: ClubRepository,
    books: BookRepository,
    keepsakes: KeepsakeRepository,
) -> list[Command]:
    """Return the commands for what members leave for a page."""
    return [
        *QuoteCommands(threads=threads, positions=positions, clubs=clubs, books=books, keepsakes=keepsakes).commands(),
        *PredictionCommands(
            threads=threads, positions=positions, clubs=clubs, books=books, keepsakes=keepsakes
        ).commands(),
    ]
