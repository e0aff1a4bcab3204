"""Reading in a separate process: same result, failures stay there, and nothing else waits."""

import asyncio
import os
import re
import time
import zlib
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from adapters.readers.isolated import IsolatedBookReader, ReadingLimits
from core.domain.errors import BookError, BookErrorCode
from tests.adapters.readers.epubs import Epub
from tests.adapters.readers.files import prose
from tests.adapters.readers.pdfs import Pdf, Shown, flowed

_EPUB = Epub(documents={f"{at}.xhtml": f"<h2>Chapter {at}</h2><p>{prose(900)}</p>" for at in range(1, 4)})


def _slow_epub(folder: Path) -> Path:
    """Write a book whose reading takes a fifth of a second on a quick machine."""
    path = folder / "slow.epub"
    body = "".join(f"<p>Paragraph {at}. {prose(100)}</p>" for at in range(4_000))
    path.write_bytes(Epub(documents={"a.xhtml": body}).packed())
    return path


def _children() -> set[int]:
    """Return this process's children and their children.

    The fork server's children are left out: they belong to all tests that are running.
    """
    found, waiting = set[int](), [os.getpid()]
    while waiting:
        for task in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            new = {int(pid) for pid in task.read_text().split()} - found
            found |= new
            waiting += [pid for pid in new if not _is_fork_server(pid)]
    return found


def _is_fork_server(pid: int) -> bool:
    with suppress(OSError):
        return b"tests.bot.fork_server" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("book.epub", _EPUB.packed()),
        ("book.pdf", Pdf(pages=[flowed(prose(100))] * 80, labels="0 << /S /r >>", outline=[(0, "One", 3)]).made()),
        ("book.txt", (f"Chapter I\n\n{prose(40_000)}\n\nChapter II\n\n{prose(40_000)}").encode()),
        ("book.md", f"# Book\n\n## One\n\n{prose(600)}\n\n\f\ud7ff 漢字".encode()),
    ],
)
async def test_the_book_is_the_same_as_without_a_process(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    told: list[tuple[int, int]] = []
    book = await IsolatedBookReader().read(path, on_progress=lambda done, total: told.append((done, total)))
    assert book == reader_for(path).read(path)
    assert told == sorted(told)
    assert not told or told[-1] == (len(book.pages), len(book.pages))
    assert bool(told) == (name == "book.pdf")


async def test_a_refusal_is_said_in_the_words_of_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(Pdf(pages=[[]] * 3).made())
    with pytest.raises(BookError, match=r"no text \(a scan\)") as caught:
        await IsolatedBookReader().read(path)
    assert caught.value.code is BookErrorCode.EMPTY


async def test_a_file_that_is_too_large_starts_no_process(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    with path.open("wb") as file:
        file.truncate(300_000_000)
    before = _children()
    with pytest.raises(BookError, match="larger than 50 MB"):
        await IsolatedBookReader().read(path)
    assert _children() == before


async def test_a_timeout_ends_the_process_with_a_sentence(tmp_path: Path) -> None:
    path = _slow_epub(tmp_path)
    before = _children()
    began = time.monotonic()
    with pytest.raises(
        BookError, match=r"slow\.epub takes over 0\.05 s to read; give a simpler copy of it\."
    ) as caught:
        await IsolatedBookReader(limits=ReadingLimits(seconds=0.05)).read(path)
    assert caught.value.code is BookErrorCode.TOO_LARGE
    assert time.monotonic() - began < 20  # a busy machine included
    assert _children() == before


async def test_too_much_memory_ends_the_process_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "large.epub"
    body = "".join(f"<p>Paragraph {at}. {prose(100)}</p>" for at in range(9_000))
    path.write_bytes(Epub(documents={"a.xhtml": "<p>First.</p>", "b.xhtml": body, "c.xhtml": "<p>Last.</p>"}).packed())
    before = _children()
    with pytest.raises(BookError, match=r"of memory to read|reading it broke off"):
        await IsolatedBookReader(limits=ReadingLimits(megabytes=64)).read(path)
    assert _children() == before


def _bomb() -> bytes:
    """Return a page whose content of 200 MB is compressed twice, to a few kilobytes."""
    packed = zlib.compress(zlib.compress(b"(a) Tj " * 30_000_000, 9), 9)
    header = b"<< /Filter [/FlateDecode /FlateDecode] /Length %d >>\nstream\n" % len(packed)
    page = Pdf(pages=[[Shown("A page of the book.")]]).made()
    return re.sub(rb"<< /Length \d+ >>\nstream\n.*?(?=\nendstream)", lambda _: header + packed, page, flags=re.DOTALL)


async def test_a_bomb_in_a_page_ends_the_process_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "bomb.pdf"
    path.write_bytes(_bomb())
    assert path.stat().st_size < 100_000
    before = _children()
    with pytest.raises(BookError, match=r"takes over 8 s|of memory to read|reading it broke off"):
        await IsolatedBookReader(limits=ReadingLimits(seconds=8, megabytes=400)).read(path)
    assert _children() == before


async def test_cancelling_ends_the_process_and_those_that_it_started(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(Pdf(pages=[[Shown(f"Page {at} of the book.")] * 200 for at in range(600)]).made())
    before = _children()
    running = asyncio.Event()
    reading = asyncio.create_task(IsolatedBookReader().read(path, on_progress=lambda _done, _total: running.set()))
    async with asyncio.timeout(60):
        await running.wait()
    assert _children() > before
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert _children() == before


async def test_others_are_served_while_a_book_is_read(tmp_path: Path) -> None:
    path = _slow_epub(tmp_path)
    await IsolatedBookReader().read(_small(tmp_path))
    reading = asyncio.create_task(IsolatedBookReader().read(path))
    beats, longest, before = 0, 0.0, time.thread_time()
    while not reading.done():
        await asyncio.wait([reading], timeout=0.005)
        now = time.thread_time()
        beats, longest, before = beats + 1, max(longest, now - before), now
    assert len((await reading).pages) > 500
    assert beats > 10
    assert longest < 0.5  # of this thread's own time, whatever else the machine does; it is a few hundredths


async def test_the_number_of_parallel_readers_is_limited(tmp_path: Path) -> None:
    reader = IsolatedBookReader(limits=ReadingLimits(at_once=1))
    books = await asyncio.gather(*(reader.read(_small(tmp_path)) for _ in range(3)))
    assert books[0] == books[1] == books[2]


def _small(folder: Path) -> Path:
    path = folder / "small.epub"
    path.write_bytes(_EPUB.packed())
    return path
