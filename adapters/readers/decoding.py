"""Bytes of a file to clean text, or one sentence why not; called by the text and Markdown readers."""

import codecs
import re
import stat
from pathlib import Path

from charset_normalizer import from_bytes

from core.domain.errors import BookError, BookErrorCode

DEFAULT_MAX_BYTES = 50 * 1024 * 1024

_SIGNATURES = (
    (b"%PDF", "a PDF", "name it .pdf"),
    (b"{\\rtf", "an RTF document", "save it as plain text"),
    (b"\xd0\xcf\x11\xe0", "an Office document", "save it as plain text"),
    (b"PK\x05\x06", "a zip archive", "unpack it first"),
)
_ZIP = b"PK\x03\x04"
# The four-byte marks come first: the UTF-32 mark begins with the UTF-16 one.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL_BYTES = bytes(set(range(0x20)) - set(b"\t\n\r\f\v\x1a") | {0x7F})
_MOST_CONTROLS = 0.3
_WHOLE_PER_BROKEN = 10
_SAMPLE_BYTES = 64 * 1024
_NEWLINES = re.compile(r"\r\n|[\r\v\x85\u2028\u2029]")
# Besides control characters: stray byte order marks and soft hyphens, which would hide a word from the search.
_DROPPED = dict.fromkeys([*(set(range(0x20)) - {0x09, 0x0A, 0x0C}), *range(0x7F, 0xA0), 0xAD, 0xFEFF])
_LETTER = re.compile(r"[^\W\d_]")


def read_text(path: Path, max_bytes: int) -> str:
    r"""Return the text of a file with newlines as \n and no control characters but \n, \t and \f.

    Raises:
        BookError: there is no such file, it may not be read, is too large, empty, or is no text.
    """
    name = path.name
    text = _decode(_bytes_of(path, max_bytes), name)
    text = _NEWLINES.sub("\n", text).translate(_DROPPED)
    require_letters(text, name)
    return text


def require_letters(text: str, name: str) -> None:
    """Refuse a text in which there is nothing to read.

    Raises:
        BookError: the text has no letter.
    """
    if not _LETTER.search(text):
        message = f"{name} has no words in it; a file with the text of a book is needed."
        raise BookError(BookErrorCode.EMPTY, message)


def _bytes_of(path: Path, max_bytes: int) -> bytes:
    name = path.name
    try:
        _refuse_by_status(path, max_bytes)
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise BookError(BookErrorCode.NOT_FOUND, f"There is no file {name!r}; check the path.") from error
    except PermissionError as error:
        raise _unreadable(f"{name} may not be read; its permissions have to allow it.") from error
    except OSError as error:
        raise _unreadable(f"{name} cannot be read ({error.strerror}); try a copy of it.") from error
    if len(data) > max_bytes:  # it has grown since
        raise _too_large(name, max_bytes)
    if not data:
        raise BookError(BookErrorCode.EMPTY, f"{name} is empty (0 bytes); a file with the text of a book is needed.")
    return data


def _refuse_by_status(path: Path, max_bytes: int) -> None:
    status = path.stat()
    if stat.S_ISDIR(status.st_mode):
        raise _unreadable(f"{path.name} is a folder; give the file of one book.")
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device could block or never end
        raise _unreadable(f"{path.name} is not a file; give the file of one book.")
    if status.st_size > max_bytes:
        raise _too_large(path.name, max_bytes)


def _decode(data: bytes, name: str) -> str:
    _refuse_known_formats(data, name)
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    if b"\0" in data or controls > _MOST_CONTROLS * len(data):
        raise _unreadable(f"{name} looks like binary data, not text; save the book as plain text in UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_damaged_utf8(data) or _decode_legacy(data)


def _refuse_known_formats(data: bytes, name: str) -> None:
    start = data[:1024].lstrip()
    if start.startswith(_ZIP):
        if b"application/epub+zip" in start:
            raise _unreadable(f"{name} looks like an EPUB, not text; name it .epub.")
        raise _unreadable(f"{name} looks like a zip archive, not text; unpack it, or name it .epub if it is an EPUB.")
    for signature, what, remedy in _SIGNATURES:
        if start.startswith(signature):
            raise _unreadable(f"{name} looks like {what}, not text; {remedy}.")


def _decode_damaged_utf8(data: bytes) -> str | None:
    """Forgive a few broken bytes: guessing another encoding would garble every quotation mark of the book."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = sum(1 for lead in data if lead >= 0xC2) - broken  # noqa: PLR2004 - lead bytes of UTF-8 begin there
    return text if whole > _WHOLE_PER_BROKEN * broken else None


def _decode_legacy(data: bytes) -> str:
    # Only lines that are not plain ASCII tell encodings apart; a sample of them is fast at any size.
    telling = b"\n".join(line for line in data.split(b"\n") if not line.isascii())
    matches = from_bytes(telling[:_SAMPLE_BYTES])
    best = matches.best()
    encodings = [best.encoding] if best else []
    # Among equals charset-normalizer names cp1250 first, which spells French names wrong.
    if best and any("cp1252" in match.could_be_from_charset and match.chaos <= best.chaos for match in matches):
        encodings.insert(0, "cp1252")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", errors="replace")


def _unreadable(message: str) -> BookError:
    return BookError(BookErrorCode.UNREADABLE, message)


def _too_large(name: str, max_bytes: int) -> BookError:
    limit = f"{max_bytes / 1024 / 1024:.0f} MB" if max_bytes >= 1024 * 1024 else f"{max_bytes} bytes"
    return BookError(BookErrorCode.TOO_LARGE, f"{name} is larger than {limit}; give a smaller file.")
