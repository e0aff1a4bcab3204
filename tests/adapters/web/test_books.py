"""The page of books: uploading, importing, editing, and no access to books of another scope."""

import html
from pathlib import Path

import pytest

from adapters.platform.buttons import button_id
from adapters.web.surface import THREAD
from core.club.commands.values import Choice
from tests.adapters.web.rooms import Served, Tab, buttons

_SMALL = (
    b"CHAPTER I: The Lamp\n\nThe lighthouse keeper lit the lamp.\x0c"
    b"The storm broke the window of the tower.\x0c"
    b"CHAPTER II: The Wreck\n\nThe keeper's daughter rowed out to the wreck."
)


async def _id_of(house: Served, title: str) -> str:
    return (await house.thusfar.library.find(scope="local", name=title)).book_id


async def test_a_book_is_dropped_opened_and_read(house: Served, tab: Tab) -> None:
    await tab.listen()
    became = await tab.drop("small.txt", _SMALL)
    assert "Small is here: 3 pages." in became
    assert "The Lamp" not in became
    assert set(buttons(became)) == {"Read it here"}
    assert "<h2>Small" in await tab.get("/books")
    await tab.post("/press", button=buttons(became)["Read it here"], entry="")
    await tab.heard("book")
    assert 'max="3"' in await tab.get("/")
    await tab.post("/page", page=1)
    page = await tab.get("/")
    assert "lit the lamp" in page
    assert "storm" not in page


async def test_import_progress_is_sent_once_per_percent(house: Served, tab: Tab) -> None:
    await tab.listen()
    tell = house.server.shelf._progress("long.pdf")
    for done in range(1_001):
        tell("reading", done, 1_000)
    await tab.heard("import", '"percent": 100')
    told = [data["percent"] for event, data in tab.events if event == "import"]
    assert told == list(range(101))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("noise.epub", b"PK\x03\x04 no book"),
        ("noise.pdf", b"%PDF-1.4 no book"),
        ("x.exe", b"MZ"),
        ("", b""),
    ],
)
async def test_a_file_that_is_not_a_book_is_refused_in_a_sentence(
    house: Served, tab: Tab, name: str, content: bytes
) -> None:
    became = await tab.drop(name, content)
    assert "part refusal" in became
    assert "Traceback" not in became
    assert len(await house.thusfar.library.in_scope(scope="local")) == 1


async def test_a_file_that_is_too_large_is_not_taken(house: Served, tab: Tab) -> None:
    house.server.shelf._shelf.most_bytes = 1_000
    assert "too large" in await tab.drop("long.txt", b"word " * 500)
    assert len(await house.thusfar.library.in_scope(scope="local")) == 1


async def test_titles_of_begun_chapters_are_shown_and_can_be_edited(house: Served, tab: Tab) -> None:
    await tab.post("/page", page=9)
    book_id = await _id_of(house, "Short Weight")
    page = html.unescape(await tab.get(f"/books/{book_id}"))
    assert "Chapter 2: Persons Having Business" in page
    assert "Ninepence" not in page
    await tab.post(
        f"/books/{book_id}", status=200, title="Shorter Weight", author="", last_page="80", chapters={"2": "Two"}
    )
    page = await tab.get(f"/books/{book_id}")
    assert 'value="Two"' in page
    assert 'value="Shorter Weight"' in page
    assert "of 80" in await tab.get("/")
    outline = await house.thusfar.library.outline(book_id)
    assert outline.chapters[2].title == "Chapter 3: Ninepence"


@pytest.mark.parametrize(
    "wrong", [{"title": " "}, {"last_page": "900"}, {"first_page": "x"}, {"chapters": {"99": "x"}}]
)
async def test_an_invalid_edit_is_refused_in_a_sentence(house: Served, tab: Tab, wrong: dict[str, object]) -> None:
    book_id = await _id_of(house, "Short Weight")
    assert (await tab.post(f"/books/{book_id}", status=409, **wrong))["refusal"]
    assert (await house.thusfar.library.get(book_id)).title == "Short Weight"


async def test_books_of_another_scope_are_not_accessible(house: Served, tab: Tab) -> None:
    other = (await house.thusfar.library.share(await _id_of(house, "Short Weight"), scope="discord:1")).book
    await tab.get(f"/books/{other.book_id}", status=409)
    await tab.post(f"/books/{other.book_id}", status=409, title="Mine")
    for command in (".use", ".remove", ".replace", ".own", ".notes-make"):
        choice = Choice(label="", command=command, text=other.book_id)
        (sealed,) = await house.room.services.platform.seal.of([choice], THREAD, None)
        told = await tab.post("/press", button=button_id(sealed, longest=200), entry="")
        assert "part refusal" in house.room.html_of(house.room.talk._entries[told["id"]])
    assert (await house.thusfar.library.get(other.book_id)).title == "Short Weight"


async def test_a_book_is_removed_after_a_question(house: Served, tab: Tab) -> None:
    await tab.drop("small.txt", _SMALL)
    asked = await house.say(tab, f"/book remove {await _id_of(house, 'Small')}", where="books")
    assert "Delete Small for everyone" in asked
    told = await tab.post("/press", button=buttons(asked)["Remove it"], entry="")
    assert "part refusal" not in house.room.html_of(house.room.talk._entries[told["id"]])
    assert "<h2>Small" not in await tab.get("/books")


async def test_notes_are_explained_before_they_are_made(house: Served, tab: Tab) -> None:
    await tab.drop("small.txt", _SMALL)
    told = await house.say(tab, f"/book notes {await _id_of(house, 'Small')}", where="books")
    assert "Only an AI model can write notes, and none is set up here." in told


async def test_a_page_stays_with_its_book_when_another_process_opens_one(
    house: Served, tab: Tab, tmp_path: Path
) -> None:
    await tab.get("/")
    path = tmp_path / "other.txt"
    path.write_text("Chapter 1\n\nThe quokka slept.\n", "utf-8")
    other = await house.thusfar.library.add(path, scope="local")
    await house.thusfar.threads.open(THREAD, book_id=other.book.book_id)
    assert "Short Weight" in await tab.get("/")
    assert "quokka slept" not in await house.say(tab, "What did the animal do?")
    await house.say(tab, "/book use other")
    assert "Short Weight" not in await tab.get("/")
