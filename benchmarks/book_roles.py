"""Prints what the readers make of books, one line a file: pages, story, chapters, and the parts outside the story.

    python -m benchmarks.book_roles FILES_OR_FOLDERS

A line is a row of the table in docs/book-roles.md.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from adapters.readers.choose import reader_for
from core.domain.book import BookText
from core.domain.errors import BookError

_ENDINGS: Final = frozenset({".epub", ".pdf", ".txt", ".md"})
_SHOWN: Final = 3


def main(places: Iterable[str]) -> None:
    """Print a line for each book file among these and in these folders."""
    for place in map(Path, places):
        files = sorted(one for one in place.rglob("*") if one.suffix in _ENDINGS) if place.is_dir() else [place]
        for path in files:
            if path.name.isupper() or path.stem == "README":
                continue
            try:
                print(_line(path.name, reader_for(path).read(path)))
            except BookError as error:
                print(f"| {path.name} | refused: {error} | | | | |")


def _line(name: str, book: BookText) -> str:
    last = book.last_story_page or len(book.pages)
    paths = [*dict.fromkeys(" / ".join(one.path) for one in book.chapters if one.path)]
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    outside = [
        f"{one.role}: {one.title} (pp. {one.first_page} to {one.last_page}; {one.why})".replace("|", "/")
        for one in book.outside
    ]
    cells = (
        name,
        len(book.pages),
        f"{book.first_story_page} to {last}",
        len(book.chapters),
        "; ".join(paths[:_SHOWN]) + more,
        "; ".join(outside),
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main(sys.argv[1:])
