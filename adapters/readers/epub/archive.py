"""The zip file of an EPUB: reads members by name into memory, never onto disk, and within limits.

Called by the EPUB reader. Container format: EPUB Open Container Format 3.3 (https://www.w3.org/TR/epub-33/#sec-ocf).
"""

import lzma
import posixpath
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from adapters.readers.files import unreadable
from core.domain.errors import BookError, BookErrorCode

_MOST_FILES: Final = 10_000
_MOST_BYTES_OF_ONE: Final = 32_000_000
_MOST_BYTES_READ: Final = 64_000_000
_MOST_BYTES_UNPACKED: Final = 2_000_000_000
# A book's text compresses to a third or a tenth; only repetition compresses to a thousandth.
_SUSPICIOUS_SIZE: Final = 10_000_000
_SUSPICIOUS_RATIO: Final = 100
_ENCRYPTED: Final = 0x1
_NAMED_IN_UTF_8: Final = 0x800
_BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, struct.error, ValueError, IndexError, KeyError,
    NotImplementedError, RuntimeError,
)  # fmt: skip


class EpubArchive:
    """The members of one EPUB file, by their names from its root."""

    def __init__(self, zip_file: zipfile.ZipFile, name: str) -> None:
        self._zip = zip_file
        self._name = name
        self._members = {_member_name(info): info for info in zip_file.infolist() if not info.is_dir()}
        self._folded = {_folded(member): member for member in reversed(self._members)}
        self._read = 0

    def has(self, member: str) -> bool:
        """Whether there is such a member; like `read`, it ignores case and the form of accents."""
        return self._found(member) is not None

    def read(self, member: str) -> bytes | None:
        """Return a member's content, or None if there is no such member.

        Raises:
            BookError: it is damaged or encrypted, or far larger than any book.
        """
        info = self._found(member)
        if info is None:
            return None
        if info.flag_bits & _ENCRYPTED:
            raise unreadable(f"{self._name} is encrypted with a password; give a copy that is not.")
        most = min(_MOST_BYTES_OF_ONE, _MOST_BYTES_READ - self._read)
        with _damage_in_words(self._name), self._zip.open(info) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise _bomb(self._name)
        self._read += len(data)
        return data

    def _found(self, member: str) -> zipfile.ZipInfo | None:
        return self._members.get(member) or self._members.get(self._folded.get(_folded(member), ""))


@contextmanager
def opened(path: Path, name: str) -> Iterator[EpubArchive]:
    """Open the archive and check its directory before anything is unpacked.

    Raises:
        BookError: it is no complete zip file, or its directory looks like an attack.
    """
    with _damage_in_words(name):
        zip_file = zipfile.ZipFile(path)
    with zip_file:
        _refuse_hostile(zip_file.infolist(), name)
        yield EpubArchive(zip_file, name)


def resolved(base: str, href: str) -> tuple[str, str]:
    """Return the member and the fragment that a reference in the member `base` points to; "" for a web link.

    A reference that leaves the archive names no member; one that begins with a slash counts from the archive's root.
    """
    path, _, fragment = href.strip().partition("#")
    path, fragment = unquote(path).replace("\\", "/"), unquote(fragment)
    if not path:
        return base, fragment
    if ":" in path.partition("/")[0]:
        return "", ""
    member = posixpath.normpath(posixpath.join(posixpath.dirname(base), path)).lstrip("/")
    return ("", "") if member.startswith("../") else (member, fragment)


def _member_name(info: zipfile.ZipInfo) -> str:
    """Return a name in the form that references use: some programs write backslashes, or UTF-8 without its flag."""
    name = info.filename
    if not info.flag_bits & _NAMED_IN_UTF_8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name.replace("\\", "/")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _refuse_hostile(members: list[zipfile.ZipInfo], name: str) -> None:
    if len(members) >= _MOST_FILES:
        message = f"{name} holds {len(members)} files, more than any book; give the EPUB of one book."
        raise BookError(BookErrorCode.TOO_LARGE, message)
    for member in members:
        _refuse_hostile_member(member, name)
    if sum(member.file_size for member in members) > _MOST_BYTES_UNPACKED:
        raise _bomb(name)


def _refuse_hostile_member(member: zipfile.ZipInfo, name: str) -> None:
    parts = member.filename.replace("\\", "/").split("/")
    if ".." in parts or not parts[0] or ":" in parts[0]:
        raise unreadable(f"{name} holds files with paths that lead out of it; give an EPUB as a shop made it.")
    if stat.S_ISLNK(member.external_attr >> 16):
        raise unreadable(f"{name} holds a symbolic link, which no EPUB may; give an EPUB as a shop made it.")
    if member.file_size > max(_SUSPICIOUS_SIZE, member.compress_size * _SUSPICIOUS_RATIO):
        raise _bomb(name)


def _bomb(name: str) -> BookError:
    message = f"{name} unpacks to far more than any book (a zip bomb); give an EPUB as a shop made it."
    return BookError(BookErrorCode.TOO_LARGE, message)


@contextmanager
def _damage_in_words(name: str) -> Iterator[None]:
    try:
        yield
    except _BROKEN as error:
        raise unreadable(f"{name} is damaged or was cut off; fetch it again.") from error
