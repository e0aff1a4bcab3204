"""The supported formats: detection by first bytes, and the protocol of their readers."""

from enum import StrEnum
from pathlib import Path
from typing import Protocol

from core.domain.book import BookText

TEXT_ENDINGS = (".txt", ".text")
MARKDOWN_ENDINGS = (".md", ".markdown")
EPUB_ENDINGS = (".epub",)
PDF_ENDINGS = (".pdf",)

KNOWN = ", ".join((*EPUB_ENDINGS, *PDF_ENDINGS, *TEXT_ENDINGS, *MARKDOWN_ENDINGS))

_OTHER_WAYS = {
    (".azw", ".azw3", ".fb2", ".htm", ".html", ".lit", ".mobi", ".prc"): "convert it to EPUB, with Calibre for example",
    (".doc", ".docx", ".odt", ".pages", ".rtf"): "save it as EPUB or PDF, and give that",
    (".aa", ".aax", ".acsm", ".kfx"): "it opens in one shop's app alone (DRM); give an EPUB that any app opens",
    (".m4a", ".m4b", ".mp3"): "a recording has no text; give the book as EPUB, and set your page by the time you're at",
    (".cb7", ".cbr", ".cbz", ".djvu", ".heic", ".jpeg", ".jpg", ".png", ".svg"): "pictures of pages have no text; give "
    "the book as EPUB, or as PDF after OCR",
}
HEAD_BYTES = 1024
_EPUB_TYPE = b"application/epub+zip"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_PDF_START = b"%PDF-"


class BookFormat(StrEnum):
    """The kind of a file by its first bytes; `OTHER` may be text."""

    EPUB = "an EPUB"
    ZIP = "a zip archive"
    PDF = "a PDF"
    OTHER = "text"


def kind_of(head: bytes) -> BookFormat:
    """Return the kind of a file from its first bytes; an EPUB without an early marker counts as a zip archive."""
    start = head.lstrip()
    if start.startswith(_ZIP_STARTS):
        return BookFormat.EPUB if _EPUB_TYPE in head else BookFormat.ZIP
    return BookFormat.PDF if _PDF_START in head[:HEAD_BYTES] else BookFormat.OTHER


def misnamed(name: str, suffix: str, kind: BookFormat) -> str:
    """Return the sentence for a file whose name doesn't match its kind, or whose kind isn't supported."""
    if kind is BookFormat.ZIP:
        return f"{name} looks like a zip archive, not like a book; unpack it first and give the file of one book."
    if kind is BookFormat.OTHER:
        what = BookFormat.PDF if suffix in PDF_ENDINGS else BookFormat.EPUB
        return f"{name} is called {what}, but is none or was damaged; fetch it again, or call it .txt if it is text."
    right = PDF_ENDINGS[0] if kind is BookFormat.PDF else EPUB_ENDINGS[0]
    return f"{name} looks like {kind}, but is not called one; rename it so that it ends in {right}."


def refused(name: str, suffix: str) -> str:
    """Return the sentence for a file of another format, with the next step."""
    return f"I can't read {name}: {_other_way(suffix) or f'a book is a file that ends in {KNOWN}'}."


def is_other_format(suffix: str, kind: BookFormat) -> bool:
    """Whether an ending that no reader has says more about the file than its first bytes; many formats are zips."""
    return kind is BookFormat.OTHER or (kind is BookFormat.ZIP and _other_way(suffix) is not None)


def _other_way(suffix: str) -> str | None:
    return next((way for endings, way in _OTHER_WAYS.items() if suffix in endings), None)


class FileReader(Protocol):
    """Reads one kind of file in this process and thread; `IsolatedBookReader` runs it elsewhere, within limits."""

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` override what the file says.

        Raises:
            BookError: the file can't be read as a book (one sentence: what is wrong, what would be right).
        """
