"""One Chroma server for all processes of a bot, by `CHROMA_URL`: as programs, on PostgreSQL, and without the server."""

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.thread import Thread
from tests.bot.program import Program
from tests.bot.running import environment, thusfar
from tests.chroma_server import ChromaProgram
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Message
from tests.tiny_minilm import make_tiny_minilm

__all__ = ["discord_server"]

_WORKERS = 3
_STARTS_S = 4 * PATIENCE_S
"""Four programs start side by side."""
_LOOK_S = 1.0
_NOWHERE = "http://s3cret@127.0.0.1:9/club"


@pytest.fixture
def minilm(small_book: Path, tmp_path: Path) -> Path:
    return make_tiny_minilm(tmp_path / "minilm", [small_book.read_text("utf-8")])


async def _import(small_book: Path, club: Club, settings: dict[str, str]) -> None:
    application = build(Settings.model_validate(settings))
    scope = f"discord:{club.guild.id}"
    book = (await application.library.add(small_book, scope=scope, title="Small")).book
    await application.threads.use(Thread(scope=scope, place=str(club.channel.id), thread=""), book_id=book.book_id)
    ada = Author(member_id="discord:1", display_name="Ada")
    await application.clubs().positions.set(
        await application.threads.club(Thread(scope=scope, place=str(club.channel.id), thread="")),
        text="3",
        member=ada,
        confirmed=True,
    )
    await application.close()


async def _answers(server: DiscordServer, club: Club, questions: Sequence[str]) -> list[str]:
    threads = [server.create_thread(club.channel, server.bot, question[:20]) for question in questions]
    asked = [server.say(*each) for each in zip(threads, [club.ada] * len(threads), questions, strict=True)]

    async def answer_to(one: Message) -> str:
        return (await server.wait_for(lambda: next(iter(server.replies_to(one)), None), within=_STARTS_S)).content

    return [await answer_to(one) for one in asked]


async def test_three_workers_on_postgresql_share_a_server_and_do_without_it(
    discord_server: DiscordServer,
    chroma_server: ChromaProgram,
    small_book: Path,
    minilm: Path,
    own_home: Path,
    postgres_url: str,
) -> None:
    club, database = discord_server.add_club(), f"own-{uuid4().hex}"
    settings = {
        "THUSFAR_HOME": str(own_home),
        "DATABASE_URL": postgres_url,
        "CHROMA_URL": chroma_server.url(database, key="s3cret@"),
        "THUSFAR_EMBEDDINGS": "minilm",
        "THUSFAR_MINILM_FOLDER": str(minilm),
        "DISCORD_TOKEN": discord_server.token,
        "DISCORD_API_BASE": discord_server.api_base,
        "THUSFAR_QUESTIONS_A_MINUTE": "1000",
    }
    await _import(small_book, club, settings)
    assert chroma_server.has_logged(f"databases/{database}/", "/add")
    log = own_home / "log"
    with ExitStack() as running, log.open("wb") as written:
        for words in [("serve", "--gateway"), *[("work",)] * _WORKERS]:
            running.enter_context(Program(*words, env=environment(**settings), stderr=written.fileno()))
        await discord_server.wait_for(lambda: discord_server.gateway.sessions, within=_STARTS_S)
        answers = await _answers(discord_server, club, ["Who lit the lamp?"] * 4)
        # A call that a busy machine holds up is given up, and that worker searches the database for a while.
        query = (f"databases/{database}/", "/query")
        while not await asyncio.to_thread(chroma_server.has_logged, *query, within=_LOOK_S):
            answers += await _answers(discord_server, club, ["Who lit the lamp?"] * 4)
        chroma_server.kill()
        try:
            answers += await _answers(discord_server, club, ["Who lit the lamp?"] * 4)
        finally:
            chroma_server.start()
    assert all("lit the lamp" in answer for answer in answers)
    said = log.read_text(encoding="utf-8")
    assert "cannot be reached; vectors are searched in the database until then.\n" in said
    assert not any(word in said for word in ("Traceback", "s3cret"))
    assert not (own_home / "chroma").exists()


def test_a_server_that_is_not_there_is_one_line_and_the_question_is_answered(
    small_book: Path, minilm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("EMBEDDINGS", "minilm"), ("MINILM_FOLDER", str(minilm)), ("PROVIDER", "none")):
        monkeypatch.setenv(f"THUSFAR_{name}", value)
    assert thusfar("books", "add", str(small_book)).code == 0
    monkeypatch.setenv("CHROMA_URL", _NOWHERE)
    gone = "The Chroma server at http://127.0.0.1:9/club cannot be reached"
    asked = thusfar("ask", "Who lit the lamp?", "--book", "small", "--page", "3")
    assert (asked.code, asked.err) == (0, f"{gone}; vectors are searched in the database until then.\n")
    assert "lit the lamp" in asked.out
    looked = thusfar("doctor")
    assert looked.code == 1
    assert f"{gone}; exact search from SQL here" in looked.out
    reindexed = thusfar("books", "reindex")
    assert reindexed.code == 0
    assert f"{gone}; only vectors are made here." in reindexed.err


def test_where_nothing_is_embedded_the_doctor_says_that_it_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_EMBEDDINGS", "none")
    monkeypatch.setenv("CHROMA_URL", _NOWHERE)
    looked = thusfar("doctor")
    assert looked.code == 0
    assert "CHROMA_URL is not used" in looked.out


@pytest.mark.parametrize("url", ["ftp://s3cret@chroma:8000", "s3cret", "http://s3cret@chroma:8000/api/v2", "http://"])
def test_what_is_no_address_is_one_line_that_does_not_show_it(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMA_URL", url)
    said = thusfar("books", "list").failed_in_one_line()
    assert said == "CHROMA_URL is invalid: Expected an address such as http://127.0.0.1:8000."
