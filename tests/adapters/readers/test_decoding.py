"""Bytes become clean text, or one sentence that says what to do."""

import codecs
import os
from pathlib import Path

import pytest

from adapters.readers.decoding import read_text
from core.domain.errors import BookError, BookErrorCode

_LIMIT = 1_000_000
_WORDS = "“Mon père,” said Zoë, à la fin, “señor Núñez et la crème – très bien!” She knew it well.\n"
_TURKISH = "Bütün mutlu aileler birbirine benzer; İstanbul'da ığdır.\n"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"plain\r\nold\rtext\n", "plain\nold\ntext\n"),
        (codecs.BOM_UTF8 + "é".encode(), "é"),
        ("é “x”".encode("utf-16"), "é “x”"),
        (codecs.BOM_UTF16_BE + "é".encode("utf-16-be"), "é"),
        (codecs.BOM_UTF32_LE + "é".encode("utf-32-le"), "é"),
        (b"a\x07b\tc\x0cd\x7f\n", "ab\tc\fd\n"),
        ("to\u00adgether\ufeff".encode(), "together"),
        ((_WORDS * 20).encode("cp1252"), _WORDS * 20),
        ((_WORDS * 20).encode("mac_roman"), _WORDS * 20),
        (
            ("Он сказал, что это было лучшее время.\n" * 20).encode("cp1251"),
            "Он сказал, что это было лучшее время.\n" * 20,
        ),
        ((_TURKISH * 20).encode("cp1254"), _TURKISH * 20),
        ((_WORDS * 20).encode() + b"\xff", _WORDS * 20 + "\ufffd"),
    ],
)
def test_text_is_decoded_and_cleaned(data: bytes, text: str, tmp_path: Path) -> None:
    assert read_text(_written(tmp_path, data), _LIMIT) == text


@pytest.mark.parametrize(
    ("data", "code", "says"),
    [
        (b"", BookErrorCode.EMPTY, "empty"),
        (b" \n\f\n 12 ...", BookErrorCode.EMPTY, "no words"),
        (b"%PDF-1.7 text", BookErrorCode.UNREADABLE, "looks like a PDF, but is not called one"),
        (b"PK\x03\x04 text", BookErrorCode.UNREADABLE, "looks like a zip archive, not like a book; unpack it"),
        (
            b"PK\x03\x04\n\x00\x00mimetypeapplication/epub+zip",
            BookErrorCode.UNREADABLE,
            "looks like an EPUB, but is not called one; rename it so that it ends in .epub.",
        ),
        (b"{\\rtf1 text}", BookErrorCode.UNREADABLE, "RTF"),
        (b"some\0text", BookErrorCode.UNREADABLE, "binary"),
        (b"\x01\x02\x03\x04text" * 9, BookErrorCode.UNREADABLE, "binary"),
        (b"a" * (_LIMIT + 1), BookErrorCode.TOO_LARGE, "larger"),
    ],
)
def test_a_file_that_is_not_a_book_is_refused_in_one_sentence(
    data: bytes, code: BookErrorCode, says: str, tmp_path: Path
) -> None:
    with pytest.raises(BookError) as caught:
        read_text(_written(tmp_path, data), _LIMIT)
    assert caught.value.code is code
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(
    ("limit", "said"), [(999_999, "999999 bytes"), (1_000_000, "1 MB"), (1_500_000, "1.5 MB"), (2_000_000, "2 MB")]
)
def test_the_limit_is_said_in_the_unit_it_is_set_in(limit: int, said: str, tmp_path: Path) -> None:
    assert len(read_text(_written(tmp_path, b"a" * limit), limit)) == limit
    with pytest.raises(BookError, match=f"is larger than {said};"):
        read_text(_written(tmp_path, b"a" * (limit + 1)), limit)


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(BookError, match="is not a file"):
        read_text(tmp_path / "pipe.txt", _LIMIT)


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "book.txt"
    path.write_bytes(data)
    return path
