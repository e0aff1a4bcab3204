"""Discord's gateway on loopback: sessions that outlive their connections, and every way in which it drops a client."""

import json
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from aiohttp import WSMsgType, web

from tests.platform_servers.discord.compression import ZLIB, ZSTD
from tests.platform_servers.discord.connection import Connection, Intent, Session

_API_VERSION = "10"
_LARGEST_PAYLOAD = 4096
_HEARTBEAT_INTERVAL_MS = 41_250

DECODE_ERROR, UNKNOWN_OPCODE, NOT_AUTHENTICATED, WRONG_TOKEN, ALREADY_AUTHENTICATED = 4002, 4001, 4003, 4004, 4005
INVALID_SEQUENCE, INVALID_SHARD, INVALID_VERSION, INVALID_INTENTS, DISALLOWED_INTENTS = 4007, 4010, 4012, 4013, 4014

PRIVILEGED = Intent.GUILD_MEMBERS | Intent.PRESENCES | Intent.MESSAGE_CONTENT
_HIGHEST_INTENT = 1 << 25


class Gateway:
    """Sends events to whoever identified, and remembers what came in.

    `identifies` and `resumes` hold the bodies of op 2 and op 6. `acknowledges` False: heartbeats get no answer.
    `allowed` is what the application's page grants of the privileged intents.
    """

    def __init__(
        self, *, token: str, greet: Callable[[Session], list[tuple[str, Any]]], changed: Callable[[], None]
    ) -> None:
        self._token = token
        self._greet = greet
        self._changed = changed
        self.allowed = PRIVILEGED
        self.acknowledges = True
        self.url = ""
        self.identifies: list[dict[str, Any]] = []
        self.resumes: list[dict[str, Any]] = []
        self.connected = 0
        self.heartbeats = 0
        self.closed_with: list[int] = []
        self.compressions: list[str | None] = []
        self.sessions: dict[str, Session] = {}
        self._connections: list[Connection] = []
        self._refusals = 0
        self._refusal_status: int | None = None
        self._codes_at_identify: list[int] = []
        self._final_code: int | None = None
        self._silences = 0

    # What a test makes it do.

    def reconnect(self) -> None:
        """Op 7: ask every client to come again and resume."""
        self._everywhere(lambda connection: connection.send(7))

    def invalidate(self, *, resumable: bool) -> None:
        """Op 9; a session that cannot be resumed is forgotten."""
        if not resumable:
            self.sessions.clear()
        self._everywhere(lambda connection: connection.send(9, resumable))

    def close(self, code: int) -> None:
        self._everywhere(lambda connection: connection.close(code))

    def abort(self) -> None:
        """Break the TCP connections, without a word."""
        self._everywhere(lambda connection: connection.abort())

    def refuse_connections(self, times: int, *, status: int | None = 503) -> None:
        """Turn the next connections away before they become websockets, with a status or, with None, a reset.

        A reset on a connection that was in use before is met by aiohttp itself, with one more attempt.
        """
        self._refusals, self._refusal_status = times, status

    def close_at_identify(self, *codes: int) -> None:
        """Answer the next IDENTIFYs with these close codes, one each."""
        self._codes_at_identify.extend(codes)

    def close_at_every_identify(self, code: int) -> None:
        """Answer every IDENTIFY with this close code, as Discord does where a code is final."""
        self._final_code = code

    def say_nothing_at_identify(self, times: int) -> None:
        """Take the next IDENTIFYs, and send nothing but acknowledgements of heartbeats, as in an outage."""
        self._silences = times

    def forget_sessions(self) -> None:
        """From now on a RESUME is answered with op 9, as after a long absence."""
        self.sessions.clear()

    def send_raw(self, event: str, payload: Any) -> None:
        """Dispatch whatever it is, malformed events included."""
        self.publish(event, lambda _: payload)

    def again(self, event: str) -> None:
        """Dispatch the last event of that name once more, as a replay does: same payload, new number."""
        for session in list(self.sessions.values()):
            payload = [data for _, name, data in session.events if name == event][-1]
            self._dispatch(session, event, payload)

    def publish(self, event: str, payload_for: Callable[[Intent], Any]) -> None:
        """Dispatch to every session; None for those that may not see it."""
        for session in list(self.sessions.values()):
            payload = payload_for(session.intents)
            if payload is not None:
                self._dispatch(session, event, payload)

    @property
    def pending(self) -> Sequence[str]:
        """The codes for IDENTIFY that no client has come for, which `done` complains about."""
        left = [f"close code {code} at IDENTIFY" for code in self._codes_at_identify]
        counted = {"silences at IDENTIFY": self._silences, "refusals of a connection": self._refusals}
        return left + [f"{times} {what}" for what, times in counted.items() if times]

    # The wire.

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self._refusals:
            self._refusals -= 1
            self._changed()
            if self._refusal_status is not None:
                return web.Response(status=self._refusal_status)
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        compress = request.query.get("compress")
        connection = Connection(request, socket, compress if compress in (ZLIB, ZSTD) else None)
        self.compressions.append(compress)
        self._connections.append(connection)
        self.connected += 1
        self._changed()
        if request.query.get("v") != _API_VERSION or request.query.get("encoding") != "json":
            connection.close(INVALID_VERSION)
        connection.send(10, {"heartbeat_interval": _HEARTBEAT_INTERVAL_MS})
        try:
            async for frame in socket:
                self._receive(connection, frame)
                self._changed()
        finally:
            connection.writer.cancel()
            self._connections.remove(connection)
            self._leave(connection, socket.close_code)
            self.closed_with.append(connection.closed_with or socket.close_code or 1006)
            self._changed()
        return socket

    def _leave(self, connection: Connection, code: int | None) -> None:
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        # A client that says goodbye has no session any more.
        if code in (1000, 1001) and connection.closed_with is None:
            self.sessions.pop(session.id, None)

    def _receive(self, connection: Connection, frame: Any) -> None:
        try:
            assert frame.type is WSMsgType.TEXT
            assert len(frame.data) <= _LARGEST_PAYLOAD
            received = json.loads(frame.data)
            op, d = received["op"], received.get("d")
        except (AssertionError, ValueError, KeyError, TypeError):
            return connection.close(DECODE_ERROR)
        known = {
            1: self._heartbeat,
            2: self._identify,
            6: self._resume,
            3: self._ignore,
            4: self._ignore,
            8: self._chunk,
        }
        if op not in known:
            return connection.close(UNKNOWN_OPCODE)
        if op not in (1, 2, 6) and connection.session is None:
            return connection.close(NOT_AUTHENTICATED)
        return known[op](connection, d)

    def _heartbeat(self, connection: Connection, _: Any) -> None:
        self.heartbeats += 1
        if self.acknowledges:
            connection.send(11)

    def _ignore(self, connection: Connection, d: dict[str, Any]) -> None:
        """Presence and voice: taken, and of no effect here."""

    def _identify(self, connection: Connection, d: dict[str, Any]) -> None:
        self.identifies.append(d)
        if connection.session is not None:
            return connection.close(ALREADY_AUTHENTICATED)
        refused = self._codes_at_identify.pop(0) if self._codes_at_identify else self._final_code or self._refused(d)
        if refused is not None:
            return connection.close(refused)
        if self._silences:
            self._silences -= 1
            return None
        session = Session(secrets.token_hex(16), Intent(d["intents"]), connection=connection)
        self.sessions[session.id] = connection.session = session
        for event, payload in self._greet(session):
            self._dispatch(session, event, payload)
        return None

    def _refused(self, d: dict[str, Any]) -> int | None:
        if d.get("token") != self._token:
            return WRONG_TOKEN
        intents = d.get("intents")
        if not isinstance(intents, int) or not 0 <= intents < _HIGHEST_INTENT << 1 or "properties" not in d:
            return INVALID_INTENTS
        shard, count = d.get("shard", (0, 1))
        if not 0 <= shard < count:
            return INVALID_SHARD
        return DISALLOWED_INTENTS if intents & PRIVILEGED & ~self.allowed else None

    def _resume(self, connection: Connection, d: dict[str, Any]) -> None:
        self.resumes.append(d)
        session = self.sessions.get(d.get("session_id", ""))
        if d.get("token") != self._token:
            return connection.close(WRONG_TOKEN)
        if session is None:
            return connection.send(9, d=False)
        if d["seq"] > len(session.events):
            return connection.close(INVALID_SEQUENCE)
        session.connection, connection.session = connection, session
        for s, event, payload in session.events[d["seq"] :]:
            connection.send(0, payload, s=s, t=event)
        return self._dispatch(session, "RESUMED", {})

    def _chunk(self, connection: Connection, d: dict[str, Any]) -> None:
        session = connection.session
        assert session is not None
        guild = next(data for _, name, data in session.events if name == "GUILD_CREATE" and data["id"] == d["guild_id"])
        members = guild["members"]
        chunk = {"guild_id": d["guild_id"], "members": members, "chunk_index": 0, "chunk_count": 1}
        self._dispatch(session, "GUILD_MEMBERS_CHUNK", chunk | {"nonce": d["nonce"]} if "nonce" in d else chunk)

    def _dispatch(self, session: Session, event: str, payload: Any) -> None:
        number = len(session.events) + 1
        session.events.append((number, event, payload))
        if session.connection is not None:
            session.connection.send(0, payload, s=number, t=event)

    def _everywhere(self, act: Callable[[Connection], None]) -> None:
        for connection in list(self._connections):
            act(connection)
