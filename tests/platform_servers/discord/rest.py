"""Discord's REST on loopback: takes a call, lets a planned fault happen, hands it to its route, and records it all."""

import asyncio
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from aiohttp import web
from aiohttp.web_request import FileField

from tests.platform_servers.discord import (
    routes_commands,
    routes_guilds,
    routes_interactions,
    routes_messages,
    routes_threads,
)
from tests.platform_servers.discord.calls import Call, RefusedError, Route, Upload
from tests.platform_servers.discord.faults import Fault, Plan
from tests.platform_servers.discord.platform import Platform

PREFIX = "/api/v10"

_UNAUTHORIZED = RefusedError(401, 0, "401: Unauthorized")
_ROUTES: list[Route] = [
    *routes_guilds.table.routes,
    *routes_commands.table.routes,
    *routes_messages.table.routes,
    *routes_threads.table.routes,
    *routes_interactions.table.routes,
]


class Rest:
    """`calls` is every call in the order of arrival; `complaints` is what fails the test."""

    def __init__(self, platform: Platform, closing: asyncio.Event) -> None:
        self._platform = platform
        self._closing = closing
        self.calls: list[Call] = []
        self.complaints: list[str] = []
        self.plans: list[Plan] = []
        self.down_with: Fault | None = None

    def plan(self, method: str, route: str, fault: Fault, times: int) -> None:
        known = {"*", "/attachments", *(one.template for one in _ROUTES)}
        assert route in known, f"no such route: {route}; there are {sorted(known)}"
        self.plans.append(Plan(method=method, route=route, fault=fault, left=times))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        # The raw path, since an emoji in it is escaped.
        path = request.rel_url.raw_path.removeprefix(PREFIX)
        call = Call(method=request.method, path=path, query=dict(request.query), headers=request.headers)
        route = self._route(call)
        problem = await self._read(request, call)
        self.calls.append(call)
        self._platform.changed()
        if route is None:
            self.complaints.append(f"unknown route {call.method} {call.path}")
            return self._answer(call, 404, {"message": "404: Not Found", "code": 0})
        fault = self._fault(call)
        if fault is not None and fault.gate is not None:
            await self._wait(fault.gate)
            if self._closing.is_set():
                return web.Response(status=503)
            fault = None
        if fault is not None and fault.status is not None:
            return self._answer(call, fault.status, fault.bytes, fault.headers)
        if fault is not None and not fault.accepted:
            return self._hang_up(request, call)
        status, body = self._carry_out(route, call, problem)
        return self._hang_up(request, call) if fault is not None else self._answer(call, status, body)

    async def handle_file(self, request: web.Request) -> web.StreamResponse:
        """The CDN: needs no token, and knows only what was uploaded."""
        file = self._platform.files.get(request.path)
        call = Call(method=request.method, path=request.path, route="/attachments", headers=request.headers)
        self.calls.append(call)
        fault = self._fault(call)
        if fault is not None and fault.gate is not None:
            await self._wait(fault.gate)
        elif fault is not None and fault.status is not None:
            return self._answer(call, fault.status, fault.bytes, fault.headers)
        elif fault is not None:
            return self._hang_up(request, call)
        if file is None:
            return self._answer(call, 404, b"This content is no longer available.", {"Content-Type": "text/plain"})
        return self._answer(call, 200, file.data, {"Content-Type": file.content_type})

    def _route(self, call: Call) -> Route | None:
        for route in _ROUTES:
            params = route.match(call.path)
            if route.method == call.method and params is not None:
                call.route, call.params = route.template, params
                return route
        return None

    async def _read(self, request: web.Request, call: Call) -> RefusedError | None:
        kind = request.content_type
        if kind == "multipart/form-data":
            form = await request.post()
            for name, value in form.items():
                if isinstance(value, FileField):
                    upload = Upload(field_name=name, filename=value.filename, data=value.file.read())
                    value.file.close()
                    call.uploads.append(upload)
            payload: Any = form.get("payload_json", "{}")
        else:
            payload = (await request.read()).decode()
        if not payload:
            return None
        try:
            call.body = json.loads(payload)
        except ValueError:
            return RefusedError(400, 50109, "The request body contains invalid JSON.")
        return (
            None
            if kind in ("application/json", "multipart/form-data")
            else RefusedError(400, 50035, "Invalid Form Body")
        )

    def _fault(self, call: Call) -> Fault | None:
        if self.down_with is not None:
            return self.down_with
        plan = next((one for one in self.plans if one.fits(call.method, call.route)), None)
        if plan is None:
            return None
        plan.left -= 1
        return plan.fault

    async def _wait(self, gate: asyncio.Event) -> None:
        waits = [asyncio.create_task(one.wait()) for one in (gate, self._closing)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for one in waits:
            one.cancel()

    def _carry_out(self, route: Route, call: Call, problem: RefusedError | None) -> tuple[int, Any]:
        try:
            self._check(route, call, problem)
            body = route.handler(self._platform, call)
        except RefusedError as refused:
            call.code = refused.body["code"]
            return refused.status, refused.body
        return (204, None) if body is None else (200, body)

    def _check(self, route: Route, call: Call, problem: RefusedError | None) -> None:
        if route.needs_bot and call.headers.get("Authorization") != f"Bot {self._platform.token}":
            raise _UNAUTHORIZED
        if route.needs_bot and not call.headers.get("User-Agent", "").startswith("DiscordBot ("):
            raise RefusedError(403, 40333, "internal network error")
        if problem is not None:
            raise problem

    def _answer(
        self, call: Call, status: int, body: Any = None, headers: Mapping[str, str] | None = None
    ) -> web.StreamResponse:
        call.status = status
        self._platform.changed()
        limits = {
            "X-RateLimit-Limit": "1000",
            "X-RateLimit-Remaining": "999",
            "X-RateLimit-Reset-After": "1.000",
            "X-RateLimit-Reset": f"{2**31}.000",
            "X-RateLimit-Bucket": str(abs(hash((call.method, call.route)))),
        }
        # Exactly this content type: discord.py takes any other, one with a charset included, for text.
        kind = {} if body is None else {"Content-Type": "application/json"}
        raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        return web.Response(status=status, body=raw, headers=limits | kind | dict(headers or {}))

    def _hang_up(self, request: web.Request, call: Call) -> web.StreamResponse:
        call.status = 0
        self._platform.changed()
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    @property
    def invalid_calls(self) -> int:
        """401, 403 and 429: 10,000 of them in 10 minutes get an address banned."""
        counted = Counter(call.status for call in self.calls)
        return counted[401] + counted[403] + counted[429]
