"""What systemd is told of a process that it looks after: that it has begun, that it is alive, that it stops.

By sd_notify(3): a datagram for each. A loop that stands still tells nothing any more, and the watchdog of the unit ends
the process, which is then started anew.
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
    """Tell it while the block runs; nobody where systemd did not ask."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address:
        yield
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.settimeout(0)  # it never waits
        # An address that begins so has no file: it is told to the kernel with a NUL in its place.
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
    """Return how many seconds lie between two signs of life, several of them in what the watchdog waits; None for none.

    What it waits is given in microseconds.
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
        _log.warning("systemd cannot be told %s: %s", what.decode(), error)
