"""The real slack_sdk and slack_bolt come to the loopback Slack, and see what tokens and scopes let them see."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.discord.pointing import dialled
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.platform import SCOPES
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling, running


async def test_auth_test_tells_who_the_app_is_and_which_scopes_it_has() -> None:
    async with SlackServer(scopes=["chat:write", "commands"]) as server, calling(server) as client:
        me = await client.auth_test()
        assert (me["user_id"], me["bot_id"]) == (server.bot.id, server.bot.bot_id)
        assert me["team_id"] == server.platform.team_id
        assert me.headers["x-oauth-scopes"] == "chat:write,commands"


@pytest.mark.parametrize(("token", "error"), [("xoxb-other", "invalid_auth"), (" ", "not_authed")])
async def test_a_wrong_token_is_refused(slack_server: SlackServer, token: str, error: str) -> None:
    async with calling(slack_server, token=token) as client:
        with pytest.raises(SlackApiError) as refused:
            await client.auth_test()
    assert refused.value.response["error"] == error


async def test_the_two_tokens_are_not_each_others(slack_server: SlackServer) -> None:
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError) as bot_for_app:
            await client.apps_connections_open(app_token=slack_server.token)
    async with calling(slack_server, token=slack_server.app_token) as client:
        with pytest.raises(SlackApiError) as app_for_bot:
            await client.users_info(user=slack_server.bot.id)
    assert {one.value.response["error"] for one in (bot_for_app, app_for_bot)} == {"not_allowed_token_type"}


@pytest.mark.parametrize(
    ("scope", "method", "arguments"),
    [
        ("chat:write", "chat.postMessage", {"channel": "{channel}", "text": "x"}),
        ("users:read", "users.info", {"user": "{ada}"}),
        ("channels:read", "conversations.info", {"channel": "{channel}"}),
        ("channels:history", "conversations.history", {"channel": "{channel}"}),
        ("reactions:write", "reactions.add", {"channel": "{channel}", "timestamp": "1", "name": "x"}),
        ("files:read", "files.info", {"file": "F0"}),
        ("im:write", "conversations.open", {"users": "{ada}"}),
    ],
)
async def test_a_scope_that_is_missing_is_told(scope: str, method: str, arguments: dict[str, str]) -> None:
    async with SlackServer(scopes=SCOPES - {scope}) as server, calling(server) as client:
        club = server.add_club()
        filled = {name: one.format(channel=club.channel.id, ada=club.ada.id) for name, one in arguments.items()}
        with pytest.raises(SlackApiError) as refused:
            await client.api_call(method, params=filled)
        answer = refused.value.response
        assert answer["error"] == "missing_scope"
        assert scope in answer["needed"].split(",")
        assert scope not in answer["provided"].split(",")


async def test_people_and_bots_are_told(slack_server: SlackServer) -> None:
    ada = slack_server.add_person("Ada", display_name="ada l.", is_admin=True)
    async with calling(slack_server) as client:
        told = (await client.users_info(user=ada.id))["user"]
        bot = (await client.bots_info(bot=slack_server.bot.bot_id))["bot"]
        with pytest.raises(SlackApiError, match="user_not_found"):
            await client.users_info(user="U0NOBODY")
        with pytest.raises(SlackApiError, match="bot_not_found"):
            await client.bots_info(bot="B0NOBODY")
    assert (told["profile"]["display_name"], told["is_admin"], told["is_owner"]) == ("ada l.", True, False)
    assert (bot["user_id"], bot["app_id"]) == (slack_server.bot.id, slack_server.platform.app_id)


async def test_a_method_that_is_not_there_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"unknown method chat\.sendTelegram"):
        async with SlackServer() as server, calling(server) as client:
            with pytest.raises(SlackApiError, match="unknown_method"):
                await client.api_call("chat.sendTelegram", json={"text": "x"})


async def test_an_argument_that_a_method_does_not_have_fails_the_test() -> None:
    with pytest.raises(AssertionError, match=r"chat.postMessage takes no \['colour'\]"):
        async with SlackServer() as server, calling(server) as client:
            await client.chat_postMessage(channel=server.add_club().channel.id, text="x", colour="blue")


async def test_an_address_that_is_not_there_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="unknown address GET /elsewhere"):
        async with SlackServer() as server, calling(server) as client:
            assert client.session is not None
            async with client.session.get(f"{server.url}/elsewhere") as answer:
                assert answer.status == 404


async def test_no_other_host_is_dialled(slack_server: SlackServer, club: Club) -> None:
    with dialled() as hosts:
        async with running(slack_server) as trial:
            slack_server.mention(club.channel, club.ada, "hello")
            await trial.until(lambda: len(trial.heard) >= 2)
            await trial.client.chat_postMessage(channel=club.channel.id, text="hello")
            await slack_server.settled()
    assert hosts == {"127.0.0.1"}
