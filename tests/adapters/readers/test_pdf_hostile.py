"""Hostile and damaged PDF files: each is refused in one sentence, or read."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from core.domain.errors import BookError
from tests.adapters.readers.files import read_back
from tests.adapters.readers.pdfs import LEADING, TOP, Pdf, Shown, encrypted

_WORDS = "The tide had gone out and left the boats."
_GOOD = Pdf(pages=[[Shown(_WORDS)]] * 3).made()


def _image_only() -> bytes:
    pixel = (
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>"
    )
    return Pdf(pages=[[]] * 3, objects=[pixel + b"\nstream\n\0\nendstream"]).made()


def _without_names_of_letters() -> bytes:
    """Return a file whose font has only glyph numbers."""
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [<< /Type /Font "
        b"/Subtype /CIDFontType2 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
        b"/Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /X /Flags 4 >> >>] >>"
    )
    return re.sub(rb"<< /Type /Font /Subtype /Type1[^>]*>>", lambda _: font, _GOOD)


_REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "a scan": (_image_only, r"has pictures of pages but no text \(a scan\)"),
    "nearly a scan": (
        lambda: Pdf(pages=[[Shown(_WORDS)], *[[]] * 40]).made(),
        r"has text on 1 of its 41 pages only \(a scan\)",
    ),
    "letters without names": (_without_names_of_letters, "does not say which letters its fonts show"),
    "a password": (lambda: encrypted(_GOOD, "secret"), "is encrypted with a password"),
    "noise": (lambda: b"%PDF-1.7\n" + bytes(range(256)) * 100, "is damaged or was cut off"),
    "nothing but a header": (lambda: b"%PDF-1.7\n", "is damaged or was cut off"),
    "no pages": (lambda: Pdf(pages=[]).made(), "has no pages that could be read|is damaged"),
    "a tree that is its own root": (
        lambda: re.sub(rb"/Kids \[[^\]]*\]", b"/Kids [2 0 R 2 0 R 2 0 R]", _GOOD),
        "damaged|scan",
    ),
}


@pytest.mark.parametrize(("make", "says"), _REFUSED.values(), ids=_REFUSED)
def test_a_hostile_file_is_refused_in_one_sentence_soon(make: Callable[[], bytes], says: str, tmp_path: Path) -> None:
    data = make()
    began = time.process_time()
    with pytest.raises(BookError, match=says) as caught:
        read_back(tmp_path, data, "book.pdf")
    assert time.process_time() - began < 5
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith("book.pdf ")
    assert message.endswith(".")


def _outline_of_itself() -> bytes:
    data = Pdf(pages=[[Shown(_WORDS)]] * 3, outline=[(0, "One", 0), (0, "Two", 1)]).made()
    return data.replace(b"/Next 13 0 R", b"/Next 12 0 R").replace(b"/First 12 0 R", b"/First 5 0 R ")


_READ: dict[str, Callable[[], bytes]] = {
    "without its cross-references": lambda: _GOOD[: _GOOD.index(b"xref")] + _GOOD[_GOOD.index(b"trailer") :],
    "with wrong cross-references": lambda: re.sub(rb"\d{10} 00000 n", b"0000000007 00000 n", _GOOD),
    "with text before and behind it": lambda: b"\n\n" + _GOOD + b"\ntrailing noise",
    "with an outline that goes in circles": _outline_of_itself,
    "with wrong lengths": lambda: re.sub(rb"/Length \d+", b"/Length 999999", _GOOD),
}


@pytest.mark.parametrize("make", _READ.values(), ids=_READ)
def test_a_damaged_file_that_can_be_repaired_is_read(make: Callable[[], bytes], tmp_path: Path) -> None:
    assert [page.text for page in read_back(tmp_path, make(), "book.pdf").pages] == [_WORDS] * 3


def test_a_file_cut_off_is_read_as_far_as_it_goes_or_refused(tmp_path: Path) -> None:
    texts: set[str] = set()
    for share in range(1, 20):
        with suppress(BookError):
            book = read_back(tmp_path, _GOOD[: len(_GOOD) * share // 20], "book.pdf")
            texts |= {page.text for page in book.pages}
    assert texts <= {_WORDS, ""}


def test_one_page_of_nine_thousand_lines_is_read(tmp_path: Path) -> None:
    line = "The tide had gone out and left the boats lying on the grey mud below."
    page = [Shown(line, y=TOP - LEADING * at) for at in range(9_000)]
    book = read_back(tmp_path, Pdf(pages=[page]).made(), "book.pdf")
    assert len(book.pages) == 1
    assert book.pages[0].text.split() == (f"{line} " * 9_000).split()
