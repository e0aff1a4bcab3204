"""The same over HTTP: signatures, url_verification, retries, commands and forms as Slack encodes them."""

import time
from typing import Any

import pytest
from slack_bolt.response import BoltResponse

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import TrialApp, serving
from tests.platform_servers.slack.world import Json


async def test_events_come_signed(slack_server: SlackServer, club: Club) -> None:
    async def answer(trial: TrialApp, event: Json) -> None:
        if event["type"] == "app_mention":
            await trial.client.chat_postMessage(channel=event["channel"], text="hi", thread_ts=event["ts"])

    async with serving(slack_server, on=answer) as trial:
        asked = slack_server.mention(club.channel, club.ada, "hello")
        reply = await slack_server.answer_to(asked)
        await slack_server.settled()
    assert reply.content == "hi"
    assert trial.heard[0].headers["x-slack-signature"][0].startswith("v0=")
    assert {one.attempts[0].status for one in slack_server.deliveries} == {200}


async def test_an_address_is_verified(slack_server: SlackServer) -> None:
    async with serving(slack_server):
        assert await slack_server.verify(slack_server.http.url)
        assert not await slack_server.verify(slack_server.http.url + "/elsewhere")


@pytest.mark.parametrize(
    ("secret", "age", "status"), [(None, 0, 200), ("wrong", 0, 401), (None, 301, 401), (None, -301, 401)]
)
async def test_a_wrong_signature_and_an_old_time_are_refused(
    slack_server: SlackServer, club: Club, secret: str | None, age: float, status: int
) -> None:
    async with serving(slack_server) as trial:
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
        payload = slack_server.deliveries[0].payload
        answered = await slack_server.http.post(payload, secret=secret, at=time.time() - age)
    assert answered.status == status
    assert len(trial.heard) == (2 if status == 200 else 1)


async def test_an_error_of_the_app_brings_the_event_again(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.deliveries.retry_after = [0.0, 0.0, 0.0]
    async with serving(slack_server) as trial:

        @trial.app.middleware
        async def fail(req: Any, next_: Any) -> None:
            if len(trial.heard) < 3:
                raise RuntimeError("not yet")
            await next_()

        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert [one.retry for one in trial.heard] == [None, "1", "2"]
    assert trial.heard[1].headers["x-slack-retry-reason"] == ["http_error"]
    assert [one.status for one in slack_server.deliveries[0].attempts] == [500, 500, 200]


async def test_an_app_that_wants_no_more_tries_is_left_alone(slack_server: SlackServer, club: Club) -> None:
    async with serving(slack_server) as trial:

        @trial.app.middleware
        async def refuse(req: Any) -> BoltResponse:
            return BoltResponse(status=500, headers={"X-Slack-No-Retry": ["1"]})

        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert len(trial.heard) == 1


async def test_nobody_at_the_address_is_a_failed_try(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.deliveries.retry_after = []
    async with serving(slack_server):
        pass
    slack_server.say(club.channel, club.ada, "hello")
    used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel)
    await slack_server.settled()
    assert used.is_timed_out
    assert all(one.is_given_up for one in slack_server.deliveries)


async def test_an_app_that_takes_too_long_is_asked_again(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.deliveries.ack_within = 0.05
    slack_server.platform.deliveries.retry_after = [0.0] * 100  # a busy machine may not even hear one in that time
    async with serving(slack_server) as trial:

        @trial.app.middleware
        async def hang(req: Any, next_: Any) -> None:
            await trial.until(lambda: len(trial.heard) >= 2)
            slack_server.platform.deliveries.ack_within = 20.0
            await next_()

        slack_server.say(club.channel, club.ada, "hello")
        await trial.until(lambda: len(trial.heard) >= 2)
        await slack_server.settled()
    assert trial.heard[1].headers["x-slack-retry-reason"] == ["http_timeout"]


async def test_a_command_and_a_shortcut_come_as_forms(slack_server: SlackServer, club: Club) -> None:
    said = slack_server.say(club.channel, club.ada, "page 12 & more")
    async with serving(slack_server) as trial:

        @trial.app.command("/thusfar")
        async def command(ack: Any, command: Json) -> None:
            await ack(f"you said {command['text']}")

        @trial.app.shortcut("set_page")
        async def shortcut(ack: Any, shortcut: Json, respond: Any) -> None:
            await ack()
            await respond(f"you meant {shortcut['message']['text']}")

        used = slack_server.slash("/thusfar", "a & b = c", user=club.ada, channel=club.channel)
        meant = slack_server.shortcut("set_page", message=said, user=club.ada)
        await slack_server.responded(used)
        await slack_server.responded(meant)
    assert [one.content for one in used.messages] == ["you said a & b = c"]
    assert [one.content for one in meant.messages] == ["you meant page 12 & more"]
