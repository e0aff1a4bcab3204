"""Notifies systemd that the process has started, is alive, and is stopping.

Uses sd_notify(3): one datagram each. If the event loop blocks, the notifications stop, and the unit's watchdog restarts
the process.
"""

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final

_log = logging.getLogger(__name__)

_BEATS: Final = 3
_MICRO: Final = 1_000_000


@asynccontextmanager
async def told_to_systemd(
    environment: Mapping[str, str] = os.environ,  # noqa: TID251 (systemd's own words to what it starts, no settings)
) -> AsyncIterator[None]:
    """Notify systemd while the block runs; do nothing if systemd did not ask."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        yield
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.settimeout(0)  # it never waits
        # An abstract socket has no file: the kernel expects a NUL in place of the @.
        name = f"\0{address[1:]}" if address.startswith("@") else address
        _tell(told, name, b"READY=1")
        beating = asyncio.create_task(_beat(told, name, every=_pause(environment)))
        try:
            yield
        finally:
            _tell(told, name, b"STOPPING=1")
            beating.cancel()
            await asyncio.gather(beating, return_exceptions=True)


def _pause(environment: Mapping[str, str]) -> float | None:
    """Return the seconds between two notifications, several per watchdog period; None without a watchdog.

    The period is given in microseconds.
    """
    with suppress(KeyError, ValueError):
        return int(environment["WATCHDOG_USEC"]) / _MICRO / _BEATS
    return None


async def _beat(told: socket.socket, name: str, *, every: float | None) -> None:
    while every:
        _tell(told, name, b"WATCHDOG=1")
        await asyncio.sleep(every)


def _tell(told: socket.socket, name: str, what: bytes) -> None:
    try:
        told.sendto(what, name)
    except OSError as error:
        _log.warning("systemd cannot be notified of %s: %s", what.decode(), error)
