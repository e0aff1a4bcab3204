"""Files: what an event tells of them, what files.info adds, and the host that wants the app's token."""

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.faults import redirected
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling, running


async def _fetch(url: str, token: str) -> tuple[int, str, bytes]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers, allow_redirects=False) as answer:
        return answer.status, answer.content_type, await answer.read()


async def test_a_shared_file_is_told_and_downloaded_with_the_token(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        file = slack_server.upload("book.txt", b"Call me Ishmael.", owner=club.organiser)
        slack_server.say(club.channel, club.organiser, f"{slack_server.bot.mention} a book", files=[file])
        await slack_server.settled()
    told = {one.event["type"]: one.event for one in trial.heard}
    assert sorted(told) == ["app_mention", "file_shared", "message"]
    assert told["message"]["subtype"] == told["app_mention"]["subtype"] == "file_share"
    (shared,) = told["message"]["files"]
    assert (shared["name"], shared["size"], shared["mimetype"]) == ("book.txt", 16, "text/plain")
    for url in (shared["url_private"], shared["url_private_download"]):
        assert await _fetch(url, slack_server.token) == (200, "text/plain", b"Call me Ishmael.")
    assert slack_server.calls_of("files")[0].arguments["path"] == file.path


@pytest.mark.parametrize("token", ["", "xoxb-other"])
async def test_without_the_token_a_login_page_comes_instead(slack_server: SlackServer, club: Club, token: str) -> None:
    file = slack_server.upload("book.txt", b"x", owner=club.ada)
    status, kind, page = await _fetch(file.url, token)
    assert (status, kind) == (200, "text/html")
    assert page.startswith(b"<!DOCTYPE html>")


async def test_the_file_host_may_send_the_app_elsewhere(slack_server: SlackServer, club: Club) -> None:
    file = slack_server.upload("book.txt", b"x", owner=club.ada)
    slack_server.fail_next("files", redirected("https://elsewhere.example/login"))
    status, _, _ = await _fetch(file.url, slack_server.token)
    assert status == 302


async def test_a_file_of_a_shared_channel_is_told_by_files_info_alone(slack_server: SlackServer, club: Club) -> None:
    file = slack_server.upload("book.txt", b"x", owner=club.ada, access="check_file_info", size=2**40)
    said = slack_server.say(club.channel, club.ada, "", files=[file])
    async with calling(slack_server) as client:
        history = await client.conversations_history(channel=club.channel.id)
        told = (await client.files_info(file=file.id))["file"]
    assert "url_private" not in history["messages"][0]["files"][0]
    assert (told["size"], told["channels"]) == (2**40, [club.channel.id])
    assert said.files == [file]


async def test_a_file_that_is_gone_or_was_never_shared(slack_server: SlackServer, club: Club) -> None:
    kept = slack_server.upload("kept.txt", b"x", owner=club.ada)
    gone = slack_server.upload("gone.txt", b"x", owner=club.ada)
    slack_server.say(club.channel, club.ada, "", files=[gone])
    gone.is_deleted = True
    async with calling(slack_server) as client:
        for file, error in ((kept, "file_not_found"), (gone, "file_deleted")):
            with pytest.raises(SlackApiError, match=error):
                await client.files_info(file=file.id)
    assert (await _fetch(gone.url, slack_server.token))[0] == 404


_PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32


async def test_the_app_shares_a_picture_in_three_steps(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        told = await client.files_upload_v2(filename="a.png", content=_PNG, alt_txt="An A.", channel=club.channel.id)
    (message,) = slack_server.by_bot(club.channel)
    assert [(file.name, file.data, file.alt_text) for file in message.files] == [("a.png", _PNG, "An A.")]
    assert told["file"]["id"] == message.files[0].id


@pytest.mark.parametrize("data", [b"", b"x" * 7])
async def test_bytes_that_are_not_those_that_were_told_of_are_refused(
    slack_server: SlackServer, club: Club, data: bytes
) -> None:
    async with calling(slack_server) as client:
        place = await client.files_getUploadURLExternal(filename="a.png", length=len(_PNG))
        async with aiohttp.ClientSession() as session, session.post(place["upload_url"], data=data) as answer:
            assert answer.status == 400
        with pytest.raises(SlackApiError, match="file_update_failed"):
            await client.files_completeUploadExternal(files=[{"id": place["file_id"]}], channel_id=club.channel.id)
    assert slack_server.by_bot(club.channel) == []


async def test_without_the_scope_nothing_is_uploaded(slack_server: SlackServer) -> None:
    slack_server.grant(without=["files:write"])
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError, match="missing_scope"):
            await client.files_getUploadURLExternal(filename="a.png", length=3)
