"""`thusfar doctor --live` on the platforms' servers: it does what it says, cleans up, and names what is missing."""

import asyncio
import json

import pytest

from adapters.platform import live_steps
from tests.bot.running import thusfar
from tests.platform_servers.discord.faults import Fault, held, rate_limited
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.server import SlackServer
from tests.servers.openai_server import CHAT, OpenAIServer, error_reply

__all__ = ["discord_server", "slack_server"]
_KEY = "sk-secret-0123456789"


async def _live(server: DiscordServer | SlackServer, channel: str) -> list[tuple[str, bool, str]]:
    """Run it in a thread: the server lives in this one's loop."""
    named = {"DISCORD_TOKEN": server.token, "DISCORD_API_BASE": server.api_base}
    if isinstance(server, SlackServer):
        named = {
            "SLACK_BOT_TOKEN": server.token,
            "SLACK_APP_TOKEN": server.app_token,
            "SLACK_API_BASE": server.api_base,
        }
    with pytest.MonkeyPatch.context() as patch:
        for setting, value in named.items():
            patch.setenv(setting, value)
        ran = await asyncio.to_thread(thusfar, "doctor", "--live", channel, "--json")
    assert server.token not in ran.out
    checks = json.loads(ran.out)["checks"]
    return [(each["name"], each["ok"], each["detail"]) for each in checks if each["name"].endswith("live")]


async def test_on_discord_all_is_done_and_deleted(discord_server: DiscordServer) -> None:
    club = discord_server.add_club()
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS | Right.MANAGE_THREADS)
    checks = await _live(discord_server, str(club.channel.id))
    steps = [detail.partition(":")[0] for name, ok, detail in checks if name == "discord live" and ok]
    assert steps == [
        "log in", "see the channel", "post", "edit", "react", "open a thread", "post in the thread",
        "delete the thread", "delete the post",
    ]  # fmt: skip
    assert [ok for name, ok, _ in checks if name == "model live"] == [True, True]
    assert discord_server.by_bot(club.channel) == []
    assert not [one for one in discord_server.platform.channels.values() if one.is_thread]


async def test_on_discord_a_right_that_is_missing_is_named_and_the_rest_goes_on(discord_server: DiscordServer) -> None:
    club = discord_server.add_club()
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~Right.ADD_REACTIONS)
    checks = await _live(discord_server, str(club.channel.id))
    failed = [detail for _, ok, detail in checks if not ok]
    assert len(failed) == 2
    assert failed[0].startswith("react: ")
    assert "Add Reactions" in failed[0]
    assert "delete the thread by hand" in failed[1]
    assert discord_server.by_bot(club.channel) == []


async def test_on_discord_a_channel_that_is_not_there_is_told(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    checks = await _live(discord_server, "4711")
    assert next(detail for _, ok, detail in checks if not ok).startswith("see the channel: Discord refused it (404")


@pytest.mark.parametrize("fault", [held(), rate_limited(3600)], ids=["silent", "limited"])
async def test_on_discord_a_step_without_an_answer_ends_and_the_post_is_deleted(
    discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    monkeypatch.setattr(live_steps, "STEP_S", 1.0)
    club = discord_server.add_club()
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS | Right.MANAGE_THREADS)
    discord_server.fail_next("PATCH", "/channels/{channel}/messages/{message}", fault)
    checks = await _live(discord_server, str(club.channel.id))
    assert [detail for _, ok, detail in checks if not ok] == ["edit: no answer in 1 s. It needs Send Messages."]
    assert discord_server.by_bot(club.channel) == []


async def test_in_slack_all_is_done_and_deleted(slack_server: SlackServer) -> None:
    club = slack_server.add_club("books")
    checks = await _live(slack_server, club.channel.id)
    assert all(ok for _, ok, _ in checks), checks
    assert len([one for one in checks if one[0] == "slack live"]) == 6
    assert slack_server.by_bot(club.channel) == []


async def test_in_slack_a_scope_that_is_missing_is_named(slack_server: SlackServer) -> None:
    club = slack_server.add_club("books")
    slack_server.grant(without=["reactions:write"])
    failed = [detail for _, ok, detail in await _live(slack_server, club.channel.id) if not ok]
    assert len(failed) == 1
    assert failed[0].startswith("react: ")
    assert "reactions:write" in failed[0]
    assert slack_server.by_bot(club.channel) == []


async def test_a_model_that_refuses_its_key_is_named_without_the_key(
    slack_server: SlackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = slack_server.add_club("books")
    async with OpenAIServer() as model:
        for _ in range(2):  # of the check that doctor always makes, and of the first question
            model.will_answer(CHAT, error_reply(401, f"Incorrect API key provided: {_KEY}."))
        monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", _KEY)
        failed = [(name, detail) for name, ok, detail in await _live(slack_server, club.channel.id) if not ok]
    assert [name for name, _ in failed] == ["model live"]
    assert "401" in failed[0][1]
    assert _KEY not in failed[0][1]
