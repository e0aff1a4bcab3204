"""What is kept of books beside the database: in memory, as much as is set, and in files of the home."""

from dataclasses import dataclass

from adapters.persistence.index_files import NpzIndexFiles
from bot.settings import Settings
from core.caching.book_memory import MEGABYTE, BookMemory
from core.ports.index_files import IndexFiles


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """The memory that all who hold something of books share, and the files of indexes."""

    memory: BookMemory
    files: IndexFiles

    @classmethod
    def of(cls, settings: Settings) -> "Keeping":
        """Return what the settings give; nothing is read or written yet."""
        return cls(
            memory=BookMemory(settings.books_memory_megabytes * MEGABYTE),
            files=NpzIndexFiles(settings.indexes_folder),
        )
