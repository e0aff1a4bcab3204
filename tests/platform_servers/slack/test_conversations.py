"""Which channels the app is told of, who is in them, and what stood in them: kinds, pages, ranges and rights."""

from datetime import UTC, datetime

import pytest
from slack_sdk.errors import SlackApiError

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.platform import SCOPES
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling
from tests.platform_servers.slack.world import ChannelKind


async def test_a_thread_comes_oldest_first_in_pages(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "0")
    replies = [slack_server.reply(asked, club.ben, str(number)) for number in range(1, 6)]
    texts, cursor = [], None
    async with calling(slack_server) as client:
        while cursor != "":
            page = await client.conversations_replies(channel=club.channel.id, ts=asked.ts, limit=4, cursor=cursor)
            texts.append([one["text"] for one in page["messages"]])
            cursor = page["response_metadata"]["next_cursor"]
        later = await client.conversations_replies(channel=club.channel.id, ts=asked.ts, oldest=replies[2].ts)
        alone = await client.conversations_replies(channel=club.channel.id, ts=replies[0].ts)
        with pytest.raises(SlackApiError, match="thread_not_found"):
            await client.conversations_replies(channel=club.channel.id, ts="1700000000.000001")
    assert texts == [["0", "1", "2", "3"], ["4", "5"]]
    assert [one["text"] for one in later["messages"]] == ["0", "4", "5"]
    assert [one["text"] for one in alone["messages"]] == ["1"]


async def test_the_history_is_newest_first_without_replies(slack_server: SlackServer, club: Club) -> None:
    old = slack_server.say(club.channel, club.ada, "old", at=datetime(2026, 1, 1, tzinfo=UTC))
    new = slack_server.say(club.channel, club.ada, "new")
    slack_server.reply(new, club.ben, "reply")
    slack_server.say(club.channel, club.ben, "for all", new.ts, broadcast=True)
    async with calling(slack_server) as client:
        history = await client.conversations_history(channel=club.channel.id)
        since = await client.conversations_history(channel=club.channel.id, oldest=old.ts)
    assert [one["text"] for one in history["messages"]] == ["for all", "new", "old"]
    assert history["messages"][1]["reply_count"] == 2
    assert [one["text"] for one in since["messages"]] == ["for all", "new"]


async def test_what_kind_of_place_a_channel_is(slack_server: SlackServer, club: Club) -> None:
    secret = slack_server.add_channel("secret", club.ada, kind=ChannelKind.PRIVATE)
    group, dm = slack_server.group_dm(club.ada, club.ben), slack_server.dm(club.ada)
    async with calling(slack_server) as client:
        told = [
            (await client.conversations_info(channel=one.id))["channel"] for one in (club.channel, secret, group, dm)
        ]
        counted = await client.conversations_info(channel=club.channel.id, include_num_members=True)
    assert [one.get("is_private") for one in told] == [False, True, True, None]
    assert [one["is_im"] for one in told] == [False, False, False, True]
    assert [one.get("is_mpim") for one in told] == [False, False, True, None]
    assert told[3]["user"] == club.ada.id
    assert counted["channel"]["num_members"] == 4


async def test_each_kind_of_channel_needs_its_own_scope() -> None:
    async with SlackServer(scopes=SCOPES - {"groups:history"}) as server, calling(server) as client:
        secret = server.add_channel("secret", kind=ChannelKind.PRIVATE)
        with pytest.raises(SlackApiError) as refused:
            await client.conversations_history(channel=secret.id)
        assert (refused.value.response["error"], refused.value.response["needed"]) == (
            "missing_scope",
            "groups:history",
        )


async def test_of_somebodys_channels_only_those_are_told_that_the_app_is_in(
    slack_server: SlackServer, club: Club
) -> None:
    shared = slack_server.add_channel("shared", club.ada, kind=ChannelKind.PRIVATE)
    slack_server.add_channel("hidden", club.ada, kind=ChannelKind.PRIVATE, with_bot=False)
    slack_server.add_channel("others", club.ben)
    async with calling(slack_server) as client:
        everything = await client.users_conversations(user=club.ada.id, types="public_channel,private_channel")
        public = await client.users_conversations(user=club.ada.id)
        with pytest.raises(SlackApiError, match="invalid_types"):
            await client.users_conversations(types="secret_channel")
    assert [one["id"] for one in everything["channels"]] == [club.channel.id, shared.id]
    assert [one["id"] for one in public["channels"]] == [club.channel.id]


async def test_members_come_in_pages(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        first = await client.conversations_members(channel=club.channel.id, limit=3)
        rest = await client.conversations_members(
            channel=club.channel.id, limit=3, cursor=first["response_metadata"]["next_cursor"]
        )
    assert first["members"] + rest["members"] == [one.id for one in club.channel.members]
    assert rest["response_metadata"]["next_cursor"] == ""


async def test_the_app_joins_public_channels_only(slack_server: SlackServer) -> None:
    away = slack_server.add_channel("away", with_bot=False)
    secret = slack_server.add_channel("secret", kind=ChannelKind.PRIVATE)
    async with calling(slack_server) as client:
        await client.conversations_join(channel=away.id)
        with pytest.raises(SlackApiError, match="method_not_supported_for_channel_type"):
            await client.conversations_join(channel=secret.id)
    assert slack_server.bot in away.members


@pytest.mark.parametrize(("who", "error"), [("U0NOBODY", "user_not_found"), ("USLACKBOT", "cannot_dm_bot")])
async def test_whom_the_app_cannot_write_to(slack_server: SlackServer, who: str, error: str) -> None:
    async with calling(slack_server) as client:
        with pytest.raises(SlackApiError, match=error):
            await client.conversations_open(users=who)
