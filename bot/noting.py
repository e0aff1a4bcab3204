"""What keeps, checks, shows and makes reading notes, by the settings; called by the wiring."""

from dataclasses import dataclass
from pathlib import Path

from adapters.llm.openai import OpenAIChatProvider
from adapters.persistence.database import Database
from adapters.persistence.notes import SqlNoteRepository
from adapters.readers.note_files import read_note_file
from bot.home import sample_book
from bot.settings import Settings
from core.answering.costs import CallPrice
from core.domain.book import Book
from core.domain.tool_use import GenerationOptions
from core.library.library import ImportedBook, Library
from core.library.note_jobs import NoteJobs
from core.library.note_making import NoteLimits, NoteMaker
from core.library.note_writer import NoteWriter
from core.library.notes import Notes
from core.ports.books import BookRepository
from core.ports.chat_provider import ChatProvider
from core.ports.clock import Clock
from core.ports.guard import Guard

_LOCAL_WORDS = 700
"""A local model keeps the form of its answer better where it is shown two pages at a time; it answers one at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noting:
    """All about notes over one database; `maker` and `jobs` are None without a model."""

    notes: Notes
    maker: NoteMaker | None
    jobs: NoteJobs | None


def noting(
    settings: Settings,
    model: ChatProvider | None,
    *,
    database: Database,
    books: BookRepository,
    guard: Guard,
    price: CallPrice,
    clock: Clock,
) -> Noting:
    """Build it; nothing is read or asked for yet."""
    kept = SqlNoteRepository(database)
    notes = Notes(books=books, notes=kept, guard=guard)
    if model is None:
        return Noting(notes=notes, maker=None, jobs=None)
    maker = NoteMaker(
        books=books,
        notes=kept,
        guard=guard,
        writer=NoteWriter(
            provider=model,
            prompts_dir=settings.prompts_dir,
            options=GenerationOptions(model=settings.notes_model or settings.model),
        ),
        price=price,
        clock=clock,
        limits=_limits(settings, model),
    )
    return Noting(notes=notes, maker=maker, jobs=NoteJobs(books=books, notes=kept, maker=maker))


async def note_sample(notes: Notes, folder: Path, imported: ImportedBook) -> None:
    """Give the novel that comes with the program its notes, when it has just come in."""
    path = folder / "notes.jsonl"
    if imported.is_new and path.is_file():
        await notes.take(read_note_file(path), book=imported.book, written_by="Thusfar contributors")


def _limits(settings: Settings, model: ChatProvider) -> NoteLimits:
    if isinstance(model, OpenAIChatProvider) and not model.native:
        return NoteLimits(words=_LOCAL_WORDS, at_once=1, most_tokens=settings.notes_tokens)
    return NoteLimits(most_tokens=settings.notes_tokens)


async def add_sample(library: Library, notes: Notes, settings: Settings, scope: str) -> Book:
    """Import the novel that comes with the program into a scope; where it is there already, that one is given."""
    sample = sample_book(settings.sample_folder)
    imported = await library.add(sample.path, scope=scope, title=sample.title, author=sample.author)
    await note_sample(notes, settings.sample_folder, imported)
    return await library.get(imported.book.book_id)
