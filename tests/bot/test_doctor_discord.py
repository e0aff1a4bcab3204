"""What `thusfar doctor` says about Discord, in words that somebody can act on."""

import asyncio
import json

import pytest

from bot.commands.doctor import _discord
from bot.settings import Settings
from bot.wiring import build
from tests.bot.running import thusfar
from tests.platform_servers.discord.connection import Intent
from tests.platform_servers.discord.fixtures import discord_server
from tests.platform_servers.discord.rights import BOT_RIGHTS, Right
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]


async def examined(server: DiscordServer, **settings: str) -> dict[str, tuple[bool, str]]:
    """Run the doctor in a thread: the server lives in this one's loop."""
    named = {"DISCORD_TOKEN": server.token, "DISCORD_API_BASE": server.api_base, "THUSFAR_EMBEDDINGS": "none"}
    with pytest.MonkeyPatch.context() as patch:
        for setting, value in (named | settings).items():
            patch.setenv(setting, value)
        ran = await asyncio.to_thread(thusfar, "doctor", "--json")
    assert ran.err == ""
    checks = json.loads(ran.out)["checks"]
    assert ran.code == (0 if all(check["ok"] for check in checks) else 1)
    return {check["name"]: (check["ok"], check["detail"]) for check in checks if check["name"].startswith("discord")}


async def test_all_is_well_and_the_link_asks_for_what_is_needed(discord_server: DiscordServer) -> None:
    discord_server.add_club()
    checks = await examined(discord_server)
    assert all(ok for ok, _ in checks.values())
    assert checks["discord"][1] == "logged in as thusfar, in 1 server"
    link = checks["discord invite"][1]
    assert f"client_id={discord_server.bot.id}" in link
    assert "scope=bot+applications.commands" in link
    needed = (
        Right.VIEW_CHANNEL
        | Right.SEND_MESSAGES
        | Right.SEND_MESSAGES_IN_THREADS
        | Right.CREATE_PUBLIC_THREADS
        | Right.READ_MESSAGE_HISTORY
        | Right.ADD_REACTIONS
        | Right.ATTACH_FILES
    )
    assert f"permissions={int(needed)}" in link
    assert not discord_server.gateway.identifies


async def test_a_bot_in_no_server_is_told_what_to_do(discord_server: DiscordServer) -> None:
    assert (await examined(discord_server))["discord"][1] == (
        "logged in as thusfar, in no server yet: open the invite link below"
    )


async def test_a_refused_token(discord_server: DiscordServer) -> None:
    ((ok, detail),) = (await examined(discord_server, DISCORD_TOKEN="of.somebody.else")).values()  # noqa: S106
    assert not ok
    assert "DISCORD_TOKEN" in detail
    assert "of.somebody.else" not in detail


async def test_a_missing_intent_and_a_missing_right_are_named(discord_server: DiscordServer) -> None:
    discord_server.gateway.allowed = Intent(0)
    club = discord_server.add_club("The Lamp Club")
    discord_server.set_bot_rights(club.guild, BOT_RIGHTS & ~(Right.ADD_REACTIONS | Right.CREATE_PUBLIC_THREADS))
    checks = await examined(discord_server)
    assert [checks[name][0] for name in ("discord", "discord intent", "discord rights")] == [True, False, False]
    assert "Message Content intent is off" in checks["discord intent"][1]
    assert "The Lamp Club: Add Reactions, Create Public Threads" in checks["discord rights"][1]


async def test_a_discord_that_is_out_of_reach_is_one_check(discord_server: DiscordServer) -> None:
    checks = await examined(discord_server, DISCORD_API_BASE="http://127.0.0.1:1/api/v10")
    assert [ok for ok, _ in checks.values()] == [False]


async def test_without_a_token_nothing_is_asked() -> None:
    application = build(Settings(THUSFAR_EMBEDDINGS="none"))
    try:
        ((name, ok, detail),) = await _discord(application)
    finally:
        await application.close()
    assert (name, ok) == ("discord", True)
    assert "DISCORD_TOKEN is not set" in detail
