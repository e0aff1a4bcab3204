"""One REST call as the loopback Discord sees it: the route table, what came in, and how it is refused."""

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.platform_servers.discord.platform import Platform
from tests.platform_servers.discord.world import Channel, Json, Message


@dataclass(slots=True, frozen=True, kw_only=True)
class Upload:
    """One file of a multipart request; `field_name` is files[0], files[1] ..."""

    field_name: str
    filename: str
    data: bytes


@dataclass(slots=True, eq=False, kw_only=True)
class Call:
    """One request: `path` without the API's prefix, `route` as the documentation writes it, `status` once answered."""

    method: str
    path: str
    route: str = ""
    params: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    uploads: list[Upload] = field(default_factory=list)
    at: float = field(default_factory=time.monotonic)
    status: int | None = None
    code: int | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body if self.body is not None else ''} -> {self.status}"

    @property
    def json(self) -> Json:
        """The body where it must be an object."""
        if not isinstance(self.body, dict):
            raise RefusedError(400, 50109, "The request body contains invalid JSON.")
        return self.body


class RefusedError(Exception):
    """An error answer: HTTP status, Discord's code, its words."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"message": message, "code": code} | ({"errors": errors} if errors else {})


def invalid(path: str, code: str, message: str) -> RefusedError:
    """50035 with the place of the fault: `invalid("content", "BASE_TYPE_BAD_LENGTH", "Must be ...")`."""
    errors: Json = {"_errors": [{"code": code, "message": message}]}
    for part in reversed(path.split(".")):
        errors = {part: errors}
    return RefusedError(400, 50035, "Invalid Form Body", errors)


MISSING_ACCESS = RefusedError(403, 50001, "Missing Access")
MISSING_PERMISSIONS = RefusedError(403, 50013, "Missing Permissions")
THREAD_IS_ARCHIVED = RefusedError(400, 50083, "Thread is archived")

Handler = Callable[[Platform, Call], Any]


@dataclass(slots=True, frozen=True, kw_only=True)
class Route:
    method: str
    template: str
    handler: Handler
    needs_bot: bool

    def match(self, path: str) -> dict[str, str] | None:
        found = re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", self.template), path)
        return found.groupdict() if found else None


class RouteTable:
    """The routes of one area; a handler returns what becomes the JSON body, or None for 204."""

    def __init__(self) -> None:
        self.routes: list[Route] = []

    def on(self, method: str, template: str, *, needs_bot: bool = True) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self.routes.append(Route(method=method, template=template, handler=handler, needs_bot=needs_bot))
            return handler

        return register


def snowflake(value: Any, name: str) -> int:
    """An id out of a path or a body, where it must look like one."""
    if not str(value).isdecimal():
        raise invalid(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
    return int(value)


def channel_of(platform: Platform, call: Call) -> Channel:
    """The channel of the path, which must exist and be visible to the bot."""
    channel = platform.channels.get(snowflake(call.params["channel"], "channel_id"))
    if channel is None:
        raise RefusedError(404, 10003, "Unknown Channel")
    if not platform.rights(channel):
        raise MISSING_ACCESS
    return channel


def message_of(platform: Platform, call: Call) -> Message:
    message = channel_of(platform, call).messages.get(snowflake(call.params["message"], "message_id"))
    if message is None:
        raise RefusedError(404, 10008, "Unknown Message")
    return message
