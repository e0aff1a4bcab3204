"""One client at the loopback gateway: its intents, its session, and the websocket that the session is on for now."""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any

from aiohttp import web

from tests.platform_servers.discord.compression import compressor


class Intent(IntFlag):
    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_REACTIONS = 1 << 10
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_REACTIONS = 1 << 13
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


@dataclass(slots=True, eq=False)
class Session:
    """What a client may take up again: its events with their numbers, sent or not."""

    id: str
    intents: Intent
    events: list[tuple[int, str, Any]] = field(default_factory=list)
    connection: "Connection | None" = None


class Connection:
    """One websocket, written by one task so that events leave in order."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse, compress: str | None) -> None:
        self._request = request
        self._socket = socket
        self._compressed = compressor(compress) if compress else None
        self._outbox: asyncio.Queue[str | int] = asyncio.Queue()
        self.session: Session | None = None
        self.closed_with: int | None = None
        self.writer = asyncio.create_task(self._write())

    def send(self, op: int, d: Any = None, *, s: int | None = None, t: str | None = None) -> None:
        self._outbox.put_nowait(json.dumps({"op": op, "d": d, "s": s, "t": t}))

    def close(self, code: int) -> None:
        """Close after what was sent so far."""
        self.closed_with = code
        self._outbox.put_nowait(code)

    def abort(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()

    async def _write(self) -> None:
        while True:
            out = await self._outbox.get()
            with contextlib.suppress(ConnectionError):
                if isinstance(out, int):
                    await self._socket.close(code=out)
                    return
                if self._compressed is None:
                    await self._socket.send_str(out)
                else:
                    await self._socket.send_bytes(self._compressed(out))
