"""A damaged Chroma folder: answers stay right, one log line says so, and Chroma works again afterwards."""

import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.retrieval.chroma_folder import ChromaFolder
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.exact_index import ExactPassageIndex
from core.domain.passage import ReadableSpan
from tests.adapters.retrieval.vectors import DIMENSIONS, MODEL, InMemoryVectorRepository, ids_found, made_up, one_query

_BOOK = "b_damage"
_SPAN = ReadableSpan(book_id=_BOOK, last_page=30)
_CHUNKS = 120


def _vector_files(folder: Path) -> list[Path]:
    return list(folder.glob("*/*.bin"))


def _delete_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def _delete_the_folder_and_leave_a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("not a folder")


def _truncate_the_database(folder: Path) -> None:
    database = folder / "chroma.sqlite3"
    database.write_bytes(database.read_bytes()[:5_000])


def _empty_the_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_bytes(b"")


def _garble_the_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_bytes(b"\x13\x37" * 40_000)


def _garble_a_piece_of_the_database(folder: Path) -> None:
    database = folder / "chroma.sqlite3"
    content = bytearray(database.read_bytes())
    content[4_096 : 4_096 * 20] = b"\xa5" * (4_096 * 19)
    database.write_bytes(bytes(content))


def _delete_the_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").unlink()


def _drop_a_table(folder: Path) -> None:
    with sqlite3.connect(folder / "chroma.sqlite3") as connection:
        connection.execute("DROP TABLE segments")
    connection.close()


def _delete_half_of_the_rows(folder: Path) -> None:
    with sqlite3.connect(folder / "chroma.sqlite3") as connection:
        connection.execute("DELETE FROM embeddings WHERE id % 2 = 0")
    connection.close()


@asynccontextmanager
async def _index(folder: Path, said: list[str]) -> AsyncIterator[ChromaPassageIndex]:
    vectors = InMemoryVectorRepository()
    vectors.books[_BOOK] = made_up(chunks=_CHUNKS)
    exact = ExactPassageIndex(vectors, model_id=MODEL, dimensions=DIMENSIONS)
    index = ChromaPassageIndex(ChromaFolder(folder, said.append), exact=exact, model_id=MODEL)
    try:
        yield index
    finally:
        await index.close()


async def _expected() -> list[int]:
    vectors = InMemoryVectorRepository()
    vectors.books[_BOOK] = made_up(chunks=_CHUNKS)
    return await ids_found(
        ExactPassageIndex(vectors, model_id=MODEL, dimensions=DIMENSIONS), _SPAN, one_query(), limit=5
    )


@pytest.mark.parametrize(
    "damage",
    [
        _delete_the_folder,
        _delete_the_folder_and_leave_a_file,
        _truncate_the_database,
        _empty_the_database,
        _garble_the_database,
        _garble_a_piece_of_the_database,
        _delete_the_database,
        _drop_a_table,
    ],
)
async def test_a_damaged_folder_heals_at_the_next_use(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    folder, said, expected = tmp_path / "chroma", list[str](), await _expected()
    async with _index(folder, said) as index:
        assert await ids_found(index, _SPAN, one_query(), limit=5) == expected
    assert said == []
    damage(folder)
    async with _index(folder, said) as index:
        assert await ids_found(index, _SPAN, one_query(), limit=5) == expected
        assert await ids_found(index, _SPAN, one_query(), limit=5) == expected
        assert await index.usable()
    assert len(said) == 1
    assert "rebuilt" in said[0]
    assert "\n" not in said[0]
    async with _index(folder, said) as index:
        assert await ids_found(index, _SPAN, one_query(), limit=5) == expected
    assert len(said) == 1
    assert _rows_in(folder) == _CHUNKS


async def test_a_half_filled_collection_is_filled_up(tmp_path: Path) -> None:
    folder, said = tmp_path / "chroma", list[str]()
    async with _index(folder, said) as index:
        await ids_found(index, _SPAN, one_query(), limit=5)
    _delete_half_of_the_rows(folder)
    async with _index(folder, said) as index:
        assert await ids_found(index, _SPAN, one_query(), limit=5) == await _expected()
    assert _rows_in(folder) == _CHUNKS


@pytest.mark.parametrize("keep", [0, 10, 0.5], ids=["missing", "ten bytes", "half"])
async def test_damaged_vector_files_do_not_give_wrong_answers(tmp_path: Path, keep: float) -> None:
    """Chroma writes these files from 1,000 rows on; below, the vectors lie in its log."""
    folder, said, many = tmp_path / "chroma", list[str](), made_up(chunks=1_200)
    span = ReadableSpan(book_id="b_many", last_page=900)
    vectors = InMemoryVectorRepository()
    vectors.books["b_many"] = many
    exact = ExactPassageIndex(vectors, model_id=MODEL, dimensions=DIMENSIONS)
    expected = await ids_found(exact, span, one_query(), limit=5)
    index = ChromaPassageIndex(ChromaFolder(folder, said.append), exact=exact, model_id=MODEL)
    assert await ids_found(index, span, one_query(), limit=5) == expected
    await index.close()
    files = _vector_files(folder)
    assert files
    for file in files:
        content = file.read_bytes()
        if keep == 0:
            file.unlink()
        else:
            file.write_bytes(content[: int(keep) if keep >= 1 else int(len(content) * keep)])
    for _ in range(2):
        index = ChromaPassageIndex(ChromaFolder(folder, said.append), exact=exact, model_id=MODEL)
        assert await ids_found(index, span, one_query(), limit=5) == expected
        assert await ids_found(index, span, one_query(), limit=5) == expected
        await index.close()
    assert len(said) == 1


async def test_a_folder_that_is_deleted_while_it_is_open_does_not_stop_the_search(tmp_path: Path) -> None:
    folder, said = tmp_path / "chroma", list[str]()
    async with _index(folder, said) as index:
        await ids_found(index, _SPAN, one_query(), limit=5)
        shutil.rmtree(folder)
        assert await ids_found(index, _SPAN, one_query(), limit=5) == await _expected()
    async with _index(folder, said) as index:
        assert await ids_found(index, _SPAN, one_query(), limit=5) == await _expected()
    assert len(said) == 1


def _rows_in(folder: Path) -> int:
    connection = sqlite3.connect(folder / "chroma.sqlite3")
    (count,) = connection.execute("SELECT count(*) FROM embeddings").fetchone()
    connection.close()
    return int(count)
