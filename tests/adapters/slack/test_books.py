"""`book add` with a file: only from Slack's own hosts, only by organisers, and no files are left behind."""

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.slack.options import SlackOptions
from adapters.slack.said import file_host
from bot.wiring import Application
from tests.adapters.slack.conftest import LIGHTHOUSE, Running
from tests.adapters.slack.using import titles_of
from tests.platform_servers.slack.faults import Fault, broken, held, redirected, reset
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.world import Channel, File, Message, Person

NOT_GIVEN = "Slack didn't give me that file. Please share it again."


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go in these tests."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def _give(server: SlackServer, channel: Channel, person: Person, file: File, words: str = "book add") -> Message:
    return server.say(channel, person, f"{server.bot.mention} {words}", files=[file])


async def _told(server: SlackServer, person: Person) -> str:
    """Return the last message in a person's DM."""
    direct = server.dm(person)
    return (
        await server.wait_for(
            lambda: next((one for one in reversed(server.by_bot(direct)) if not one.content.endswith("…")), None)
        )
    ).content


@pytest.mark.parametrize(
    ("name", "words", "title"),
    [
        ("the_lamp.txt", "book add", "The Lamp"),
        ("x.txt", "book add The Light", "The Light"),
        (f"{'x' * 200}.txt", "book add Afar", "Afar"),
    ],
)
async def test_a_book_is_added_for_the_workspace_and_only_the_organiser_is_told(
    slack_server: SlackServer,
    club: Club,
    settling: Running,
    house: Application,
    temporary: Path,
    *,
    name: str,
    words: str,
    title: str,
) -> None:
    file = slack_server.upload(name, LIGHTHOUSE.encode(), owner=club.organiser)
    async with settling():
        _give(slack_server, club.channel, club.organiser, file, words)
        told = await _told(slack_server, club.organiser)
    assert told.startswith(f"{title} is here: 4 pages.")
    assert await titles_of(house, slack_server, club.channel) == [title]
    assert slack_server.by_bot(club.channel) == []
    assert _left_in(temporary) == []
    # One message, that changed as it went on.
    assert len(slack_server.by_bot(slack_server.dm(club.organiser))) == 1


async def test_a_file_in_a_dm_needs_no_words(
    slack_server: SlackServer, club: Club, settling: Running, house: Application
) -> None:
    direct = slack_server.dm(club.ada)
    file = slack_server.upload("the_lamp.txt", LIGHTHOUSE.encode(), owner=club.ada)
    async with settling():
        slack_server.say(direct, club.ada, "", files=[file])
        await _told(slack_server, club.ada)
    assert await titles_of(house, slack_server, direct) == ["The Lamp"]
    assert await titles_of(house, slack_server, club.channel) == []


async def test_a_file_with_a_question_is_not_imported(
    slack_server: SlackServer, club: Club, settling: Running, house: Application
) -> None:
    file = slack_server.upload("photo.txt", LIGHTHOUSE.encode(), owner=club.organiser)
    async with settling():
        _give(slack_server, club.channel, club.organiser, file, "Who is this?")
        await slack_server.wait_for(lambda: slack_server.seen_by(club.organiser, club.channel))
    assert slack_server.calls_of("files") == []
    assert await titles_of(house, slack_server, club.channel) == []


@pytest.mark.parametrize(
    "fault",
    [broken(500), broken(404), redirected("https://example.org/lamp.txt"), reset(accepted=False)],
    ids=["500", "404", "redirect", "lost"],
)
async def test_a_failed_download_is_one_sentence_and_can_be_retried(
    slack_server: SlackServer, club: Club, settling: Running, house: Application, temporary: Path, fault: Fault
) -> None:
    file = slack_server.upload("lamp.txt", LIGHTHOUSE.encode(), owner=club.organiser)
    # aiohttp itself repeats a GET if the connection was reset.
    slack_server.fail_next("files", fault, times=1 if fault.status else 2)
    async with settling() as client:
        _give(slack_server, club.channel, club.organiser, file)
        told = await _told(slack_server, club.organiser)
        await client.settled()
        _give(slack_server, club.channel, club.organiser, file)
        await client.settled()
        await slack_server.posted(slack_server.dm(club.organiser), 2)
    assert told == NOT_GIVEN
    assert len(await titles_of(house, slack_server, club.channel)) == 1
    assert _left_in(temporary) == []


async def test_a_login_page_is_not_a_book(
    slack_server: SlackServer, club: Club, settling: Running, house: Application
) -> None:
    file = slack_server.upload("lamp.txt", LIGHTHOUSE.encode(), owner=club.organiser)
    async with settling():
        page = Fault(status=200, body="<!DOCTYPE html><html></html>", headers={"Content-Type": "text/html"})
        slack_server.fail_next("files", page)
        _give(slack_server, club.channel, club.organiser, file)
        told = await _told(slack_server, club.organiser)
    assert told == NOT_GIVEN
    assert await titles_of(house, slack_server, club.channel) == []


@pytest.mark.parametrize("said", [None, 10], ids=["said", "not said"])
async def test_a_file_that_is_too_large_is_refused_before_or_during_the_download(
    slack_server: SlackServer, club: Club, settling: Running, house: Application, temporary: Path, said: int | None
) -> None:
    file = slack_server.upload("lamp.txt", b"x" * 300_000, owner=club.organiser, size=said)
    async with settling(max_book_bytes=200_000):
        _give(slack_server, club.channel, club.organiser, file)
        if said is None:
            (seen,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.organiser, club.channel))
            told = seen.content
        else:
            told = await _told(slack_server, club.organiser)
    assert told == "That file is too large: I take books of up to 0.2 MB."
    assert bool(slack_server.calls_of("files")) is (said is not None)
    assert _left_in(temporary) == []


async def test_a_file_on_another_host_is_not_fetched(
    slack_server: SlackServer, club: Club, settling: Running, house: Application
) -> None:
    file = slack_server.upload("lamp.txt", LIGHTHOUSE.encode(), owner=club.organiser)
    slack_server.platform.files[file.id] = replace(file, url="https://example.org/lamp.txt")
    async with settling():
        _give(slack_server, club.channel, club.organiser, file)
        told = await _told(slack_server, club.organiser)
    assert told == "I only take files from Slack itself. Please share it here."


@pytest.mark.parametrize(
    ("url", "gives"),
    [
        ("https://files.slack.com/files-pri/T1-F1/x.txt", True),
        ("http://files.slack.com/files-pri/T1-F1/x.txt", False),
        ("https://files.slack.com.example.org/x.txt", False),
        ("https://files.slack.com@example.org/x.txt", False),
        ("https://example.org/", False),
    ],
)
def test_the_hosts_are_slacks_own(options: SlackOptions, url: str, gives: bool) -> None:
    host = file_host(None, token=options.bot_token)
    assert host.gives(url) is gives


async def test_members_who_send_too_many_files_at_once_are_asked_to_wait(
    slack_server: SlackServer, club: Club, settling: Running, house: Application
) -> None:
    files = [
        slack_server.upload(f"part_{number}.txt", f"Part {number}. {LIGHTHOUSE}".encode(), owner=club.organiser)
        for number in range(6)
    ]
    async with settling():
        slow = slack_server.fail_next("files", held(), times=2)
        for number, file in enumerate(files):
            _give(slack_server, club.channel, club.organiser, file)
            begun = min(number + 1, 5)
            await slack_server.posted(slack_server.dm(club.organiser), begun)
        (told,) = await slack_server.whispered(club.channel, club.organiser)
        slow.release()
    assert told.content == "I'm still reading your earlier files. Please send this one afterwards."
    assert len(await titles_of(house, slack_server, club.channel)) == 5
