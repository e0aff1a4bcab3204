"""The real discord.py loses its connection to the loopback gateway in every way there is, and comes back."""

import asyncio
import json
import zlib
from collections.abc import Callable

import aiohttp
import discord
import pytest

from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.trial_bot import TrialBot, running


class _ZlibContext:
    """discord.py's own decompressor where zstandard is not installed, written anew since it then does not exist."""

    COMPRESSION_TYPE = "zlib-stream"

    def __init__(self) -> None:
        self._stream = zlib.decompressobj()

    def decompress(self, data: bytes, /) -> str | None:
        assert data.endswith(b"\x00\x00\xff\xff")
        return self._stream.decompress(data).decode()


def _identify(**changed: object) -> dict[str, object]:
    return {"op": 2, "d": {"token": "wrong", "intents": 1, "properties": {}, **changed}}


@pytest.mark.parametrize("how", ["op 7", "op 9, resumable", "abort", "close 4000"])
async def test_after_a_lost_connection_the_missed_events_are_replayed(
    discord_server: DiscordServer, club: Club, how: str
) -> None:
    gateway = discord_server.gateway
    async with running(TrialBot(), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "before")
        await bot.until(lambda: bot.heard)
        ways: dict[str, Callable[[], None]] = {
            "op 7": gateway.reconnect,
            "op 9, resumable": lambda: gateway.invalidate(resumable=True),
            "abort": gateway.abort,
            "close 4000": lambda: gateway.close(4000),
        }
        ways[how]()
        await discord_server.wait_for(lambda: gateway.closed_with)
        discord_server.say(club.channel, club.ada, "meanwhile")
        await bot.until(lambda: len(bot.heard) == 2)
        await bot.until(lambda: "resumed" in bot.events)
        discord_server.say(club.channel, club.ada, "after")
        await bot.until(lambda: len(bot.heard) == 3)
    assert [message.content for message in bot.heard] == ["before", "meanwhile", "after"]
    assert len(gateway.identifies) == 1
    assert len(gateway.resumes) == 1


async def test_a_session_that_cannot_be_resumed_is_identified_anew(discord_server: DiscordServer, club: Club) -> None:
    gateway = discord_server.gateway
    async with running(TrialBot(), discord_server) as bot:
        gateway.invalidate(resumable=False)
        await discord_server.wait_for(lambda: gateway.closed_with)
        discord_server.say(club.channel, club.ada, "into the void")
        await bot.until(lambda: bot.events.count("ready") == 2)
        discord_server.say(club.channel, club.ada, "after")
        await bot.until(lambda: bot.heard)
    assert [message.content for message in bot.heard] == ["after"]
    assert len(gateway.identifies) == 2
    assert gateway.resumes == []


@pytest.mark.parametrize(("code", "kept"), [(1000, 0), (1001, 0), (4000, 1)])
async def test_a_client_that_says_goodbye_has_no_session_any_more(
    discord_server: DiscordServer, code: int, kept: int
) -> None:
    # By hand, since discord.py's own close() leaves with 4000, after which Discord keeps the session for a while.
    url = f"{discord_server.gateway_url}?v=10&encoding=json"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.send_json(_identify(token=discord_server.token))
        await discord_server.wait_for(lambda: discord_server.gateway.sessions)
        await socket.close(code=code)
        await discord_server.wait_for(lambda: discord_server.gateway.closed_with)
    assert len(discord_server.gateway.sessions) == kept


async def test_a_forgotten_session_is_answered_with_op_9(discord_server: DiscordServer) -> None:
    gateway = discord_server.gateway
    async with running(TrialBot(), discord_server) as bot:
        gateway.forget_sessions()
        gateway.abort()
        await bot.until(lambda: bot.events.count("ready") == 2)
    assert (len(gateway.resumes), len(gateway.identifies)) == (1, 2)


async def test_an_event_can_come_twice(discord_server: DiscordServer, club: Club) -> None:
    async with running(TrialBot(), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "once")
        discord_server.gateway.again("MESSAGE_CREATE")
        await bot.until(lambda: len(bot.heard) == 2)
    assert bot.heard[0].id == bot.heard[1].id


async def test_heartbeats_are_acknowledged(discord_server: DiscordServer) -> None:
    async with running(TrialBot(), discord_server) as bot:
        before = discord_server.gateway.heartbeats
        discord_server.gateway.ask_for_heartbeat()
        await discord_server.wait_for(lambda: discord_server.gateway.heartbeats > before)
        assert bot.latency < 5


async def test_a_refused_connection_fails_the_start(discord_server: DiscordServer) -> None:
    discord_server.gateway.refuse_connections(1)
    with pytest.raises(AttributeError, match="sequence"):
        async with running(TrialBot(), discord_server):
            pass
    assert discord_server.gateway.connected == 0


async def test_a_malformed_event_kills_the_client(discord_server: DiscordServer, club: Club) -> None:
    bot = TrialBot()
    task = asyncio.create_task(bot.start(discord_server.token))
    await discord_server.wait_for(lambda: discord_server.gateway.sessions)
    discord_server.gateway.send_raw("MESSAGE_CREATE", {"id": "1", "channel_id": str(club.channel.id)})
    with pytest.raises(KeyError):
        await task
    await bot.close()


async def test_a_zlib_stream_is_read_by_the_client(
    discord_server: DiscordServer, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.utils, "_ActiveDecompressionContext", _ZlibContext)
    async with running(TrialBot(), discord_server) as bot:
        discord_server.say(club.channel, club.ada, "gepackt " * 100)
        await bot.until(lambda: bot.heard)
    assert bot.heard[0].content == "gepackt " * 100
    assert discord_server.gateway.compressions == ["zlib-stream"]


async def test_the_client_as_installed_asks_for_compression(discord_server: DiscordServer) -> None:
    async with running(TrialBot(), discord_server):
        pass
    assert discord_server.gateway.compressions[0] in ("zlib-stream", "zstd-stream")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("no json", 4002),
        (json.dumps({"d": 1}), 4002),
        (json.dumps({"op": 1, "d": "x" * 5000}), 4002),
        (json.dumps({"op": 99, "d": None}), 4001),
        (json.dumps({"op": 3, "d": None}), 4003),
        (json.dumps(_identify()), 4004),
        (json.dumps(_identify(token=DiscordServer().token, intents=1 << 40)), 4013),
        (json.dumps(_identify(token=DiscordServer().token, shard=[3, 2])), 4010),
    ],
)
async def test_what_no_client_may_send_closes_the_connection(
    discord_server: DiscordServer, sent: str, code: int
) -> None:
    async with aiohttp.ClientSession() as session:
        url = f"{discord_server.gateway_url}?v=10&encoding=json"
        async with session.ws_connect(url) as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_str(sent)
            assert (await socket.receive()).type is aiohttp.WSMsgType.CLOSE
            assert socket.close_code == code


async def test_an_old_version_of_the_api_is_refused(discord_server: DiscordServer) -> None:
    url = f"{discord_server.gateway_url}?v=6&encoding=json"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.receive()
        assert socket.close_code == 4012


async def test_a_wait_that_is_in_vain_tells_what_came(discord_server: DiscordServer, club: Club) -> None:
    discord_server.say(club.channel, club.ada, "said in vain")
    with pytest.raises(AssertionError, match="said in vain"):
        await discord_server.wait_for(lambda: False, within=0.01)


async def test_what_was_planned_for_identify_and_never_came_fails_the_test() -> None:
    async def plan() -> None:
        async with DiscordServer() as server:
            server.gateway.close_at_identify(4004)

    with pytest.raises(AssertionError, match="close code 4004 at IDENTIFY"):
        await plan()
