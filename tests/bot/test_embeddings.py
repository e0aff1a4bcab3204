"""OpenAI's embeddings as a rung of the ladder: import, search, a server that is down, a model that has changed."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bot.running import Ran, thusfar
from tests.servers.openai_server import EMBEDDINGS, OpenAIServer, error_reply
from tests.servers.scripted import Reply, json_reply

_PAGES = ([1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0])
_BY_PAGE_2 = [0.6, 0.8, 0.0]
_BY_PAGE_3 = [0.1, 0.5, 1.0]
"""Vectors of queries: all else being equal, the one page is found before the other."""

_NO_SUCH_WORD = "quaternion"


@pytest.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenAIServer]:
    """A compatible server with an embedding model of three dimensions; answers are none of its business."""
    async with OpenAIServer() as server:
        monkeypatch.setenv("THUSFAR_PROVIDER", "none")
        monkeypatch.setenv("THUSFAR_EMBEDDINGS", "openai")
        monkeypatch.setenv("THUSFAR_EMBEDDING_MODEL", "nomic")
        monkeypatch.setenv("THUSFAR_EMBEDDING_DIMENSIONS", "3")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        yield server


def vectors(*each: Sequence[float]) -> Reply:
    data = [{"object": "embedding", "index": place, "embedding": list(one)} for place, one in enumerate(each)]
    return json_reply({"object": "list", "data": data, "model": "nomic"})


async def run(*arguments: str) -> Ran:
    """Run a command beside the server."""
    return await asyncio.to_thread(thusfar, *arguments)


async def pages_found(query: str = _NO_SUCH_WORD) -> list[int]:
    found = (await run("search", query, "--book", "small", "--page", "3", "--json")).json
    return [result["start_page"] for result in found]


async def page_3_comes_before_page_2() -> bool:
    found = await pages_found()
    assert sorted(found) == [1, 2, 3]
    return found.index(3) < found.index(2)


async def status() -> str:
    (book,) = (await run("books", "list", "--json")).json
    return str(book["status"])


async def imported(server: OpenAIServer, small_book: Path) -> None:
    server.will_answer(EMBEDDINGS, vectors(*_PAGES))
    assert (await run("books", "add", str(small_book))).code == 0
    assert await status() == "complete"


def sent(server: OpenAIServer) -> list[tuple[str, int]]:
    """Model and number of texts of each request."""
    return [(body["model"], len(body["input"])) for body in (request.json() for request in server.requests)]


async def without_openai(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    with monkeypatch.context() as patch:
        patch.setenv("THUSFAR_EMBEDDINGS", "wordllama")
        return await pages_found()


async def test_a_book_is_embedded_by_the_server_and_searched_with_its_vectors(
    server: OpenAIServer, small_book: Path
) -> None:
    await imported(server, small_book)
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3), vectors(_BY_PAGE_2))
    assert await page_3_comes_before_page_2()
    assert not await page_3_comes_before_page_2()
    assert sent(server) == [("nomic", 3), ("nomic", 1), ("nomic", 1)]
    whole = "".join(server.requests[0].json()["input"])
    for words in ("lit the lamp", "broke the window", "rowed out to the wreck"):
        assert words in whole


async def test_only_what_is_read_comes_back_however_near_the_rest_is(server: OpenAIServer, small_book: Path) -> None:
    await imported(server, small_book)
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3))
    found = (await run("search", _NO_SUCH_WORD, "--book", "small", "--page", "2", "--json")).json
    assert sorted(result["start_page"] for result in found) == [1, 2]


async def test_a_server_that_is_down_leaves_the_question_to_words_with_one_line_in_the_log(
    server: OpenAIServer, small_book: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await imported(server, small_book)
    offline = await without_openai(monkeypatch)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    caplog.clear()
    assert await pages_found() == offline
    (record,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "cannot embed the question" in record.getMessage()
    assert sent(server) == [("nomic", 3)]


async def test_an_import_while_the_server_is_down_is_searchable_and_finished_later(
    server: OpenAIServer, small_book: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server.will_answer(EMBEDDINGS, error_reply(401, "Incorrect API key provided"))
    assert (await run("books", "add", str(small_book))).code == 0
    assert "its vectors are not complete" in caplog.text
    assert await status() == "searchable"
    assert await pages_found() == await without_openai(monkeypatch)
    server.will_answer(EMBEDDINGS, vectors(*_PAGES))
    assert (await run("books", "reindex", "--wait", "--json")).json[0]["status"] == "complete"
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3))
    assert await page_3_comes_before_page_2()


async def test_a_changed_model_embeds_anew_and_is_never_mixed_with_the_old(
    server: OpenAIServer, small_book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await imported(server, small_book)
    offline = await without_openai(monkeypatch)
    monkeypatch.setenv("THUSFAR_EMBEDDING_MODEL", "bge")
    assert await status() == "searchable"
    assert await pages_found() == offline
    assert sent(server) == [("nomic", 3)]
    server.will_answer(EMBEDDINGS, vectors(*reversed(_PAGES)))
    assert (await run("books", "reindex", "--wait", "--json")).json[0]["status"] == "complete"
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3))
    assert not await page_3_comes_before_page_2()
    monkeypatch.setenv("THUSFAR_EMBEDDING_MODEL", "nomic")
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3))
    assert await page_3_comes_before_page_2()
    assert sent(server)[1:] == [("bge", 3), ("bge", 1), ("nomic", 1)]


async def test_one_of_openais_models_serves_until_its_successor_is_ready(
    server: OpenAIServer, small_book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THUSFAR_EMBEDDING_DIMENSIONS")
    monkeypatch.setenv("THUSFAR_EMBEDDING_MODEL", "text-embedding-3-small")
    pages = [[0.0] * page + [1.0] + [0.0] * (1535 - page) for page in range(3)]
    server.will_answer(EMBEDDINGS, vectors(*pages))
    assert (await run("books", "add", str(small_book))).code == 0
    monkeypatch.setenv("THUSFAR_EMBEDDING_MODEL", "text-embedding-3-large")
    assert await status() == "searchable"
    server.will_answer(EMBEDDINGS, vectors(pages[2]))
    assert sorted(await pages_found()) == [1, 2, 3]
    assert sent(server) == [("text-embedding-3-small", 3), ("text-embedding-3-small", 1)]


async def test_doctor_asks_for_a_vector(server: OpenAIServer) -> None:
    server.will_answer(EMBEDDINGS, vectors(_BY_PAGE_3))
    checks: list[dict[str, Any]] = (await run("doctor", "--json")).json["checks"]
    (detail,) = [check["detail"] for check in checks if check["name"] == "embeddings"]
    assert detail == "openai-127.0.0.1-nomic-3, 3 dimensions"


@pytest.mark.parametrize(
    ("missing", "named"),
    [("OPENAI_BASE_URL", "OPENAI_API_KEY"), ("THUSFAR_EMBEDDING_DIMENSIONS", "nomic")],
)
async def test_embeddings_that_are_named_without_what_they_need_are_one_line(
    server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, missing: str, named: str
) -> None:
    monkeypatch.delenv(missing)
    assert named in (await run("books", "list")).failed_in_one_line()
