"""What the loopback Slack refuses as the real one does. What it takes, Thusfar does on it in tests/adapters."""

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer
from tests.platform_servers.slack.trial_app import calling
from tests.platform_servers.slack.world import Json

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
