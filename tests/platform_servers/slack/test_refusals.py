"""What the loopback Slack refuses as the real one does. What it takes, Thusfar does on it in tests/adapters."""

import time

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.platform_servers.slack.interactions import Interaction
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.platform import EVENT_SCOPES, SCOPES
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling, running, serving
from tests.platform_servers.slack.world import ChannelKind, Json

_NOWHEN = "1700000000.000001"


def _markdown(text: str) -> list[Json]:
    return [{"type": "markdown", "text": text}]


def _section(text: str) -> list[Json]:
    return [{"type": "section", "text": {"type": "mrkdwn", "text": text}}]


_REFUSED: tuple[tuple[Json, str], ...] = (
    ({}, "no_text"),
    ({"text": "x" * 40_001}, "msg_too_long"),
    ({"text": "x", "blocks": _markdown("x" * 12_001)}, "invalid_blocks"),
    ({"text": "x", "blocks": _markdown("x" * 6_001) + _markdown("x" * 6_000)}, "invalid_blocks"),
    ({"text": "x", "blocks": _section("x" * 3_001)}, "invalid_blocks"),
    ({"text": "x", "blocks": [{"type": "divider"}] * 51}, "invalid_blocks"),
    ({"text": "x", "blocks": _section("x" * 2_999) * 5}, "msg_blocks_too_long"),
    ({"text": "x", "blocks": "not json"}, "invalid_blocks_format"),
    ({"text": "x", "thread_ts": "yesterday"}, "invalid_thread_ts"),
    ({"text": "x", "thread_ts": _NOWHEN}, "thread_not_found"),
    ({"text": "x", "metadata": {"event_type": "a"}}, "invalid_metadata_schema"),
    ({"text": "x", "metadata": {"event_type": "a", "event_payload": {"a": "x" * 8_000}}}, "metadata_too_large"),
    ({"text": "x", "markdown_text": "y"}, "markdown_text_conflict"),
)
_ACCEPTED: tuple[Json, ...] = (
    {"text": "x" * 40_000},
    {"text": "x", "blocks": _markdown("x" * 12_000)},
    {"text": "x", "blocks": _section("x" * 3_000) * 4},
    {"text": "x", "blocks": [{"type": "divider"}] * 50},
)
_SCOPED: tuple[tuple[str, str, Json], ...] = (
    ("chat:write", "chat.postMessage", {"channel": "{channel}", "text": "x"}),
    ("users:read", "users.info", {"user": "{ada}"}),
    ("channels:history", "conversations.history", {"channel": "{channel}"}),
    ("reactions:write", "reactions.add", {"channel": "{channel}", "timestamp": "1", "name": "x"}),
    ("files:read", "files.info", {"file": "F0"}),
    ("files:write", "files.getUploadURLExternal", {"filename": "a.png", "length": "3"}),
    ("im:write", "conversations.open", {"users": "{ada}"}),
)


async def _error(client: AsyncWebClient, method: str, arguments: Json) -> str:
    with pytest.raises(SlackApiError) as refused:
        await client.api_call(method, params=arguments) if "files" in method else await client.api_call(
            method, json=arguments
        )
    return str(refused.value.response["error"])


async def _say(interaction: Interaction, text: str) -> int:
    async with aiohttp.ClientSession() as session:
        return (await AsyncWebhookClient(interaction.response_url, session=session).send(text=text)).status_code


async def test_messages_at_a_limit_are_taken_and_those_beyond_are_refused(
    slack_server: SlackServer, club: Club
) -> None:
    where = {"channel": club.channel.id}
    async with calling(slack_server) as client:
        for arguments in _ACCEPTED:
            await client.api_call("chat.postMessage", json=where | arguments)
        for arguments, error in _REFUSED:
            assert await _error(client, "chat.postMessage", where | arguments) == error
    assert len(club.channel.history) == len(_ACCEPTED)


@pytest.mark.parametrize(
    ("method", "more"),
    [("chat.postMessage", {}), ("chat.postEphemeral", {"user": "{ada}"}), ("chat.update", {"ts": "1"})],
)
async def test_where_the_app_may_not_write(slack_server: SlackServer, club: Club, method: str, more: Json) -> None:
    left, archived, restricted = (slack_server.add_channel(name, club.ada) for name in ("left", "old", "strict"))
    secret = slack_server.add_channel("secret", club.ada, kind=ChannelKind.PRIVATE, with_bot=False)
    slack_server.remove_bot(left)
    slack_server.archive(archived)
    slack_server.restrict(restricted)
    said = {"text": "x"} | {name: value.format(ada=club.ada.id) for name, value in more.items()}
    async with calling(slack_server) as client:
        errors = [
            await _error(client, method, {"channel": key} | said)
            for key in ("C0NOWHERE", secret.id, left.id, archived.id, restricted.id)
        ]
    assert errors == ["channel_not_found"] * 2 + ["not_in_channel", "is_archived", "restricted_action"]


async def test_what_is_foreign_gone_or_done_already_is_refused(slack_server: SlackServer, club: Club) -> None:
    said = slack_server.say(club.channel, club.ada, "mine")
    where: Json = {"channel": club.channel.id}
    async with calling(slack_server) as client:
        posted = await client.chat_postMessage(**where, text="yours", thread_ts=said.ts)
        await client.reactions_add(**where, timestamp=said.ts, name="eyes")
        errors = [
            await _error(client, method, where | arguments)
            for method, arguments in (
                ("chat.update", {"ts": said.ts, "text": "yours"}),
                ("chat.update", {"ts": posted["ts"], "text": "x" * 4_001}),
                ("chat.delete", {"ts": said.ts}),
                ("chat.delete", {"ts": _NOWHEN}),
                ("chat.postMessage", {"text": "!", "thread_ts": posted["ts"]}),
                ("chat.postEphemeral", {"text": "psst", "user": slack_server.add_person("Sam").id}),
                ("reactions.add", {"timestamp": said.ts, "name": "eyes"}),
                ("reactions.remove", {"timestamp": said.ts, "name": "wave"}),
                ("reactions.add", {"timestamp": said.ts, "name": "👀"}),
                ("reactions.add", {"timestamp": _NOWHEN, "name": "eyes"}),
            )
        ]
    assert errors == [
        "cant_update_message", "msg_too_long", "cant_delete_message", "message_not_found", "cannot_reply_to_message",
        "user_not_in_channel", "already_reacted", "no_reaction", "invalid_name", "message_not_found",
    ]  # fmt: skip


async def test_a_scope_or_token_that_is_missing_is_told(slack_server: SlackServer, club: Club) -> None:
    for scope, method, arguments in _SCOPED:
        slack_server.grant(without=[scope])
        filled = {name: one.format(channel=club.channel.id, ada=club.ada.id) for name, one in arguments.items()}
        async with calling(slack_server) as client:
            with pytest.raises(SlackApiError) as refused:
                await client.api_call(method, params=filled)
        assert refused.value.response["error"] == "missing_scope", scope
        assert scope in refused.value.response["needed"].split(",")
        slack_server.grant(scopes=[scope])
    for token, error in (("xoxb-other", "invalid_auth"), (slack_server.app_token, "not_allowed_token_type")):
        async with calling(slack_server, token=token) as client:
            assert await _error(client, "users.info", {"user": club.ada.id}) == error


@pytest.mark.parametrize(
    ("scopes", "events", "heard"),
    [
        (SCOPES, ["app_mention"], ["app_mention"]),
        (SCOPES, ["message.groups"], []),
        (SCOPES - {"channels:history"}, EVENT_SCOPES, ["app_mention"]),
        (SCOPES - {"app_mentions:read"}, EVENT_SCOPES, ["message"]),
    ],
)
async def test_an_event_needs_its_subscription_and_its_scope(
    scopes: frozenset[str], events: list[str], heard: list[str]
) -> None:
    async with SlackServer(scopes=scopes, events=events) as server, running(server):
        club = server.add_club()
        server.mention(club.channel, club.ada, "hello")
        await server.settled()
        assert [one.name for one in server.deliveries] == heard


async def test_a_response_url_takes_five_answers_for_half_an_hour(slack_server: SlackServer, club: Club) -> None:
    used = slack_server.slash("/thusfar", user=club.ada, channel=club.channel)
    assert [await _say(used, str(number)) for number in range(6)] == [200] * 5 + [404]
    late = slack_server.slash("/thusfar", user=club.ada, channel=club.channel, expired=True)
    assert await _say(late, "too late") == 404
    assert [call.error for call in slack_server.calls_of("response_url")][-2:] == ["used_url", "expired_url"]


async def test_a_trigger_is_good_once_and_for_three_seconds(slack_server: SlackServer, club: Club) -> None:
    text = {"type": "plain_text", "text": "Set page"}
    form = {"type": "modal", "callback_id": "set_page", "title": text, "blocks": [{"type": "divider"}]}
    used = slack_server.slash("/setpage", user=club.ada, channel=club.channel)
    late = slack_server.slash("/setpage", user=club.ada, channel=club.channel, expired=True)
    async with calling(slack_server) as client:
        await client.views_open(trigger_id=used.trigger_id, view=form)
        for again, error in ((used, "exchanged_trigger_id"), (late, "expired_trigger_id")):
            assert await _error(client, "views.open", {"view": form, "trigger_id": again.trigger_id}) == error


async def test_without_the_token_a_file_is_a_login_page(slack_server: SlackServer, club: Club) -> None:
    file = slack_server.upload("book.txt", b"x", owner=club.ada)
    async with aiohttp.ClientSession() as session, session.get(file.url) as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")


async def test_a_wrong_signature_or_an_old_time_is_refused_by_the_library(
    slack_server: SlackServer, club: Club
) -> None:
    async with serving(slack_server) as trial:
        slack_server.say(club.channel, club.ada, "hello")
        await slack_server.settled()
        payload, now = slack_server.deliveries[0].payload, time.time()
        answered = [
            (await slack_server.http.post(payload, secret=secret, at=at)).status
            for secret, at in ((None, now), ("wrong", now), (None, now - 301))
        ]
    assert (answered, len(trial.heard)) == ([200, 401, 401], 2)
