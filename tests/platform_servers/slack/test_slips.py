"""What fails a test on the loopback Slack: what the app asked or said in vain, and what the test planned in vain."""

import json

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.faults import broken
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling


async def test_what_is_not_there_fails_the_test() -> None:
    told = r"unknown method chat\.sendTelegram.*chat.postMessage takes no \['colour'\].*unknown address GET /elsewhere"
    with pytest.raises(AssertionError, match=told):
        async with SlackServer() as server, calling(server) as client, aiohttp.ClientSession() as session:
            with pytest.raises(SlackApiError, match="unknown_method"):
                await client.api_call("chat.sendTelegram", json={"text": "x"})
            await client.chat_postMessage(channel=server.add_club().channel.id, text="x", colour="blue")
            async with session.get(f"{server.url}/elsewhere") as answer:
                assert answer.status == 404


async def test_a_fault_that_nobody_met_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"never met: 1 faults for chat\.postMessage"):
        async with SlackServer() as server:
            server.fail_next("chat.postMessage", broken())


async def test_a_fault_for_no_method_and_a_wait_in_vain_are_told(slack_server: SlackServer, club: Club) -> None:
    with pytest.raises(AssertionError, match=r"no such method: chat\.post"):
        slack_server.fail_next("chat.post", broken())
    slack_server.say(club.channel, club.ada, "hello")
    with pytest.raises(AssertionError, match=r"(?s)not within 0.01 s.*#books Ada: 'hello'"):
        await slack_server.wait_for(lambda: None, within=0.01)


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
            await ws.close()
