"""Socket Mode: hello, envelopes, acknowledgements with their times, disconnects, several sockets, pings."""

import asyncio
import json

import aiohttp
import pytest

from tests.patience import PATIENCE_S
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling, running


async def test_an_event_comes_in_an_envelope_and_its_acknowledgement_is_timed(
    slack_server: SlackServer, club: Club
) -> None:
    async with running(slack_server) as trial:
        said = slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    (delivery,) = slack_server.deliveries
    assert delivery.ack_seconds is not None
    assert 0 < delivery.ack_seconds < 3
    (heard,) = trial.heard
    assert heard.body["type"] == "event_callback"
    assert heard.body["authorizations"][0]["user_id"] == slack_server.bot.id
    assert (heard.event["ts"], heard.event["channel_type"], heard.retry) == (said.ts, "channel", "0")


async def test_hello_is_the_first_thing_that_is_said(slack_server: SlackServer) -> None:
    async with calling(slack_server) as client, aiohttp.ClientSession() as session:
        for number in (1, 2):
            opened = await client.apps_connections_open(app_token=slack_server.app_token)
            ws = await session.ws_connect(opened["url"])
            hello = json.loads((await ws.receive()).data)
            assert (hello["type"], hello["num_connections"]) == ("hello", number)
            assert hello["debug_info"]["approximate_connection_time"] > 0
            assert hello["connection_info"] == {"app_id": slack_server.platform.app_id}


async def test_an_address_is_only_good_as_slack_gave_it(slack_server: SlackServer) -> None:
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"{slack_server.sockets.url}?ticket=guessed")


async def test_two_sockets_share_the_envelopes(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as one, running(slack_server) as two:
        for number in range(4):
            slack_server.say(club.channel, club.ada, f"message {number}")
        await slack_server.settled()
    assert [len(socket.sent) for socket in slack_server.sockets.came] == [2, 2]
    assert (len(one.heard), len(two.heard)) == (2, 2)


async def test_an_eleventh_socket_is_sent_away(slack_server: SlackServer) -> None:
    async with calling(slack_server) as client, aiohttp.ClientSession() as session:
        opened = [await client.apps_connections_open(app_token=slack_server.app_token) for _ in range(11)]
        sockets = [await session.ws_connect(one["url"]) for one in opened]
        farewell = json.loads((await sockets[-1].receive()).data)
    assert (farewell["type"], farewell["reason"]) == ("disconnect", "too_many_websockets")


async def test_a_lost_acknowledgement_brings_the_event_again(slack_server: SlackServer, club: Club) -> None:
    slack_server.lose_acks(2)
    slack_server.platform.deliveries.retry_after = [0.0, 0.0, 0.0]
    async with running(slack_server) as trial:
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert [one.retry for one in trial.heard] == ["0", "1", "2"]
    assert len({one.body["event_id"] for one in trial.heard}) == 1
    assert trial.heard[1].headers["x-slack-retry-reason"] == ["timeout"]


async def test_an_event_that_nobody_acknowledges_is_tried_four_times(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.deliveries.ack_within = 0.01
    slack_server.platform.deliveries.retry_after = [0.0, 0.01, 0.01]
    async with calling(slack_server) as client, aiohttp.ClientSession() as session:
        opened = await client.apps_connections_open(app_token=slack_server.app_token)
        ws = await session.ws_connect(opened["url"])
        said = slack_server.say(club.channel, club.ada, "hello")
        frames = [json.loads((await ws.receive()).data) for _ in range(5)][1:]
        await slack_server.settled()
    assert [(one["retry_attempt"], one["retry_reason"]) for one in frames] == [
        (0, ""),
        (1, "timeout"),
        (2, "timeout"),
        (3, "timeout"),
    ]
    assert {one["payload"]["event"]["ts"] for one in frames} == {said.ts}
    assert slack_server.deliveries[0].is_given_up


async def test_a_command_that_nobody_acknowledges_is_not_tried_again(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.deliveries.ack_within = 0.05
    async with running(slack_server) as trial:
        used = slack_server.slash("/unheard", user=club.ada, channel=club.channel)
        await slack_server.wait_for(lambda: used.is_timed_out)
    assert (len(trial.heard), used.is_acked) == (1, False)


@pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled"])
async def test_after_a_disconnect_the_app_comes_again(slack_server: SlackServer, club: Club, reason: str) -> None:
    async with running(slack_server) as trial:
        slack_server.disconnect(reason)
        await slack_server.connected(2)
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert [one.event["text"] for one in trial.heard] == ["hello"]
    assert len(slack_server.calls_of("apps.connections.open")) == 2


async def test_a_warning_leaves_the_socket_as_it_is(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client, aiohttp.ClientSession() as session:
        opened = await client.apps_connections_open(app_token=slack_server.app_token)
        ws = await session.ws_connect(opened["url"])
        await slack_server.connected()
        slack_server.disconnect("warning")
        slack_server.say(club.channel, club.ada, "hello")
        frames = [json.loads((await ws.receive()).data) for _ in range(3)]
        await ws.send_str(json.dumps({"envelope_id": frames[2]["envelope_id"]}))
        await slack_server.settled()
    assert [one.get("reason") or one["type"] for one in frames] == ["hello", "warning", "events_api"]


async def test_what_was_said_while_the_app_was_away_comes_when_it_is_back(
    slack_server: SlackServer, club: Club
) -> None:
    async with running(slack_server) as trial:
        slack_server.abort_sockets()
        slack_server.say(club.channel, club.ada, "are you there?")
        await slack_server.connected(2)
        await slack_server.settled()
    assert [(one.event["text"], one.retry) for one in trial.heard] == [("are you there?", "1")]


async def test_what_a_broken_socket_did_not_acknowledge_goes_over_the_next(
    slack_server: SlackServer, club: Club
) -> None:
    async with calling(slack_server) as client, aiohttp.ClientSession() as session:
        first = await session.ws_connect((await client.apps_connections_open(app_token=slack_server.app_token))["url"])
        slack_server.say(club.channel, club.ada, "hello")
        frames = [json.loads((await first.receive()).data) for _ in range(2)]
        await first.close()
        second = await session.ws_connect((await client.apps_connections_open(app_token=slack_server.app_token))["url"])
        frames += [json.loads((await second.receive()).data) for _ in range(2)]
        await second.send_str(json.dumps({"envelope_id": frames[-1]["envelope_id"]}))
        await slack_server.settled()
    assert [one.get("retry_attempt") for one in frames] == [None, 0, None, 1]
    assert [one.via for one in slack_server.deliveries[0].attempts] == ["socket 1", "socket 2"]


@pytest.mark.parametrize(("marked", "retries"), [(True, ["0", "1"]), (False, ["0", "0"])])
async def test_an_acknowledged_event_may_come_again(
    slack_server: SlackServer, club: Club, marked: bool, retries: list[str]
) -> None:
    async with running(slack_server) as trial:
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
        slack_server.redeliver(slack_server.deliveries[0], marked=marked)
        await slack_server.settled()
    assert [one.retry for one in trial.heard] == retries
    assert len({one.body["event_id"] for one in trial.heard}) == 1


async def test_a_frame_that_makes_no_sense_does_not_end_the_client(slack_server: SlackServer, club: Club) -> None:
    async with running(slack_server) as trial:
        slack_server.sockets.send_raw("{broken")
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
    assert len(trial.heard) == 1


async def test_pings_go_both_ways(slack_server: SlackServer) -> None:
    async with running(slack_server, ping_interval=0.05):
        (socket,) = slack_server.sockets.came
        await slack_server.wait_for(lambda: socket.pings >= 2 and socket.pongs >= 1)


async def test_a_socket_without_pongs_is_given_up_by_the_client(slack_server: SlackServer) -> None:
    slack_server.sockets.answers_pings = False
    async with running(slack_server, ping_interval=0.1):
        await slack_server.connected(2)


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ('{"envelope_id": "nobody"}', "an acknowledgement of nothing"),
        ('{"envelope_id": "%s", "payload": {"text": "x"}}', "a payload in the acknowledgement of an event"),
    ],
)
async def test_an_acknowledgement_that_slack_would_not_take_fails_the_test(said: str, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        async with SlackServer() as server, calling(server) as client, aiohttp.ClientSession() as session:
            opened = await client.apps_connections_open(app_token=server.app_token)
            ws = await session.ws_connect(opened["url"])
            club = server.add_club()
            server.say(club.channel, club.ada, "hello")
            frames = [json.loads((await ws.receive()).data) for _ in range(2)]
            await ws.send_str(said.replace("%s", frames[1]["envelope_id"]))
            await server.wait_for(lambda: server.platform.complaints or server.deliveries[0].acked)
            await asyncio.wait_for(ws.close(), PATIENCE_S)
