"""What systemd hears of a bot that it has started."""

import asyncio
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.service_manager import told_to_systemd
from tests.bot.test_serve import discord_server, ended, serving
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]

_MANY_BEATS_S = 0.1
"""A hundred times the pause between two signs of life."""


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    """What it listens at."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(PATIENCE_S)
        yield listening


@pytest.mark.usefixtures("own_home")
async def test_it_hears_that_the_bot_has_begun_lives_and_stops(
    discord_server: DiscordServer, systemd: socket.socket
) -> None:
    asked = {"NOTIFY_SOCKET": str(systemd.getsockname()), "WATCHDOG_USEC": "300000"}
    async with serving(discord_server, **asked) as program:
        heard = [await asyncio.to_thread(systemd.recv, 99) for _ in range(3)]
        await discord_server.identified()
        program.send_signal(signal.SIGTERM)
        code, _ = await ended(program)
    systemd.setblocking(False)
    rest = list(iter(lambda: _next(systemd), b""))
    assert code == 0
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    assert rest.count(b"STOPPING=1") == 1
    assert set(rest) <= {b"WATCHDOG=1", b"STOPPING=1"}


async def test_a_loop_that_stands_still_tells_it_nothing(systemd: socket.socket) -> None:
    asked = {"NOTIFY_SOCKET": str(systemd.getsockname()), "WATCHDOG_USEC": "3000"}
    async with told_to_systemd(asked):
        heard = [await asyncio.to_thread(systemd.recv, 99) for _ in range(3)]
        systemd.setblocking(False)
        rest = list(iter(lambda: _next(systemd), b""))
        # From here on the loop is not let go on.
        systemd.settimeout(_MANY_BEATS_S)
        with pytest.raises(TimeoutError):
            systemd.recv(99)
    assert heard == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
    assert set(rest) <= {b"WATCHDOG=1"}


def _next(listening: socket.socket) -> bytes:
    try:
        return listening.recv(99)
    except BlockingIOError:
        return b""
