"""Slack's Web API on loopback: reads a call, lets a planned fault happen, hands it to its method, records it all."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from tests.platform_servers.slack import (
    methods_chat,
    methods_conversations,
    methods_files,
    methods_reactions,
    methods_streams,
    methods_team,
    methods_views,
    web_host,
)
from tests.platform_servers.slack.calls import Call, Method, RefusedError, invalid_arguments
from tests.platform_servers.slack.faults import Fault, Plan
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.world import Json

PREFIX = "/api/"
UPLOAD = "upload"
_PLAIN = {"Content-Type": "text/plain"}

METHODS: dict[str, Method] = {
    **methods_chat.table.methods,
    **methods_conversations.table.methods,
    **methods_files.table.methods,
    **methods_reactions.table.methods,
    **methods_streams.table.methods,
    **methods_team.table.methods,
    **methods_views.table.methods,
}
# What Slack takes beside the arguments that a method's page names; slack_sdk and bolt add team_id by themselves.
_ALWAYS_TAKEN = frozenset({"token", "team_id"})


class WebApi:
    """`calls` is every call in the order of arrival, downloads and response_urls included."""

    def __init__(self, platform: Platform, closing: asyncio.Event, *, token: str, app_token: str) -> None:
        self._platform = platform
        self._closing = closing
        self.token = token
        self.app_token = app_token
        self.calls: list[Call] = []
        self.plans: list[Plan] = []
        self.down_with: Fault | None = None

    def plan(self, method: str, fault: Fault, times: int) -> None:
        known = {"*", web_host.FILES, web_host.RESPONSE_URL, UPLOAD, *METHODS}
        assert method in known, f"no such method: {method}; there are {sorted(known)}"
        self.plans.append(Plan(method=method, fault=fault, left=times))

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """One call of a method."""
        call = Call(method=request.path.removeprefix(PREFIX), headers=request.headers)
        problem = await _read(request, call)
        self._take_in(call)
        method = METHODS.get(call.method)
        if method is None:
            self._platform.complaints.append(f"unknown method {call.method}")
            return self._answer(call, 200, {"ok": False, "error": "unknown_method", "req_method": call.method})
        return await self._through_faults(request, call, lambda: self._carry_out(method, call, problem))

    async def handle_file(self, request: web.Request) -> web.StreamResponse:
        """The file host."""
        call = Call(method=web_host.FILES, arguments={"path": request.path}, headers=request.headers)
        self._take_in(call)
        granted = call.token == self.token and "files:read" in self._platform.scopes
        return await self._through_faults(
            request, call, lambda: web_host.download(self._platform, call, is_granted=granted)
        )

    async def handle_upload(self, request: web.Request) -> web.StreamResponse:
        """What is put to an upload address; it needs no token."""
        call = Call(method=UPLOAD, arguments={"path": request.path}, headers=request.headers)
        data = await request.read()
        self._take_in(call)
        key = request.path.removeprefix(methods_files.UPLOADS)
        return await self._through_faults(
            request, call, lambda: (methods_files.take_bytes(self._platform, key, data), b"OK", _PLAIN)
        )

    async def handle_response_url(self, request: web.Request) -> web.StreamResponse:
        """What is posted to a response_url; it needs no token."""
        call = Call(method=web_host.RESPONSE_URL, headers=request.headers)
        problem = await _read(request, call)
        url = f"{self._platform.url}{request.path}"
        self._take_in(call)
        return await self._through_faults(request, call, lambda: web_host.respond(self._platform, call, url, problem))

    def _take_in(self, call: Call) -> None:
        self.calls.append(call)
        self._platform.changed()

    async def _through_faults(self, request: web.Request, call: Call, carry_out: Any) -> web.StreamResponse:
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
        status, body, headers = carry_out()
        return self._hang_up(request, call) if fault is not None else self._answer(call, status, body, headers)

    def _fault(self, call: Call) -> Fault | None:
        if self.down_with is not None:
            return self.down_with
        plan = next((one for one in self.plans if one.fits(call.method)), None)
        if plan is None:
            return None
        plan.left -= 1
        return plan.fault

    async def _wait(self, gate: asyncio.Event) -> None:
        waits = [asyncio.create_task(one.wait()) for one in (gate, self._closing)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for one in waits:
            one.cancel()

    def _carry_out(
        self, method: Method, call: Call, problem: RefusedError | None
    ) -> tuple[int, Json, Mapping[str, str]]:
        status, headers = 200, {}
        try:
            if problem is not None:
                raise problem
            self._check_token(method, call)
            headers = {} if method.takes_app_token else {"x-oauth-scopes": ",".join(sorted(self._platform.scopes))}
            headers |= {"x-accepted-oauth-scopes": ",".join(method.scopes)} if method.scopes else {}
            self._check_call(method, call)
            body: Json = {"ok": True} | method.handler(self._platform, call)
        except RefusedError as refused:
            call.error, body = refused.error, refused.body
            if call.error == "ratelimited":
                status, headers = 429, headers | {"Retry-After": str(body.pop("retry_after"))}
        return status, body, headers

    def _check_token(self, method: Method, call: Call) -> None:
        token = call.token or str(call.arguments.get("token", ""))
        if not token:
            raise RefusedError("not_authed")
        if token not in (self.token, self.app_token):
            raise RefusedError("invalid_auth")
        if (token == self.app_token) is not method.takes_app_token:
            raise RefusedError("not_allowed_token_type")

    def _check_call(self, method: Method, call: Call) -> None:
        if method.scopes and not self._platform.scopes.intersection(method.scopes):
            provided = ",".join(sorted(self._platform.scopes))
            raise RefusedError("missing_scope", needed=",".join(method.scopes), provided=provided)
        unknown = call.arguments.keys() - method.arguments - _ALWAYS_TAKEN
        if unknown:
            self._platform.complaints.append(f"{call.method} takes no {sorted(unknown)}")

    def _answer(
        self, call: Call, status: int, body: Any, headers: Mapping[str, str] | None = None
    ) -> web.StreamResponse:
        call.status = status
        self._platform.changed()
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        return web.Response(
            status=status, body=raw, headers={"Content-Type": "application/json; charset=utf-8"} | dict(headers or {})
        )

    def _hang_up(self, request: web.Request, call: Call) -> web.StreamResponse:
        call.status = 0
        self._platform.changed()
        assert request.transport is not None
        request.transport.abort()
        return web.Response()


async def _read(request: web.Request, call: Call) -> RefusedError | None:
    """Arguments come in the query, as a form, or as JSON; slack_sdk uses all three."""
    call.arguments = dict(request.query)
    raw = (await request.read()).decode()
    if request.content_type == "application/json" and raw:
        call.form = "json"
        try:
            said = json.loads(raw)
        except ValueError:
            return RefusedError("invalid_json")
        if not isinstance(said, dict):
            return RefusedError("json_not_object")
        if "token" in said:
            return RefusedError("not_authed")
        nulls = sorted(name for name, value in said.items() if value is None)
        call.arguments |= {name: value for name, value in said.items() if value is not None}
        return invalid_arguments(*(f"[ERROR] null [json-pointer:/{name}]" for name in nulls)) if nulls else None
    if raw:
        call.form = "form"
        if request.content_type != "application/x-www-form-urlencoded":
            return RefusedError("invalid_post_type")
        call.arguments |= {name: str(value) for name, value in (await request.post()).items()}
    return None
