"""Reactions and the status line, with the refusals that Slack documents."""

import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling
from tests.platform_servers.slack.world import Json


async def test_a_reaction_comes_and_goes(slack_server: SlackServer, club: Club) -> None:
    said = slack_server.say(club.channel, club.ada, "?")
    slack_server.react(said, club.ben, "eyes")
    where = {"channel": club.channel.id, "timestamp": said.ts, "name": "eyes"}
    async with calling(slack_server) as client:
        await client.reactions_add(**where)
        told = await client.reactions_get(channel=club.channel.id, timestamp=said.ts)
        await client.reactions_remove(**where)
    (both,) = told["message"]["reactions"]
    assert (both["count"], both["users"]) == (2, [club.ben.id, slack_server.bot.id])
    assert said.reactions == {"eyes": [club.ben.id]}


@pytest.mark.parametrize(
    ("method", "change", "error"),
    [
        ("reactions.add", {}, "already_reacted"),
        ("reactions.remove", {"name": "wave"}, "no_reaction"),
        ("reactions.add", {"name": "👀"}, "invalid_name"),
        ("reactions.add", {"timestamp": "soon"}, "bad_timestamp"),
        ("reactions.add", {"timestamp": "1700000000.000001"}, "message_not_found"),
        ("reactions.add", {"timestamp": ""}, "no_item_specified"),
        ("reactions.add", {"channel": "C0NOWHERE"}, "channel_not_found"),
    ],
)
async def test_a_reaction_that_slack_refuses(
    slack_server: SlackServer, club: Club, method: str, change: dict[str, str], error: str
) -> None:
    said = slack_server.say(club.channel, club.ada, "?")
    where = {"channel": club.channel.id, "timestamp": said.ts, "name": "eyes"}
    async with calling(slack_server) as client:
        await client.reactions_add(**where)
        with pytest.raises(SlackApiError) as refused:
            await client.api_call(method, params=where | change)
    assert refused.value.response["error"] == error


@pytest.mark.parametrize(
    ("by_bot", "count", "error"), [(False, 50, "too_many_emoji"), (True, 23, "too_many_reactions")]
)
async def test_reactions_have_an_end(
    slack_server: SlackServer, club: Club, by_bot: bool, count: int, error: str
) -> None:
    said = slack_server.say(club.channel, club.ada, "?")
    for number in range(count):
        slack_server.react(said, slack_server.bot if by_bot else club.ben, f"emoji_{number}")
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError, match=error):
            await client.reactions_add(channel=club.channel.id, timestamp=said.ts, name="eyes")


async def test_a_status_is_shown_until_it_is_taken_away_or_answered(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    where: Json = {"channel_id": club.channel.id, "thread_ts": asked.ts}
    async with calling(slack_server) as client:
        await client.assistant_threads_setStatus(**where, status="is reading", loading_messages=["Turning pages"])
        assert slack_server.status_of(asked) == "is reading"
        await client.assistant_threads_setStatus(**where, status="")
        assert slack_server.status_of(asked) == ""
        await client.assistant_threads_setStatus(**where, status="is writing")
        await client.chat_postMessage(channel=club.channel.id, thread_ts=asked.ts, text="!")
        assert slack_server.status_of(asked) == ""
        with pytest.raises(SlackApiError, match="invalid_arguments"):
            await client.assistant_threads_setStatus(**where, status="x", loading_messages=["x"] * 11)
        with pytest.raises(SlackApiError, match="invalid_thread_ts"):
            await client.assistant_threads_setStatus(channel_id=club.channel.id, thread_ts="1.1", status="x")
    assert slack_server.platform.statuses[club.channel.id, asked.ts] == ["is reading", "", "is writing", ""]
