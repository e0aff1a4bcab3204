"""HTTP instead of Socket Mode: requests are verified, the endpoint answers, and the conversation is the same."""

import asyncio
import io
import logging
import time
from dataclasses import replace

import aiohttp
import pytest

from adapters.platform.services import PlatformServices
from adapters.slack.connection import EVENTS_PATH, SlackConnection
from adapters.slack.options import SlackOptions
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import QUICK
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import contents, labels
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_a_mention_a_command_and_a_button_work_over_http(
    slack_server: SlackServer, club: Club, settling: Running, read_book: ReadBook
) -> None:
    await read_book()
    async with settling(over_http=True):
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
        used = slack_server.slash("/thusfar", "book list", user=club.ada, channel=club.channel)
        await slack_server.responded(used)
        slack_server.press("tf1:.around", message=answer, user=club.ben)
        (shown,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ben, club.channel))
    assert labels(answer) == ["More here", "More passages", "Keep for later", "Set page", "👍", "👎"]
    assert contents(used) == ["▸ The Lamp, 4 pages"]
    assert "lit the lamp" in shown.content
    assert slack_server.calls_of("apps.connections.open") == []


async def test_the_endpoint_answers_url_verification_and_health_checks(
    slack_server: SlackServer, running: Running
) -> None:
    async with running(over_http=True):
        url = slack_server.http.url
        assert await slack_server.verify(url)
        async with aiohttp.ClientSession() as session:
            async with session.get(url.replace("/slack/events", "/healthz")) as response:
                assert (response.status, await response.json()) == (200, {"ok": True})
            async with session.get(url) as response:
                assert response.status == 405


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"secret": "another"}, 401),
        ({"at": time.time() - 600}, 401),
        ({"headers": {"X-Slack-Signature": "v0=0"}}, 401),
        ({}, 200),
    ],
    ids=["a wrong secret", "an old timestamp", "a wrong signature", "as it should be"],
)
async def test_a_request_that_is_not_from_slack_is_refused(
    slack_server: SlackServer, club: Club, settling: Running, more: dict[str, object], status: int,
) -> None:  # fmt: skip
    answers = ScriptedAnswers()
    async with settling(answers, over_http=True):
        asked = slack_server.say(club.channel, club.ada, "idle")
        await slack_server.settled()
        (delivery,) = slack_server.deliveries_of("message")
        event = delivery.payload["event"] | {"text": f"{slack_server.bot.mention} Who?"}
        answered = await slack_server.http.post(delivery.payload | {"event": event}, **more)  # type: ignore[arg-type]
    assert answered.status == status
    assert bool(answers.asked) is (status == 200)
    assert bool(slack_server.replies_to(asked)) is (status == 200)


async def test_events_and_commands_are_acknowledged_at_once(
    slack_server: SlackServer, club: Club, settling: Running
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with settling(answers, over_http=True):
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.settled()
        assert slack_server.by_bot(club.channel) == []
        answers.release("Who?")
    assert all((one.ack_seconds or 9) < 3 for one in slack_server.deliveries)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"payload=%7Bno", "application/x-www-form-urlencoded"),
        (b"{" * 100, "application/json"),
        (b"\xff\xfe", "application/json"),
        (b"[]", "application/json"),
        (b'"text"', "application/json"),
        (b"payload=[]", "application/x-www-form-urlencoded"),
        (b'{"type": "event_callback", "event": 7}', "application/json"),
    ],
    ids=["a form", "json", "bytes", "a list", "a text", "a form of a list", "an event that is none"],
)
async def test_an_unreadable_request_is_refused_without_a_traceback(
    slack_server: SlackServer, running: Running, caplog: pytest.LogCaptureFixture, body: bytes, kind: str
) -> None:
    async with (
        running(over_http=True),
        aiohttp.ClientSession() as session,
        session.post(slack_server.http.url, data=body, headers={"Content-Type": kind}) as response,
    ):
        assert response.status == 401
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"X-Slack-Request-Timestamp": "yesterday", "X-Slack-Signature": "v0=0"}, b"{}", 401),
        ({"X-Slack-Request-Timestamp": "9" * 5000, "X-Slack-Signature": "v0=0"}, b"{}", 401),
        ({"X-Slack-Request-Timestamp": "NOW", "X-Slack-Signature": "v0=é"}, b"{}", 401),
        ({"X-Slack-Request-Timestamp": "NOW", "X-Slack-Signature": ""}, b"\xff\xfe", 401),
        ({"X-Slack-Request-Timestamp": "NOW"}, b"{}", 401),
        ({}, b"{}", 401),
        ({}, b"x" * 2_000_000, 413),
    ],
    ids=["no number", "a huge number", "no ascii", "no text", "no signature", "nothing", "a huge body"],
)
async def test_unsigned_requests_are_refused_and_counted_but_not_logged(
    slack_server: SlackServer,
    services: PlatformServices,
    options: SlackOptions,
    caplog: pytest.LogCaptureFixture,
    headers: dict[str, str],
    body: bytes,
    status: int,
) -> None:
    over_http = {"app_token": None, "signing_secret": slack_server.signing_secret, "host": "127.0.0.1", "port": 0}
    connection = SlackConnection(services, replace(options, **over_http), retry=QUICK)  # type: ignore[arg-type]
    task = asyncio.create_task(connection.attempt())
    try:
        await connection.ready()
        sent = {name: str(int(time.time())) if value == "NOW" else value for name, value in headers.items()}
        url = f"http://127.0.0.1:{connection.port}{EVENTS_PATH}"
        async with (
            aiohttp.ClientSession() as session,
            session.post(url, data=io.BytesIO(body), headers=sent) as response,
        ):
            assert response.status == status
    finally:
        await connection.finish(within=1)
        await connection.close()
        await asyncio.gather(task, return_exceptions=True)
    assert connection.refused == {str(status): 1}
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
