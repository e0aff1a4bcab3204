"""Socket Mode on loopback: several sockets at once, each envelope to one of them, acknowledgements by envelope id.

After Slack's "Using Socket Mode": hello, envelopes, acknowledgements, disconnect with its reasons, at most ten sockets.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from tests.platform_servers.slack.delivery import CONNECTION_FAILED, EVENT, TIMEOUT, Attempt, Deliveries, Delivery
from tests.platform_servers.slack.world import Json

LARGEST_NUMBER = 10
_CONNECTION_TIME_S = 18060
_GRACE_S = 1.0


@dataclass(slots=True, eq=False, kw_only=True)
class Socket:
    """One connection of the app; `sent` are the envelopes that it was given, `pings` and `pongs` count the app's."""

    name: str
    ws: web.WebSocketResponse
    request: web.Request
    outgoing: "asyncio.Queue[str | None]" = field(default_factory=asyncio.Queue)
    sent: list[Delivery] = field(default_factory=list)
    pings: int = 0
    pongs: int = 0
    takes_more: bool = True
    gone: asyncio.Event = field(default_factory=asyncio.Event)


class Sockets:
    """The sockets in the order in which they came; `open` are those that are up."""

    timeout_reason = TIMEOUT

    def __init__(self, deliveries: Deliveries, *, app_id: str, changed: Callable[[], None]) -> None:
        self.deliveries = deliveries
        self.app_id = app_id
        self.url = ""
        self.came: list[Socket] = []
        self.open: list[Socket] = []
        self.complaints: list[str] = []
        self._tickets: set[str] = set()
        self._sent: dict[str, tuple[Delivery, Attempt]] = {}
        self._turn = 0
        self._changed = changed

    def issue(self) -> str:
        """An address for one connection, as apps.connections.open gives it."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return f"{self.url}?ticket={ticket}&app_id={self.app_id}"

    def send(self, delivery: Delivery, *, number: int, reason: str) -> Attempt | None:
        """Give an envelope to one of the sockets, by turns."""
        ready = [one for one in self.open if one.takes_more]
        if not ready:
            return None
        self._turn += 1
        socket = ready[self._turn % len(ready)]
        attempt = Attempt(number=number, reason=reason, via=socket.name)
        envelope: Json = {
            "envelope_id": secrets.token_hex(16),
            "payload": delivery.payload,
            "type": delivery.kind,
            "accepts_response_payload": delivery.kind != EVENT,
        }
        if delivery.kind == EVENT:
            envelope |= {"retry_attempt": number, "retry_reason": reason}
        self._sent[envelope["envelope_id"]] = (delivery, attempt)
        socket.sent.append(delivery)
        socket.outgoing.put_nowait(json.dumps(envelope))
        return attempt

    def send_raw(self, text: str) -> None:
        """Send a frame of the test's own over every socket."""
        for socket in self.open:
            socket.outgoing.put_nowait(text)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One connection, from hello to its end."""
        if request.query.get("ticket") not in self._tickets:
            return web.Response(status=403, text="invalid ticket")
        ws = web.WebSocketResponse(autoping=False)
        await ws.prepare(request)
        socket = Socket(name=f"socket {len(self.came) + 1}", ws=ws, request=request)
        if len(self.open) >= LARGEST_NUMBER:
            await ws.send_str(self._farewell("too_many_websockets"))
            await ws.close()
            return ws
        self.came.append(socket)
        self.open.append(socket)
        socket.outgoing.put_nowait(json.dumps(self._hello()))
        writer = asyncio.create_task(self._write(socket))
        await ws.ping(b"Ping from applink-loopback")
        self._changed()
        self.deliveries.receivers_came()
        try:
            await self._read(socket)
        finally:
            self._forget(socket)
            writer.cancel()
        return ws

    def disconnect(self, reason: str, socket: Socket | None = None) -> None:
        """Say `disconnect` ("warning", "refresh_requested", "link_disabled") to one socket, or to all.

        A warning comes ten seconds before the end: the socket still works. After the others Slack closes it soon.
        """
        for one in [socket] if socket else list(self.open):
            one.outgoing.put_nowait(self._farewell(reason))
            if reason != "warning":
                one.takes_more = False
                one.outgoing.put_nowait(None)

    def abort(self, socket: Socket | None = None) -> None:
        """Break one connection, or all, without a word."""
        for one in [socket] if socket else list(self.open):
            one.takes_more = False
            if one.request.transport is not None:
                one.request.transport.abort()

    def _hello(self) -> Json:
        return {
            "type": "hello",
            "num_connections": len(self.open),
            "debug_info": {
                "host": "applink-loopback",
                "build_number": 1,
                "approximate_connection_time": _CONNECTION_TIME_S,
            },
            "connection_info": {"app_id": self.app_id},
        }

    def _farewell(self, reason: str) -> str:
        return json.dumps({"type": "disconnect", "reason": reason, "debug_info": {"host": "applink-loopback"}})

    async def _write(self, socket: Socket) -> None:
        while (text := await socket.outgoing.get()) is not None:
            try:
                await socket.ws.send_str(text)
            except ConnectionError:
                return
        # The app is expected to leave by itself, as soon as it has another socket.
        with suppress(TimeoutError):
            async with asyncio.timeout(_GRACE_S):
                await socket.gone.wait()
        await socket.ws.close()

    async def _read(self, socket: Socket) -> None:
        async for frame in socket.ws:
            if frame.type is WSMsgType.PING:
                socket.pings += 1
                await socket.ws.pong(frame.data)
                self._changed()
            elif frame.type is WSMsgType.PONG:
                socket.pongs += 1
                self._changed()
            elif frame.type is WSMsgType.TEXT:
                self._hear(frame.data)

    def _hear(self, text: str) -> None:
        self._changed()
        said = json.loads(text)
        known = self._sent.get(said.get("envelope_id"))
        if known is None:
            self.complaints.append(f"an acknowledgement of nothing: {text}")
            return
        delivery, attempt = known
        answer = said.get("payload")
        if answer and delivery.is_event:
            self.complaints.append(f"a payload in the acknowledgement of an event: {text}")
        if attempt.acked_at is not None:
            self.complaints.append(f"acknowledged twice: {delivery}")
            return
        self.deliveries.acknowledge(delivery, attempt, answer)

    def _forget(self, socket: Socket) -> None:
        """What the socket had and did not acknowledge goes to another one, or waits for one."""
        self.open.remove(socket)
        socket.gone.set()
        for delivery, attempt in list(self._sent.values()):
            is_open = attempt.acked_at is None and not attempt.is_lost and attempt.via == socket.name
            if is_open and delivery.is_event:
                self.deliveries.failed(delivery, attempt, CONNECTION_FAILED)
        self._changed()
