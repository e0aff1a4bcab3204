"""A shared Chroma server: the search works without it while it is down, and uses it when it is back."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest

from adapters.retrieval import chroma_calls
from adapters.retrieval.chroma_address import ChromaAddress
from adapters.retrieval.chroma_index import ChromaPassageIndex
from adapters.retrieval.chroma_server import ChromaServer
from adapters.retrieval.exact_index import ExactPassageIndex
from core.domain.passage import ReadableSpan
from tests.adapters.retrieval.vectors import DIMENSIONS, MODEL, InMemoryVectorRepository, ids_found, made_up, one_query
from tests.chroma_server import ChromaProgram

_BOOK = "b_one"
_CHUNKS = 200
_SPAN = ReadableSpan(book_id=_BOOK, last_page=90)
_SECRET = "s3cret-of-ours"  # noqa: S105


class _House:
    """The SQL data and log of processes that share a database on a server."""

    def __init__(self, url: str) -> None:
        self.address = ChromaAddress.of(url)
        self.vectors = InMemoryVectorRepository()
        self.vectors.books[_BOOK] = made_up(chunks=_CHUNKS)
        self.said: list[str] = []

    @asynccontextmanager
    async def index(self, *, pause_s: float = 0.0, timeout_s: float = 20.0) -> AsyncIterator[ChromaPassageIndex]:
        """Return the index of one process."""
        store = ChromaServer(self.address, self.said.append, pause_s=pause_s, timeout_s=timeout_s)
        index = ChromaPassageIndex(store, exact=self.exact(), model_id=MODEL)
        try:
            yield index
        finally:
            await index.close()

    def exact(self) -> ExactPassageIndex:
        return ExactPassageIndex(self.vectors, model_id=MODEL, dimensions=DIMENSIONS)

    async def expected(self) -> list[int]:
        return await ids_found(self.exact(), _SPAN, one_query(), limit=5)

    def names(self) -> list[str]:
        """The collections in our database."""
        api = chroma_calls.connect(self.address, timeout_s=20)
        names = [model.name for model in api.list_collections(database=self.address.database)]
        chroma_calls.session_of(api).close()
        return names


@pytest.fixture
def house(chroma_server: ChromaProgram) -> _House:
    return _House(chroma_server.url(f"own-{uuid4().hex}"))


async def _found(index: ChromaPassageIndex) -> list[int]:
    return await ids_found(index, _SPAN, one_query(), limit=5)


async def test_a_server_outage_is_bridged_and_the_server_is_used_again_later(
    house: _House, chroma_server: ChromaProgram
) -> None:
    expected = await house.expected()
    async with house.index() as index:
        assert await _found(index) == expected
        assert await _found(index) == expected
        assert house.said == []
        chroma_server.kill()
        try:
            assert [await _found(index) for _ in range(3)] == [expected] * 3
            why = f"The Chroma server at {house.address.shown} cannot be reached"
            assert house.said == [f"{why}; vectors are searched in the database until then."]
            assert not await index.usable()
        finally:
            chroma_server.start()
        assert await _found(index) == expected
        loads = house.vectors.loads
        assert await _found(index) == expected
        assert index.store.is_open()
        assert house.vectors.loads == loads  # the exact search would have had to load the book
    assert house.said[1:] == [f"The Chroma server at {house.address.shown} answers again."]


async def test_a_silent_server_is_waited_for_once(house: _House) -> None:
    connections, release = 0, asyncio.Event()

    async def hold(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        await release.wait()
        writer.close()

    async with await asyncio.start_server(hold, "127.0.0.1", 0) as server:
        house.address = ChromaAddress.of(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        async with house.index(timeout_s=0.1, pause_s=3_600) as index:
            found = await asyncio.gather(*(_found(index) for _ in range(20)))
            assert found == [await house.expected()] * 20
            assert not await index.usable()
            assert connections == 1
        release.set()
    assert len(house.said) == 1


@pytest.mark.parametrize(
    ("key", "header"),
    [(f"{_SECRET}@", f"Bearer {_SECRET}"), (f"ada:{_SECRET}@", "Basic YWRhOnMzY3JldC1vZi1vdXJz")],
    ids=["token", "name and password"],
)
async def test_a_key_goes_into_the_header_and_nowhere_else(
    house: _House, key: str, header: str, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    caplog.set_level(logging.DEBUG)
    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        house.address = ChromaAddress.of(f"http://{key}127.0.0.1:{server.sockets[0].getsockname()[1]}")
        async with house.index(pause_s=3_600) as index:
            assert await _found(index) == await house.expected()
            assert not await index.usable()
    assert f"Authorization: {header}\r\n" in heard[0]
    (said,) = house.said
    assert "wants another key" in said
    assert _SECRET not in said + caplog.text + repr(house.address)
    assert header not in caplog.text


async def test_a_book_indexed_by_one_process_is_found_by_others(house: _House) -> None:
    expected = await house.expected()
    async with house.index() as first, house.index() as second:
        assert await _found(first) == expected
        assert await second.usable()
        loads = house.vectors.loads
        assert await _found(second) == expected
        assert (
            house.vectors.loads == loads + 1
        )  # once to check whose rows they are; an exact search would load them again
        assert await second.rebuild(_BOOK)
        assert house.names() == []
        assert await _found(second) == await _found(first) == expected
        assert await first.rebuild()
        assert house.names() == []
    assert house.said == []


async def test_a_process_with_an_older_state_deletes_no_newer_one(house: _House) -> None:
    async with house.index() as old, house.index() as new:
        span = ReadableSpan(book_id=_BOOK, last_page=90)
        await old.count(span)
        house.vectors.books[_BOOK] = made_up(chunks=_CHUNKS, first_id=1_001, seed=3)
        await new.refresh(_BOOK)
        before = await asyncio.to_thread(house.names)
        await _found(old)
        assert await _found(old) == await _found(new) == await house.expected()
        assert await asyncio.to_thread(house.names) == before
    assert house.said == []


async def test_a_book_removed_during_an_outage_is_removed_from_the_server_later(
    house: _House, chroma_server: ChromaProgram
) -> None:
    house.vectors.books["b_other"] = made_up(chunks=10)
    async with house.index() as index:
        await _found(index)
        await index.refresh("b_other")
    store = ChromaServer(house.address, house.said.append)
    assert store.open()
    api = chroma_calls.connect(house.address, timeout_s=20)
    api.create_collection("of-others", database=house.address.database)
    chroma_calls.session_of(api).close()
    store.close()
    del house.vectors.books[_BOOK]
    async with house.index() as index:
        assert await index.usable()
    assert sorted(house.names()) == [chroma_calls.collection_name("b_other", MODEL), "of-others"]


async def test_a_server_that_lost_its_data_is_filled_again(house: _House) -> None:
    async with house.index() as index:
        await _found(index)
        api = chroma_calls.connect(house.address, timeout_s=20)
        api.delete_collection(house.names()[0], database=house.address.database)
        api.delete_database(house.address.database)
        chroma_calls.session_of(api).close()
        assert await _found(index) == await house.expected()
        assert await _found(index) == await house.expected()
        assert house.names() == [chroma_calls.collection_name(_BOOK, MODEL)]
    assert house.said == []
