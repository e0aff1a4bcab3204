"""Posting, changing, deleting and whispering, with the limits and refusals of Slack's documentation."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling
from tests.platform_servers.slack.world import ChannelKind, Json


def _markdown(text: str) -> list[Json]:
    return [{"type": "markdown", "text": text}]


def _section(text: str) -> list[Json]:
    return [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]


async def _error(client: AsyncWebClient, method: str, arguments: Json) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, json=arguments)
    return str(refused.value.response["error"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "no_text"),
        ({"text": "  \n"}, "no_text"),
        ({"text": "x" * 40_001}, "msg_too_long"),
        ({"text": "x", "blocks": _markdown("x" * 12_001)}, "invalid_blocks"),
        ({"text": "x", "blocks": _markdown("x" * 6_001) + _markdown("x" * 6_000)}, "invalid_blocks"),
        ({"text": "x", "blocks": _section("x" * 3_001)}, "invalid_blocks"),
        ({"text": "x", "blocks": _section("")}, "invalid_blocks"),
        ({"text": "x", "blocks": [{"type": "divider"}] * 51}, "invalid_blocks"),
        ({"text": "x", "blocks": _section("x" * 2_999) * 5}, "msg_blocks_too_long"),
        ({"text": "x", "blocks": "not json"}, "invalid_blocks_format"),
        ({"text": "x", "thread_ts": "yesterday"}, "invalid_thread_ts"),
        ({"text": "x", "thread_ts": "1700000000.000001"}, "thread_not_found"),
        ({"text": "x", "metadata": {"event_type": "a"}}, "invalid_metadata_schema"),
        ({"text": "x", "metadata": {"event_type": "a", "event_payload": {"a": "x" * 8_000}}}, "metadata_too_large"),
        ({"text": "x", "markdown_text": "y"}, "markdown_text_conflict"),
        ({"text": "x", "username": "Somebody"}, "missing_scope"),
    ],
)
async def test_a_message_that_slack_refuses(slack_server: SlackServer, club: Club, arguments: Json, error: str) -> None:
    async with calling(slack_server) as client:
        assert await _error(client, "chat.postMessage", {"channel": club.channel.id} | arguments) == error
    assert club.channel.texts == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"text": "x" * 40_000},
        {"text": "x", "blocks": _markdown("x" * 12_000)},
        {"text": "x", "blocks": _section("x" * 3_000) * 4},
        {"text": "x", "blocks": [{"type": "divider"}] * 50},
        {"markdown_text": "**bold**"},
    ],
)
async def test_a_message_at_the_limit_is_taken(slack_server: SlackServer, club: Club, arguments: Json) -> None:
    async with calling(slack_server) as client:
        await client.api_call("chat.postMessage", json={"channel": club.channel.id} | arguments)
    assert len(club.channel.history) == 1


@pytest.mark.parametrize(
    ("method", "more"),
    [("chat.postMessage", {}), ("chat.postEphemeral", {"user": "{ada}"}), ("chat.update", {"ts": "1"})],
)
@pytest.mark.parametrize(
    "error", ["channel_not_found", "not_in_channel", "is_archived", "restricted_action", "unseen_private"]
)
async def test_where_the_app_may_not_write(
    slack_server: SlackServer, club: Club, method: str, more: Json, error: str
) -> None:
    channel = club.channel
    if error == "not_in_channel":
        slack_server.remove_bot(channel)
    elif error == "is_archived":
        slack_server.archive(channel)
    elif error == "restricted_action":
        slack_server.restrict(channel)
    elif error == "unseen_private":
        channel = slack_server.add_channel("secret", club.ada, kind=ChannelKind.PRIVATE, with_bot=False)
    key = "C0NOWHERE" if error == "channel_not_found" else channel.id
    filled = {name: value.format(ada=club.ada.id) for name, value in more.items()}
    async with calling(slack_server) as client:
        found = await _error(client, method, {"channel": key, "text": "x"} | filled)
    assert found == ("channel_not_found" if error == "unseen_private" else error)


async def test_an_answer_stands_in_its_thread_and_never_under_a_reply(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    async with calling(slack_server) as client:
        posted = await client.chat_postMessage(channel=club.channel.id, text="!", thread_ts=asked.ts)
        error = await _error(
            client, "chat.postMessage", {"channel": club.channel.id, "text": "!", "thread_ts": posted["ts"]}
        )
    assert error == "cannot_reply_to_message"
    assert [one.content for one in slack_server.replies_to(asked)] == ["!"]
    assert posted["message"]["thread_ts"] == asked.ts


async def test_metadata_is_found_again_after_a_crash(slack_server: SlackServer, club: Club) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    mark = {"event_type": "turn", "event_payload": {"id": "t1"}}
    where: Json = {"channel": club.channel.id, "ts": asked.ts}
    async with calling(slack_server) as client:
        await client.chat_postMessage(channel=club.channel.id, text="!", thread_ts=asked.ts, metadata=mark)
        full = await client.conversations_replies(**where, include_all_metadata=True)
        bare = await client.conversations_replies(**where)
    assert [one.get("metadata") for one in full["messages"]] == [None, mark]
    assert bare["messages"][1]["metadata"] == {"event_type": "turn"}


async def test_an_update_keeps_the_blocks_that_it_does_not_name(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        posted = await client.chat_postMessage(channel=club.channel.id, text="one", blocks=_markdown("one"))
        where = {"channel": club.channel.id, "ts": posted["ts"]}
        await client.chat_update(**where, text="two")
        await client.chat_update(**where, text="three", blocks=[])
        too_long = await _error(client, "chat.update", where | {"text": "x" * 4_001})
    (message,) = club.channel.history
    assert message.contents == ["one", "one", "three"]
    assert message.is_edited
    assert too_long == "msg_too_long"


async def test_only_its_own_messages_can_the_app_change_and_delete(slack_server: SlackServer, club: Club) -> None:
    said = slack_server.say(club.channel, club.ada, "mine")
    where = {"channel": club.channel.id, "ts": said.ts}
    async with calling(slack_server) as client:
        posted = await client.chat_postMessage(channel=club.channel.id, text="yours")
        await client.chat_delete(channel=club.channel.id, ts=posted["ts"])
        errors = [
            await _error(client, "chat.update", where | {"text": "yours"}),
            await _error(client, "chat.delete", where),
            await _error(client, "chat.delete", where | {"ts": posted["ts"]}),
        ]
    assert errors == ["cant_update_message", "cant_delete_message", "message_not_found"]
    assert club.channel.texts == ["mine"]


async def test_a_whisper_is_seen_by_one_member_and_only_in_a_thread_with_replies(
    slack_server: SlackServer, club: Club
) -> None:
    asked = slack_server.say(club.channel, club.ada, "?")
    stranger = slack_server.add_person("Sam")
    where: Json = {"channel": club.channel.id, "text": "psst"}
    async with calling(slack_server) as client:
        assert await _error(client, "chat.postEphemeral", where | {"user": stranger.id}) == "user_not_in_channel"
        await client.chat_postEphemeral(**where, user=club.ada.id, thread_ts=asked.ts)
        assert slack_server.seen_by(club.ada, club.channel) == []
        slack_server.reply(asked, club.ben, "!")
        await client.chat_postEphemeral(**where, user=club.ada.id, thread_ts=asked.ts)
    assert [one.content for one in await slack_server.whispered(club.channel, club.ada)] == ["psst"]
    assert slack_server.seen_by(club.ben, club.channel) == []
    assert club.channel.texts == ["?", "!"]


async def test_a_message_has_an_address(slack_server: SlackServer, club: Club) -> None:
    said = slack_server.say(club.channel, club.ada, "here")
    async with calling(slack_server) as client:
        told = await client.chat_getPermalink(channel=club.channel.id, message_ts=said.ts)
        with pytest.raises(SlackApiError, match="message_not_found"):
            await client.chat_getPermalink(channel=club.channel.id, message_ts="1700000000.000001")
    assert told["permalink"].endswith(f"/{club.channel.id}/p{said.ts.replace('.', '')}")


async def test_an_app_that_may_write_everywhere_need_not_be_there() -> None:
    async with SlackServer(scopes=["chat:write"]) as server, calling(server) as client:
        away = server.add_channel("away", with_bot=False)
        assert await _error(client, "chat.postMessage", {"channel": away.id, "text": "x"}) == "not_in_channel"
        server.grant(scopes=["chat:write.public"])
        await client.chat_postMessage(channel=away.id, text="hello")
        assert away.texts == ["hello"]


async def test_a_message_to_a_person_goes_into_their_dm(slack_server: SlackServer, club: Club) -> None:
    async with calling(slack_server) as client:
        posted = await client.chat_postMessage(channel=club.ada.id, text="hi")
        opened = await client.conversations_open(users=club.ada.id)
    assert posted["channel"] == opened["channel"]["id"] == slack_server.dm(club.ada).id


async def test_one_message_a_second_a_channel_where_asked_for(slack_server: SlackServer, club: Club) -> None:
    slack_server.platform.one_a_second = True
    elsewhere = slack_server.add_channel("elsewhere")
    async with calling(slack_server) as client:
        await client.chat_postMessage(channel=club.channel.id, text="one")
        await client.chat_postMessage(channel=elsewhere.id, text="one")
        with pytest.raises(SlackApiError) as limited:
            await client.chat_postMessage(channel=club.channel.id, text="two")
    assert (limited.value.response.status_code, limited.value.response["error"]) == (429, "ratelimited")
    assert limited.value.response.headers["Retry-After"] == "1"
