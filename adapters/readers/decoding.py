"""Decodes a file's bytes to clean text, or raises one sentence; called by the text, Markdown and EPUB readers."""

import codecs
import re
from pathlib import Path

from charset_normalizer import CharsetMatch, from_bytes

from adapters.readers.files import bytes_of, unreadable
from adapters.readers.formats import HEAD_BYTES, BookFormat, kind_of, misnamed
from adapters.readers.naming import shown_name
from core.domain.errors import BookError, BookErrorCode

_SIGNATURES = (
    (b"{\\rtf", "an RTF document", "save it as plain text"),
    (b"\xd0\xcf\x11\xe0", "an Office document", "save it as plain text"),
)
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
# Besides control characters: stray byte order marks and soft hyphens, which would hide words from the search.
_DROPPED = dict.fromkeys([*(set(range(0x20)) - {0x09, 0x0A, 0x0C}), *range(0x7F, 0xA0), 0xAD, 0xFEFF])
_LETTER = re.compile(r"[^\W\d_]")


def read_text(path: Path, max_bytes: int) -> str:
    r"""Return the text of a file with newlines as \n and no control characters but \n, \t and \f.

    Raises:
        BookError: there is no such file, it may not be read, is too large, empty, or is no text.
    """
    name = shown_name(path)
    text = _decode(bytes_of(path, max_bytes), name)
    text = _NEWLINES.sub("\n", text).translate(_DROPPED)
    require_letters(text, name)
    return text


def require_letters(text: str, name: str) -> None:
    """Check that a text has letters.

    Raises:
        BookError: the text has no letter.
    """
    if not _LETTER.search(text):
        message = f"{name} has no words in it; pictures of pages (a comic, a scan) can't be read, give the book's text."
        raise BookError(BookErrorCode.EMPTY, message)


def _decode(data: bytes, name: str) -> str:
    _refuse_known_formats(data, name)
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding, errors="replace")
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    if b"\0" in data or controls > _MOST_CONTROLS * len(data):
        raise unreadable(f"{name} looks like binary data, not text; save the book as plain text in UTF-8.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode_damaged_utf8(data) or _decode_legacy(data)


def _refuse_known_formats(data: bytes, name: str) -> None:
    kind = kind_of(data[:HEAD_BYTES])
    if kind is not BookFormat.OTHER:
        raise unreadable(misnamed(name, "", kind))
    start = data[:HEAD_BYTES].lstrip()
    for signature, what, remedy in _SIGNATURES:
        if start.startswith(signature):
            raise unreadable(f"{name} looks like {what}, not text; {remedy}.")


def _decode_damaged_utf8(data: bytes) -> str | None:
    """Decode UTF-8 with a few broken bytes: guessing another encoding would garble every quotation mark."""
    text = data.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    whole = sum(1 for lead in data if lead >= 0xC2) - broken  # noqa: PLR2004 - lead bytes of UTF-8 begin there
    return text if whole > _WHOLE_PER_BROKEN * broken else None


def _decode_legacy(data: bytes) -> str:
    # Only non-ASCII lines distinguish encodings; a sample of them is fast at any size.
    telling = b"\n".join(line for line in data.split(b"\n") if not line.isascii())
    matches = from_bytes(telling[:_SAMPLE_BYTES])
    best = matches.best()
    encodings = [best.encoding] if best else []
    # Among equals charset-normalizer names cp1250 first, which spells French names wrong.
    if best and any("cp1252" in match.could_be_from_charset and _fits_as_well(match, best) for match in matches):
        encodings.insert(0, "cp1252")
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("cp1252", errors="replace")


def _fits_as_well(match: CharsetMatch, best: CharsetMatch) -> bool:
    return match.chaos <= best.chaos and match.coherence >= best.coherence
