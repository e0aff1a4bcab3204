"""`thusfar notes make` over the real wires: what is said before, what is made, and how it goes on after a stop."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bot.running import Ran, thusfar
from tests.fakes.noting_model import in_json
from tests.servers.openai_server import CHAT, OpenAIServer, answer
from tests.servers.scripted import json_reply

_PAGES = {
    1: "CHAPTER I The lighthouse keeper lit the lamp.",
    2: "The storm broke the window of the tower.",
    3: "CHAPTER II The keeper's daughter rowed out to the wreck.",
}


@pytest.fixture
def book(small_book: Path) -> str:
    return str(thusfar("books", "add", str(small_book), "--title", "Small Light", "--json").json["book_id"])


@pytest.fixture
async def openai(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenAIServer]:
    """A compatible server, with the settings that lead there."""
    async with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("THUSFAR_MODEL", "llama-9")
        monkeypatch.setenv("THUSFAR_NOTES_MODEL", "llama-9-small")
        yield server


async def _make(*more: str) -> Ran:
    return await asyncio.to_thread(thusfar, "notes", "make", "small", *more)


async def test_a_books_notes_are_made_and_used(book: str, openai: OpenAIServer) -> None:
    openai.will_answer(CHAT, answer(in_json(_PAGES)))
    made = await _make()
    assert made.code == 0
    assert "goes to llama-9-small (openai)" in made.err
    assert "I don't know the cost" in made.err
    assert made.out.startswith("Small Light: 3 notes on 3 of 3 pages, ")
    [sent] = openai.requests
    assert sent.json()["model"] == "llama-9-small"
    shown = await asyncio.to_thread(thusfar, "notes", "show", "small", "--page", "2", "--json")
    assert shown.json[0]["note"] == "It is told that The storm broke the window of."
    assert shown.json[0]["written_at"] is not None


async def test_json_is_one_value_and_the_rest_goes_to_stderr(book: str, openai: OpenAIServer) -> None:
    openai.will_answer(CHAT, answer(f"```json\n{in_json(_PAGES)}\n```"))
    made = await _make("--json", "--yes")
    assert made.out.count("\n") == 1
    assert '"notes": 3, "pages": 3, "pages_left": 0' in made.out


async def test_a_call_that_fails_leaves_one_line_and_can_be_repeated(book: str, openai: OpenAIServer) -> None:
    openai.will_answer(CHAT, json_reply({"error": {"message": "no such key"}}, status=401))
    failed = await _make()
    assert (failed.code, failed.out) == (1, "")
    assert "Traceback" not in failed.err
    openai.will_answer(CHAT, answer(in_json(_PAGES)))
    assert (await _make()).code == 0


def test_without_a_model_it_says_what_is_missing(book: str) -> None:
    assert "No model is configured" in thusfar("notes", "make", "small").failed_in_one_line()
