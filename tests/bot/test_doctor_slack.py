"""What `thusfar doctor` says about Slack, in words that somebody can act on."""

import asyncio
import json

import pytest

from adapters.slack.doctor import _scopes
from adapters.slack.manifest import SCOPES
from bot.commands.doctor import _slack
from bot.settings import Settings
from bot.wiring import build
from tests.bot.running import thusfar
from tests.platform_servers.slack.faults import refused
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer

__all__ = ["slack_server"]


async def examined(server: SlackServer, **settings: str) -> dict[str, tuple[bool, str]]:
    """Run the doctor in a thread: the server lives in this one's loop."""
    named = {
        "SLACK_BOT_TOKEN": server.token,
        "SLACK_APP_TOKEN": server.app_token,
        "SLACK_API_BASE": server.api_base,
        "THUSFAR_EMBEDDINGS": "none",
    }
    with pytest.MonkeyPatch.context() as patch:
        for setting, value in (named | settings).items():
            patch.setenv(setting, value)
        ran = await asyncio.to_thread(thusfar, "doctor", "--json")
    assert ran.err == ""
    checks = json.loads(ran.out)["checks"]
    assert ran.code == (0 if all(check["ok"] for check in checks) else 1)
    return {check["name"]: (check["ok"], check["detail"]) for check in checks if check["name"].startswith("slack")}


async def test_all_is_well(slack_server: SlackServer) -> None:
    checks = await examined(slack_server)
    assert checks == {
        "slack": (True, "thusfar in Readers"),
        "slack scopes": (True, "all that are needed"),
        "slack connection": (True, "Socket Mode"),
    }
    assert slack_server.sockets.came == []


async def test_the_manifests_scopes_are_all_that_is_needed(slack_server: SlackServer) -> None:
    slack_server.platform.scopes = frozenset(SCOPES)
    assert (await examined(slack_server))["slack scopes"][0]


async def test_missing_scopes_are_named_with_what_they_are_for(slack_server: SlackServer) -> None:
    slack_server.grant(without=["files:read", "groups:history"])
    ok, detail = (await examined(slack_server))["slack scopes"]
    assert not ok
    assert "files:read (to take in books)" in detail
    assert "groups:history" in detail
    assert "channels:history (" not in detail
    assert "install the app to the workspace again" in detail


async def test_what_only_files_need_is_named_and_no_failure(slack_server: SlackServer) -> None:
    slack_server.grant(without=["files:write"])
    ok, detail = (await examined(slack_server))["slack scopes"]
    assert ok
    assert "files:write (for a picture beside /progress here, and" in detail


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"])
async def test_a_refused_token_is_named_and_not_shown(slack_server: SlackServer, name: str) -> None:
    checks = await examined(slack_server, **{name: "xoxb-of-somebody-else"})
    ((_, detail),) = [each for each in checks.values() if not each[0]]
    assert name in detail
    assert "somebody" not in detail


async def test_socket_mode_that_is_off_is_said(slack_server: SlackServer) -> None:
    slack_server.fail_next("apps.connections.open", refused("socket_mode_not_enabled"))
    ok, detail = (await examined(slack_server))["slack connection"]
    assert (ok, detail) == (False, "Socket Mode is off. Switch it on, on the app's page, under Socket Mode.")


async def test_without_an_app_token_it_is_http(slack_server: SlackServer) -> None:
    checks = await examined(slack_server, SLACK_APP_TOKEN="", SLACK_SIGNING_SECRET="x" * 32)
    assert checks["slack connection"][0]
    assert "HTTP at port 3000" in checks["slack connection"][1]
    checks = await examined(slack_server, SLACK_APP_TOKEN="")
    ((ok, detail),) = checks.values()
    assert not ok
    assert "SLACK_SIGNING_SECRET" in detail


async def test_a_slack_that_is_out_of_reach_is_one_check(slack_server: SlackServer) -> None:
    checks = await examined(slack_server, SLACK_API_BASE="http://127.0.0.1:1/api/")
    assert [ok for ok, _ in checks.values()] == [False]


async def test_without_a_token_nothing_is_asked() -> None:
    application = build(Settings(THUSFAR_EMBEDDINGS="none"))
    try:
        ((name, ok, detail),) = await _slack(application)
    finally:
        await application.close()
    assert (name, ok) == ("slack", True)
    assert "SLACK_BOT_TOKEN is not set" in detail


def test_scopes_that_are_not_told_are_not_called_missing() -> None:
    assert _scopes(frozenset()) == ("slack scopes", True, "Slack does not tell which the token was given")
