"""Builds the services that store, check, show and make reading notes; called by the wiring."""

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
"""A local model keeps to the format better with two pages at a time; it answers one call at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noting:
    """The notes services over one database; `maker` and `jobs` are None without a model."""

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
    """Build the services; nothing is read or called yet."""
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
    """Import the notes of the sample novel after its import."""
    path = folder / "notes.jsonl"
    if imported.is_new and path.is_file():
        await notes.take(read_note_file(path), book=imported.book, written_by="Thusfar contributors")


def _limits(settings: Settings, model: ChatProvider) -> NoteLimits:
    if isinstance(model, OpenAIChatProvider) and not model.native:
        return NoteLimits(words=_LOCAL_WORDS, at_once=1, most_tokens=settings.notes_tokens)
    return NoteLimits(most_tokens=settings.notes_tokens)


async def add_sample(library: Library, notes: Notes, settings: Settings, scope: str) -> Book:
    """Import the sample novel into a scope, or return it if it is already there."""
    sample = sample_book(settings.sample_folder)
    imported = await library.add(sample.path, scope=scope, title=sample.title, author=sample.author)
    await note_sample(notes, settings.sample_folder, imported)
    return await library.get(imported.book.book_id)
