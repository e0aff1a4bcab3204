"""Opens a PDF and reads what PDFium provides: lines, labels, outline, metadata; called by the PDF reader."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pypdfium2
import pypdfium2.raw as pdfium_c

from adapters.readers.files import unreadable
from adapters.readers.pdf.lines import LineFinder, PdfLine
from core.domain.errors import BookError, BookErrorCode

_MOST_PAGES: Final = 20_000
_MOST_ENTRIES: Final = 20_000
_DEEPEST: Final = 8
# PDFium drops a font when the last page that uses it is closed; loading it again for each page takes time.
_KEPT_OPEN: Final = 4
_SAMPLED_PAGES: Final = 8
_SAMPLED_LETTERS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfEntry:
    """One line of the outline: its page from 0, and its height on it (None: the top)."""

    title: str
    depth: int
    page: int
    base: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfFacts:
    """What a PDF says about itself."""

    title: str | None
    author: str | None
    pages: int
    labels: tuple[str, ...]
    outline: tuple[PdfEntry, ...]


def facts_of(path: Path, name: str) -> PdfFacts:
    """Return what the file says about itself.

    Raises:
        BookError: it is encrypted, damaged beyond repair, has more pages than any book, or undecodable letters.
    """
    with _opened(path, name) as document:
        count = len(document)
        if count > _MOST_PAGES:
            raise BookError(BookErrorCode.TOO_LARGE, f"{name} has {count} pages, more than any book; give one book.")
        if not count:
            raise unreadable(f"{name} has no pages that could be read; it is damaged, fetch it again.")
        if _has_no_letters_known(document, count):
            raise unreadable(f"{name} does not say which letters its fonts show; give a copy with text, after OCR.")
        names = document.get_metadata_dict()
        labels = tuple(str(document.get_page_label(index) or "") for index in range(count))
        return PdfFacts(
            title=names.get("Title"),
            author=names.get("Author"),
            pages=count,
            labels=() if all(label in {"", str(number)} for number, label in enumerate(labels, 1)) else labels,
            outline=tuple(_outline(document, count)),
        )


def lines_of(path: Path, name: str, pages: Sequence[int]) -> Iterator[list[PdfLine]]:
    """Return the lines of some pages; an unreadable page is empty. Raises BookError as `facts_of`."""
    finder = LineFinder()
    kept: list[Any] = []
    with _opened(path, name) as document:
        for index in pages:
            try:
                page = document[index]
                text_page = page.get_textpage()
            except pypdfium2.PdfiumError:
                yield []
                continue
            kept.append(page)
            yield finder.lines(text_page)
            text_page.close()
            if len(kept) > _KEPT_OPEN:
                kept.pop(0).close()
        for page in kept:
            page.close()


@contextmanager
def _opened(path: Path, name: str) -> Iterator[Any]:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        code = pdfium_c.FPDF_GetLastError()
        if code in {pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY}:
            raise unreadable(f"{name} is encrypted with a password; give a copy that opens without one.") from error
        raise unreadable(f"{name} is damaged or was cut off; fetch it again.") from error
    try:
        yield document
    finally:
        document.close()


def _has_no_letters_known(document: Any, pages: int) -> bool:  # noqa: ANN401 - PDFium's objects have no types
    """Whether most letters are only glyph numbers, which would come out as other letters; checks a few pages.

    Some fonts name no letters but number them in the usual way: then most are small letters, as in any text.
    """
    letters = unknown = small = 0
    for index in range(0, pages, -(-pages // _SAMPLED_PAGES)):
        try:
            text_page = document[index].get_textpage()
        except pypdfium2.PdfiumError:
            continue
        sampled = range(min(text_page.count_chars(), _SAMPLED_LETTERS))
        unknown += sum(pdfium_c.FPDFText_HasUnicodeMapError(text_page.raw, at) == 1 for at in sampled)
        small += sum(map(str.islower, text_page.get_text_range(0, len(sampled)))) if sampled else 0
        letters += len(sampled)
        text_page.close()
    return 2 * unknown > letters > 2 * small


def _outline(document: Any, pages: int) -> Iterator[PdfEntry]:  # noqa: ANN401
    try:
        for number, bookmark in enumerate(document.get_toc(max_depth=_DEEPEST)):
            destination = bookmark.get_dest()
            page = destination.get_index() if destination else None
            if number >= _MOST_ENTRIES:
                return
            if page is not None and 0 <= page < pages:
                yield PdfEntry(
                    title=str(bookmark.get_title()), depth=bookmark.level, page=page, base=_height(destination)
                )
    except pypdfium2.PdfiumError:
        return  # a broken outline is as good as none


def _height(destination: Any) -> float | None:  # noqa: ANN401
    mode, view = destination.get_view()
    if mode == pdfium_c.PDFDEST_VIEW_XYZ and len(view) > 1:
        return view[1] or None
    if mode == pdfium_c.PDFDEST_VIEW_FITH and view:
        return view[0] or None
    return None
