"""What every BookReader does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.readers.isolated import IsolatedBookReader
from core.domain.errors import BookError
from core.ports.book_reader import BookReader
from tests.adapters.readers.epubs import Epub
from tests.adapters.readers.pdfs import LEADING, TOP, Pdf, Shown
from tests.builders import STORY, a_book_text
from tests.fakes.book_reader import InMemoryBookReader


def _text() -> bytes:
    return "\n\n".join(STORY).encode()


def _epub() -> bytes:
    return Epub(documents={"a.xhtml": "".join(f"<p>{paragraph}</p>" for paragraph in STORY)}).packed()


def _pdf() -> bytes:
    lines = [Shown(line, y=TOP - LEADING * 2 * at, size=6) for at, line in enumerate(STORY)]
    return Pdf(pages=[lines], title="Marrow").made()


_IN_MEMORY = InMemoryBookReader(marrow=a_book_text())
_CASES: dict[str, tuple[Callable[[], BookReader], str, Callable[[], bytes]]] = {
    "memory": (lambda: _IN_MEMORY, ".txt", _text),
    "text": (IsolatedBookReader, ".txt", _text),
    "markdown": (IsolatedBookReader, ".md", _text),
    "epub": (IsolatedBookReader, ".epub", _epub),
    "pdf": (IsolatedBookReader, ".pdf", _pdf),
}


@pytest.fixture(params=_CASES)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[BookReader, Path]:
    """A reader and the file of a book for it."""
    make_reader, suffix, make = _CASES[request.param]
    path = tmp_path / f"marrow{suffix}"
    path.write_bytes(make())
    return make_reader(), path


async def test_pages_count_from_1_and_hold_the_whole_text(case: tuple[BookReader, Path]) -> None:
    reader, path = case
    text = await reader.read(path)
    assert [page.number for page in text.pages] == list(range(1, len(text.pages) + 1))
    assert " ".join(page.text for page in text.pages).split() == " ".join(STORY).split()


async def test_the_story_lies_within_the_pages(case: tuple[BookReader, Path]) -> None:
    reader, path = case
    text = await reader.read(path)
    assert 1 <= text.first_story_page <= (text.last_story_page or len(text.pages)) <= len(text.pages)
    assert all(1 <= one.first_page <= one.last_page <= len(text.pages) for one in text.chapters)


async def test_a_file_that_cannot_be_read_is_told_in_a_sentence(case: tuple[BookReader, Path]) -> None:
    reader, path = case
    empty = path.with_stem("empty")
    empty.write_bytes(b"")
    with pytest.raises(BookError) as caught:
        await reader.read(empty)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


async def test_progress_only_rises_and_ends_with_the_last_page(case: tuple[BookReader, Path]) -> None:
    reader, path = case
    told: list[tuple[int, int]] = []
    text = await reader.read(path, on_progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1:] in ([], [(len(text.pages), len(text.pages))])
