"""What the loopback servers of the model wires share: scripted replies, a record of what came in, and strictness.

A wire's server subclasses ScriptedServer, names its paths, and refuses in `refuse` what the real API refuses:

    async with AnthropicServer() as server:
        server.will_answer("/v1/messages", json_reply({...}), HANG)
        ... the real SDK with base_url=server.url ...
        assert server.requests[0].json()["model"] == "..."

Replies are given in order, one a request of that path; a refused request uses none up. Leaving the `async with`
fails the test where a reply was left over, a request found none, or a path was asked for that the wire does not have.
"""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web

_LARGEST_REQUEST = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """One request as it came in: `body` is the raw bytes, `headers` does not care about case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """The body, which must be one JSON object."""
        value = json.loads(self.body)
        assert isinstance(value, dict), f"the body is no JSON object: {self.body[:200]!r}"
        return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer.

    `hang`: nothing is ever sent. `hang_up_after`: so many bytes of the body are sent, as part of a longer one that
    Content-Length promises; then the connection is closed (0: closed before any byte of an answer).
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    hang: bool = False
    hang_up_after: int | None = None


HANG = Reply(hang=True)
HANG_UP = Reply(hang_up_after=0)


def json_reply(payload: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    """A reply with a JSON body."""
    return Reply(status=status, body=json.dumps(payload).encode(), headers=headers or {})


class ScriptedServer:
    """A loopback server on a free port that answers only what it was told to."""

    paths: Sequence[str] = ()
    """The paths of this wire; each is asked by POST."""

    def __init__(self) -> None:
        self.requests: list[ReceivedRequest] = []
        self.refusals: list[str] = []
        self.url = ""
        self.beside: Callable[[ReceivedRequest], Reply | None] | None = None
        """Answers requests that the script is not for, which are then not among `requests`; None where it is."""
        self._script: dict[str, deque[Reply]] = {path: deque() for path in self.paths}
        self._complaints: list[str] = []
        self._arrived = asyncio.Condition()
        self._closing = asyncio.Event()
        application = web.Application(client_max_size=_LARGEST_REQUEST)
        application.router.add_route("*", "/{path:.*}", self._handle)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=1.0)

    def will_answer(self, path: str, *replies: Reply) -> None:
        """Append replies to the script of a path."""
        self._script[path].extend(replies)

    def refuse(self, request: ReceivedRequest) -> Reply | None:
        """Return the error that the real API would send for this request, or None where it would accept it."""
        return None

    async def arrived(self, count: int) -> None:
        """Wait until so many requests have come in."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= count)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing.set()
        await self._runner.cleanup()
        if error is None:
            self.assert_script_was_followed()

    def assert_script_was_followed(self) -> None:
        """Fail where a reply was left over or a request came that was not expected."""
        left = [f"{len(replies)} unused replies for {path}" for path, replies in self._script.items() if replies]
        refused = [f"refused: {refusal}" for refusal in self.refusals]
        assert not left + self._complaints, "; ".join(left + self._complaints + refused)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        received = ReceivedRequest(
            method=request.method, path=request.path, headers=request.headers, body=await request.read()
        )
        if received.method != "POST" or received.path not in self._script:
            self._complaints.append(f"unknown route {received.method} {received.path}")
            return web.json_response({"error": "unknown route"}, status=404)
        refusal = self.refuse(received)
        if self.beside is not None and refusal is None and (reply := self.beside(received)) is not None:
            return await self._send(request, reply)
        async with self._arrived:
            self.requests.append(received)
            self._arrived.notify_all()
        if refusal is not None:
            self.refusals.append(refusal.body.decode())
            return await self._send(request, refusal)
        if not self._script[received.path]:
            self._complaints.append(f"unscripted: request {len(self.requests)}, {received.path}")
            return web.json_response({"error": "no reply was scripted"}, status=418)
        return await self._send(request, self._script[received.path].popleft())

    async def _send(self, request: web.Request, reply: Reply) -> web.StreamResponse:
        if reply.hang:
            await self._closing.wait()
            return web.Response(status=503)
        headers = {"Content-Type": reply.content_type, **reply.headers}
        if reply.hang_up_after is None:
            return web.Response(status=reply.status, body=reply.body, headers=headers)
        assert request.transport is not None
        response = web.StreamResponse(status=reply.status, headers=headers)
        if reply.hang_up_after:
            response.content_length = len(reply.body)
            await response.prepare(request)
            await response.write(reply.body[: reply.hang_up_after])
        request.transport.close()
        return response
