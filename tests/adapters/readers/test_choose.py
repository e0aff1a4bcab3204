"""A path that no reader accepts is refused in one accurate sentence, before anything is read."""

from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.errors import BookError, BookErrorCode
from tests.adapters.readers.files import read_back

_EPUB = b"PK\x03\x04" + bytes(26) + b"mimetypeapplication/epub+zip"


_ZIP = b"PK\x03\x04" + bytes(40)


@pytest.mark.parametrize(
    ("name", "content", "next_step"),
    [
        ("book.mobi", b"text", "convert it to EPUB, with Calibre for example."),
        ("book.AZW3", b"text", "convert it to EPUB, with Calibre for example."),
        ("book.fb2", b"<FictionBook/>", "convert it to EPUB, with Calibre for example."),
        ("book.docx", _ZIP, "save it as EPUB or PDF, and give that."),
        ("book.odt", _ZIP, "save it as EPUB or PDF, and give that."),
        (
            "book.acsm",
            b"<fulfillmentToken/>",
            "it opens in one shop's app alone (DRM); give an EPUB that any app opens.",
        ),
        ("book.cbz", _ZIP, "pictures of pages have no text; give the book as EPUB, or as PDF after OCR."),
        ("book.svg", b"<svg/>", "pictures of pages have no text; give the book as EPUB, or as PDF after OCR."),
        (
            "book.m4b",
            b"\x00\x00\x00\x20ftypM4B ",
            "a recording has no text; give the book as EPUB, and set your page by the time you're at.",
        ),
        ("book.xyz", b"text", "a book is a file that ends in .epub, .pdf, .txt, .text, .md, .markdown."),
        ("book", b"text", "a book is a file that ends in .epub, .pdf, .txt, .text, .md, .markdown."),
    ],
)
def test_another_format_is_refused_with_the_next_step(
    name: str, content: bytes, next_step: str, tmp_path: Path
) -> None:
    with pytest.raises(BookError) as caught:
        read_back(tmp_path, content, name)
    assert str(caught.value) == f"I can't read {name}: {next_step}"
    assert caught.value.code is BookErrorCode.UNREADABLE


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("book.pdf", b"Just text.", r"is called a PDF, but is none .*call it \.txt"),
        ("book.EPUB", b"Just text.", r"is called an EPUB, but is none .*call it \.txt"),
        ("book.epub", b"%PDF-1.7\n", r"looks like a PDF, but is not called one; rename it .* ends in \.pdf\."),
        ("book.txt", b"%PDF-1.7\n", r"looks like a PDF, but is not called one; rename it .* ends in \.pdf\."),
        ("book.pdf", _EPUB, r"looks like an EPUB, but is not called one; rename it .* ends in \.epub\."),
        ("book", _EPUB, r"looks like an EPUB, but is not called one; rename it .* ends in \.epub\."),
        ("book.md", b"PK\x05\x06" + bytes(18), r"looks like a zip archive, not like a book; unpack it first"),
        ("book.zip", b"PK\x03\x04" + bytes(40), r"looks like a zip archive, not like a book; unpack it first"),
    ],
)
def test_a_wrong_ending_is_reported_with_the_right_one(name: str, content: bytes, says: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=says) as caught:
        read_back(tmp_path, content, name)
    assert caught.value.code is BookErrorCode.UNREADABLE


@pytest.mark.parametrize("ending", [".epub", ".pdf", ".txt", ".md"])
def test_a_file_of_0_bytes_is_called_empty(ending: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match=r"is empty \(0 bytes\)") as caught:
        read_back(tmp_path, b"", f"book{ending}")
    assert caught.value.code is BookErrorCode.EMPTY


@pytest.mark.parametrize("ending", [".epub", ".pdf", ".txt", ".md"])
def test_a_file_of_300_megabytes_is_refused_by_its_size_alone(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"book{ending}"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    path.chmod(0)  # only the superuser could read it
    with pytest.raises(BookError, match="is larger than 50 MB") as caught:
        reader_for(path)
    assert caught.value.code is BookErrorCode.TOO_LARGE


@pytest.mark.parametrize("name", ["folder", "folder.txt", "folder.epub"])
def test_a_folder_is_called_one_whatever_its_ending(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(BookError, match=f"^{name} is a folder"):
        reader_for(tmp_path / name)


@pytest.mark.parametrize("name", ["gone", "gone.txt", "gone.xyz", "gone/gone.txt", "go\0ne"])
def test_a_missing_file_is_missing_whatever_its_ending(name: str, tmp_path: Path) -> None:
    with pytest.raises(BookError, match="There is no file") as caught:
        reader_for(tmp_path / name)
    assert caught.value.code is BookErrorCode.NOT_FOUND
