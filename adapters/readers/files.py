"""Checks a path before a book is read from it, with one sentence for each problem."""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.readers.naming import shown_name
from core.domain.errors import BookError, BookErrorCode

DEFAULT_MAX_BYTES = 50_000_000
_MEGABYTE = 1_000_000


def require_file(path: Path) -> int:
    """Return the size of the file in bytes.

    Raises:
        BookError: the file doesn't exist, is a folder, or can't be accessed.
    """
    name = shown_name(path)
    with _errors_in_words(name):
        status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise unreadable(f"{name} is a folder; give the file of one book.")
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device could block or never end
        raise unreadable(f"{name} is not a file; give the file of one book.")
    return status.st_size


def require_size(path: Path, max_bytes: int) -> None:
    """Check the size of a file before it is read.

    Raises:
        BookError: the file doesn't exist, is too large, or has 0 bytes.
    """
    size = require_file(path)
    if size > max_bytes:
        raise _too_large(shown_name(path), max_bytes)
    if not size:
        raise _empty(shown_name(path))


def bytes_of(path: Path, max_bytes: int) -> bytes:
    """Return the file's content.

    Raises:
        BookError: the file doesn't exist, can't be read, is too large or empty.
    """
    name = shown_name(path)
    if require_file(path) > max_bytes:
        raise _too_large(name, max_bytes)
    data = head_of(path, max_bytes + 1)
    if len(data) > max_bytes:  # it has grown since the check
        raise _too_large(name, max_bytes)
    if not data:
        raise _empty(name)
    return data


def head_of(path: Path, length: int) -> bytes:
    """Return the first bytes of the file. Raises BookError: it doesn't exist or can't be read."""
    with _errors_in_words(shown_name(path)), path.open("rb") as file:
        return file.read(length)


def unreadable(message: str) -> BookError:
    """Return the error for a file that can't be read as a book."""
    return BookError(BookErrorCode.UNREADABLE, message)


@contextmanager
def _errors_in_words(name: str) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no file {name!r}; check the path.") from error
    except PermissionError as error:
        raise unreadable(f"{name} may not be read; its permissions have to allow it.") from error
    except OSError as error:
        raise unreadable(f"{name} cannot be read ({error.strerror}); try a copy of it.") from error


def _empty(name: str) -> BookError:
    return BookError(BookErrorCode.EMPTY, f"{name} is empty (0 bytes); a file with the text of a book is needed.")


def _too_large(name: str, max_bytes: int) -> BookError:
    limit = f"{max_bytes / _MEGABYTE:g} MB" if max_bytes >= _MEGABYTE else f"{max_bytes} bytes"
    return BookError(BookErrorCode.TOO_LARGE, f"{name} is larger than {limit}; give a smaller file.")
