"""Wires the commands of a club's life: who is who, what happened so far, how far it has come, what to talk about."""

from core.agent.read_book import Shelf
from core.app.commands.discuss_commands import DiscussCommands
from core.app.commands.open_books import OpenBooks
from core.app.commands.people_commands import PeopleCommands
from core.app.commands.progress_commands import ProgressCommands
from core.app.commands.recap_commands import RecapCommands
from core.app.commands.values import Command
from core.app.positions import PositionService
from core.app.threads import ThreadService
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository
from core.ports.readings import ReadingRepository


def club_life_commands(
    *,
    threads: ThreadService,
    positions: PositionService,
    clubs: ClubRepository,
    books: BookRepository,
    readings: ReadingRepository,
    shelf: Shelf,
) -> list[Command]:
    """Return the commands that need no question and no model."""
    open_books = OpenBooks(threads=threads, positions=positions, clubs=clubs, books=books, shelf=shelf)
    return [
        *PeopleCommands(open_books).commands(),
        *RecapCommands(open_books, positions=positions).commands(),
        *DiscussCommands(open_books).commands(),
        *ProgressCommands(threads=threads, positions=positions, readings=readings, clubs=clubs, books=books).commands(),
    ]
