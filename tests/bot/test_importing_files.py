"""EPUB and PDF through the whole house: what the command line tells, and that nothing half-made stays."""

import asyncio
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import build
from tests.adapters.readers.epubs import Epub
from tests.adapters.readers.files import prose
from tests.adapters.readers.pdfs import Pdf, Shown, flowed
from tests.bot.running import thusfar

_PAGE_BREAK = '<span epub:type="pagebreak" title="{}"/>'
_BODY = "".join(f"{_PAGE_BREAK.format(label)}<h2>Chapter {label}</h2><p>{prose(30)}</p>" for label in (7, 8, 9))
_EPUB = Epub(documents={"a.xhtml": _BODY})
_PDF = Pdf(
    pages=[flowed(prose(30))] * 4,
    outline=[(0, "One", 1), (0, "Two", 3)],
    labels="0 << /S /r >> 1 << /S /D >>",
    title="The Marrow of the Sea",
    author="A. Nobody",
)


@pytest.mark.parametrize(
    ("name", "content", "pages", "chapters", "source", "labels"),
    [
        ("sea.epub", _EPUB.packed(), 3, 3, "page_breaks", {"first": "7", "last": "9", "pages": 3}),
        ("sea.pdf", _PDF.made(), 4, 2, "pdf", {"first": "i", "last": "3", "pages": 4}),
    ],
)
def test_a_book_is_added_with_its_names_pages_and_chapters(
    name: str, content: bytes, pages: int, chapters: int, source: str, labels: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    added = thusfar("books", "add", str(path), "--json").json
    assert (added["title"], added["author"]) == ("The Marrow of the Sea", "A. Nobody")
    assert (added["pages"], added["chapters"]) == (pages, chapters)
    assert thusfar("books", "add", str(path), "--json").json["book_id"] == added["book_id"]
    shown = thusfar("books", "show", "the marrow", "--json").json
    assert (shown["page_source"], shown["labels"]) == (source, labels)


_CAT = "吾輩は猫である。名前はまだ無い。どこで生れたか頓と見当がつかぬ。" * 20


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cat.txt", _CAT.encode("shift_jis")),
        ("cat.md", f"# 猫\n\n{_CAT}".encode()),
        ("cat.epub", Epub(documents={"a.xhtml": f"<h2>One</h2><p>{_CAT}</p>"}).packed()),
    ],
)
def test_a_book_without_spaces_is_refused_in_every_format(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    said = thusfar("books", "add", str(path)).failed_in_one_line()
    assert said == "I can't read Japanese well enough yet to keep it spoiler-free."
    assert thusfar("books", "list", "--json").json == []


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.epub", _EPUB.packed()[:-40]),
        ("noise.pdf", b"%PDF-1.7\n" + bytes(range(256))),
        ("scan.pdf", Pdf(pages=[[]] * 3).made()),
        ("really.epub", _PDF.made()),
        ("bomb.epub", Epub(documents={"a.xhtml": f"<p>{'a' * 30_000_000}</p>"}).packed()),
        ("empty.epub", b""),
    ],
)
def test_a_hostile_file_is_one_line_and_leaves_nothing(name: str, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert name in thusfar("books", "add", str(path), "--json").failed_in_one_line()
    assert thusfar("books", "list", "--json").json == []


async def test_an_import_given_up_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "long.pdf"
    path.write_bytes(Pdf(pages=[[Shown(f"Page {at} of the book.")] * 200 for at in range(1_000)]).made())
    house = build(Settings(_env_file=None, thusfar_home=tmp_path / "a-home"))
    told: list[str] = []
    reading = asyncio.Event()

    def tell(doing: str, done: int, total: int) -> None:
        told.append(f"{doing} {done}/{total}")
        reading.set()

    adding = asyncio.create_task(house.library.add(path, scope="local", on_progress=tell))
    async with asyncio.timeout(60):
        await reading.wait()
    adding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    assert told[0] == "reading 16/1000"
    assert await house.library.in_scope(scope="local") == []
    await house.close()
