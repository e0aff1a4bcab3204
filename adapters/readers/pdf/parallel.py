"""Reads the lines of a whole PDF, sharing its pages among processes; called by the PDF reader.

PDFium uses one core, and only one thread may use it. Only a single-threaded process, as the worker is, may ask for more
than one process here.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from adapters.readers.files import unreadable
from adapters.readers.pdf.document import lines_of
from adapters.readers.pdf.lines import PdfLine

LinesProgress = Callable[[int, int], None]
"""Gets the number of pages read and the total."""

_BATCH: Final = 16
_WORTHWHILE: Final = 64


def all_lines(
    path: Path, name: str, pages: int, *, processes: int, on_progress: LinesProgress | None
) -> list[list[PdfLine]]:
    """Return the lines of each page.

    Raises:
        BookError: the file can't be opened, or a process that reads it dies.
    """
    shared = processes >= 2 and pages >= _WORTHWHILE  # noqa: PLR2004
    found: list[list[PdfLine]] = []
    for lines in _shared(path, name, pages, processes) if shared else lines_of(path, name, range(pages)):
        found.append(lines)
        if on_progress is not None and (len(found) % _BATCH == 0 or len(found) == pages):
            on_progress(len(found), pages)
    return found


def _shared(path: Path, name: str, pages: int, processes: int) -> Iterator[list[PdfLine]]:
    batches = [range(start, min(start + _BATCH, pages)) for start in range(0, pages, _BATCH)]
    # A forked process has all modules loaded; where forking is not safe (macOS, Windows) it imports them again.
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    try:
        with ProcessPoolExecutor(processes, mp_context=context) as pool:
            yield from chain.from_iterable(pool.map(partial(_batch, path, name), batches))
    except BrokenProcessPool as error:
        raise unreadable(f"{name} is damaged or too complex: reading it broke off; give another copy.") from error


def _batch(path: Path, name: str, pages: range) -> list[list[PdfLine]]:
    return [*lines_of(path, name, pages)]
