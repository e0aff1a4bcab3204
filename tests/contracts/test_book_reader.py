"""What every BookReader does."""

from pathlib import Path

import pytest

from adapters.readers.markdown import MarkdownBookReader
from adapters.readers.text import TextBookReader
from core.domain.errors import BookError
from core.ports.book_reader import BookReader
from tests.builders import STORY, a_book_text
from tests.fakes.book_reader import InMemoryBookReader

_READERS = [InMemoryBookReader(marrow=a_book_text()), TextBookReader(), MarkdownBookReader()]


@pytest.fixture(params=_READERS, ids=["memory", "text", "markdown"])
def reader(request: pytest.FixtureRequest) -> BookReader:
    reader: BookReader = request.param
    return reader


@pytest.fixture
def path(reader: BookReader, tmp_path: Path) -> Path:
    path = tmp_path / f"marrow{min(reader.suffixes)}"
    path.write_text("\n\n".join(STORY), encoding="utf-8")
    return path


def test_endings_are_lower_case_with_their_dot(reader: BookReader) -> None:
    assert reader.suffixes
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in reader.suffixes)


def test_pages_count_from_1_and_hold_the_whole_text(reader: BookReader, path: Path) -> None:
    text = reader.read(path)
    assert [page.number for page in text.pages] == list(range(1, len(text.pages) + 1))
    assert " ".join(page.text for page in text.pages).split() == " ".join(STORY).split()


def test_title_and_author_that_are_given_win(reader: BookReader, path: Path) -> None:
    text = reader.read(path, title="Mine", author="Me")
    assert (text.title, text.author) == ("Mine", "Me")
    assert reader.read(path).title not in {"", "Mine"}


def test_a_file_that_cannot_be_read_is_told_in_a_sentence(reader: BookReader, tmp_path: Path) -> None:
    empty = tmp_path / f"empty{min(reader.suffixes)}"
    empty.write_bytes(b"")
    with pytest.raises(BookError) as caught:
        reader.read(empty)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_reading_twice_gives_the_same(reader: BookReader, path: Path) -> None:
    assert reader.read(path) == reader.read(path)
