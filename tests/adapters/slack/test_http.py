"""HTTP instead of Socket Mode: requests are verified, the address answers, and the talk is the same."""

import time

import aiohttp
import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.slack.conftest import ReadBook, Running
from tests.adapters.slack.using import contents, labels
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_a_mention_a_command_and_a_button_work_over_http(
    slack_server: SlackServer, club: Club, running: Running, read_book: ReadBook
) -> None:
    await read_book(club.channel)
    async with running(over_http=True) as client:
        answer = await slack_server.answer_to(slack_server.mention(club.channel, club.ada, "Who lit the lamp?"))
        used = slack_server.slash("/thusfar", "book list", user=club.ada, channel=club.channel)
        await slack_server.responded(used)
        slack_server.press("tf1:.sources", message=answer, user=club.ben)
        (shown,) = await slack_server.wait_for(lambda: slack_server.seen_by(club.ben, club.channel))
        await client.settled()
    assert labels(answer) == ["Sources", "Keep for later", "Set page", "👍", "👎"]
    assert contents(used) == ["▸ The Lamp, 4 pages"]
    assert shown.content.startswith("p. 1:")
    assert slack_server.calls_of("apps.connections.open") == []


async def test_the_address_answers_url_verification_and_tells_that_it_is_well(
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
async def test_a_request_that_is_not_slacks_is_refused_and_not_heard(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices,
    more: dict[str, object], status: int,
) -> None:  # fmt: skip
    answers = ScriptedAnswers()
    async with running(services=answers.instead_of(services), over_http=True) as client:
        asked = slack_server.say(club.channel, club.ada, "idle")
        await slack_server.settled()
        (delivery,) = slack_server.deliveries_of("message")
        event = delivery.payload["event"] | {"text": f"{slack_server.bot.mention} Who?"}
        answered = await slack_server.http.post(delivery.payload | {"event": event}, **more)  # type: ignore[arg-type]
        await client.settled()
    assert answered.status == status
    assert bool(answers.asked) is (status == 200)
    assert bool(slack_server.replies_to(asked)) is (status == 200)


async def test_events_and_commands_are_acknowledged_at_once(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    answers = ScriptedAnswers(held=["Who?"])
    async with running(services=answers.instead_of(services), over_http=True) as client:
        slack_server.mention(club.channel, club.ada, "Who?")
        await slack_server.settled()
        assert slack_server.by_bot(club.channel) == []
        answers.release("Who?")
        await client.settled()
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
async def test_what_cannot_be_read_is_refused_without_a_traceback(
    slack_server: SlackServer, running: Running, caplog: pytest.LogCaptureFixture, body: bytes, kind: str
) -> None:
    async with (
        running(over_http=True),
        aiohttp.ClientSession() as session,
        session.post(slack_server.http.url, data=body, headers={"Content-Type": kind}) as response,
    ):
        assert response.status in (400, 401)
    assert "Traceback" not in caplog.text
