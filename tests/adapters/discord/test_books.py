"""`/book add`: takes files only from Discord's own hosts, tells only the organiser, and leaves no files behind."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from bot.wiring import Application
from tests.adapters.discord.conftest import LIGHTHOUSE, Running
from tests.adapters.discord.using import add_book, ended, left_in, titles_of
from tests.platform_servers.discord.faults import Fault, reset
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.pointing import dialled
from tests.platform_servers.discord.server import DiscordServer

_FILES = ("GET", "/attachments")
_NOT_GIVEN = "Discord didn't give me that file. Please attach it again."
_NOT_DISCORDS = "I only take files from Discord itself. Please attach it to the command."


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go in these tests."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize(
    ("name", "data", "more", "title"),
    [
        ("the_lamp.txt", LIGHTHOUSE.encode(), {}, "the lamp"),
        ("x.txt", LIGHTHOUSE.encode(), {"title": "The Light"}, "The Light"),
        ("lamp.md", b"# The Lamp\n\n## I. Calm\n\nA lamp was lit.\n\n## II. Storm\n\nIt went out.\n", {}, "The Lamp"),
        (f"../../{'x' * 200}.txt", LIGHTHOUSE.encode(), {"title": "Afar"}, "Afar"),
    ],
)
async def test_a_book_is_added_for_its_server_and_only_the_organiser_is_told(
    discord_server: DiscordServer,
    club: Club,
    running: Running,
    house: Application,
    temporary: Path,
    *,
    name: str,
    data: bytes,
    more: dict[str, str],
    title: str,
) -> None:
    other = discord_server.add_club("Other")
    file = replace(discord_server.upload("file.txt", data), filename=name)
    async with running():
        used = add_book(discord_server, club, file, **more)
        told = await ended(discord_server, used)
        titles = await titles_of(house, club.channel)
    assert [one.casefold() for one in titles] == [title.casefold()]
    assert f"`/book use {titles[0]}` opens it." in told
    assert "Its chapters: 1: p. " in told
    assert "Storm" not in told
    assert all(one.is_ephemeral for one in used.messages)
    assert club.channel.texts == []
    assert await titles_of(house, other.channel) == []
    assert left_in(temporary) == []


_NO_BOOKS = (
    ("big.txt", b"A lamp. " * 200, "That file is too large: I take books of up to 0.001 MB.", 0),
    ("lamp.pdf", b"%PDF-1.7", "lamp.pdf is damaged or was cut off", 1),
    ("lamp", b"A lamp.", "I can't read lamp: a book is a file that ends in .epub", 2),
    ("empty.txt", b"", "empty.txt", 3),
)


async def test_a_file_that_is_not_a_book_gets_one_sentence_and_leaves_nothing(
    discord_server: DiscordServer, club: Club, running: Running, house: Application, temporary: Path
) -> None:
    async with running(max_book_bytes=1000):
        for name, data, said, fetched in _NO_BOOKS:
            used = add_book(discord_server, club, discord_server.upload(name, data))
            told = await ended(discord_server, used)
            assert told.startswith(said)
            assert "\n" not in told
            assert len(discord_server.calls_of(*_FILES)) == fetched
    assert await titles_of(house, club.channel) == []
    assert left_in(temporary) == []


async def test_a_file_larger_than_announced_is_not_read_to_its_end(
    discord_server: DiscordServer, club: Club, running: Running, house: Application, temporary: Path
) -> None:
    file = discord_server.upload("lamp.txt", b"A lamp.")
    async with running(max_book_bytes=1000):
        used = add_book(discord_server, club, file)
        (path,) = discord_server.platform.files
        discord_server.platform.files[path] = replace(file, data=b"A lamp. " * 100_000)
        told = await ended(discord_server, used)
    assert told == "That file is too large: I take books of up to 0.001 MB."
    assert await titles_of(house, club.channel) == []
    assert left_in(temporary) == []


_ELSEWHERE = (
    "http://localhost:{port}{path}",
    "http://cdn.discordapp.com/x.txt",
    "https://cdn.discordapp.com.example.org/x.txt",
    "https://cdn.discordapp.com@127.0.0.1:{port}{path}",
    "http://127.0.0.1:1/x.txt",
    "file:///etc/hostname",
    "",
)


async def test_a_file_on_another_host_is_never_requested(
    discord_server: DiscordServer, club: Club, running: Running, house: Application
) -> None:
    file = discord_server.upload("lamp.txt", LIGHTHOUSE.encode())
    (path,) = discord_server.platform.files
    async with running():
        with dialled() as hosts:
            for url in _ELSEWHERE:
                elsewhere = url.format(port=discord_server.url.rpartition(":")[2], path=path)
                used = add_book(discord_server, club, replace(file, url=elsewhere))
                assert await ended(discord_server, used) == _NOT_DISCORDS
    assert hosts <= {"127.0.0.1"}
    assert discord_server.calls_of(*_FILES) == []
    assert await titles_of(house, club.channel) == []


@pytest.mark.parametrize(
    ("fault", "calls"),
    [
        (Fault(status=302, body="", headers={"Location": "http://127.0.0.1:1/x.txt"}), 1),
        (Fault(status=404, body="gone"), 1),
        (reset(accepted=False), 2),
    ],
    ids=["redirect", "gone", "reset"],
)
async def test_a_failed_download_is_reported_in_one_sentence(
    discord_server: DiscordServer, club: Club, running: Running, house: Application, fault: Fault, calls: int
) -> None:
    file = discord_server.upload("lamp.txt", LIGHTHOUSE.encode())
    discord_server.fail_next(*_FILES, fault, times=calls)
    async with running():
        told = await ended(discord_server, add_book(discord_server, club, file))
        again = await ended(discord_server, add_book(discord_server, club, file))
    assert told == _NOT_GIVEN
    assert "opens it." in again
    assert len(await titles_of(house, club.channel)) == 1
