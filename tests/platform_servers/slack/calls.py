"""One Web API call as the loopback Slack sees it: the table of methods, what came in, and how it is refused."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.platform_servers.slack.world import Json

if TYPE_CHECKING:
    from tests.platform_servers.slack.platform import Platform


@dataclass(slots=True, eq=False, kw_only=True)
class Call:
    """One request. `form` is how the arguments came ("query", "form", "json"); `error` is Slack's code once answered.

    For downloads `method` is "files", for uploads "upload", for answers to commands and buttons "response_url".
    """

    method: str
    arguments: Json = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    form: str = "query"
    at: float = field(default_factory=time.monotonic)
    status: int | None = None
    error: str | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.arguments} -> {self.status} {self.error or ''}"

    @property
    def token(self) -> str:
        return self.headers.get("Authorization", "").removeprefix("Bearer ").strip()

    def text(self, name: str) -> str:
        """An argument as text; missing: `invalid_arguments`."""
        if name not in self.arguments or self.arguments[name] in (None, ""):
            raise invalid_arguments(f"[ERROR] missing required field: {name}")
        return str(self.arguments[name])

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self.arguments.get(name)
        return default if value is None else str(value).lower() in ("1", "true")

    def number(self, name: str, default: int) -> int:
        value = str(self.arguments.get(name, default))
        if not value.isdecimal():
            raise invalid_arguments(f"[ERROR] must be an integer [json-pointer:/{name}]")
        return int(value)

    def structure(self, name: str, error: str) -> Any:
        """An argument that is JSON, as it came in a JSON body or as text in a form; None where it is missing."""
        value = self.arguments.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value) if value else None
        except ValueError:
            raise RefusedError(error) from None


class RefusedError(Exception):
    """An `ok: false` answer: Slack's code, and what stands beside it."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.error = error
        self.body: Json = {"ok": False, "error": error} | more


def invalid_arguments(*messages: str) -> RefusedError:
    return RefusedError("invalid_arguments", response_metadata={"messages": list(messages)})


Handler = Callable[["Platform", Call], Json]


@dataclass(slots=True, frozen=True, kw_only=True)
class Method:
    """`arguments` are those the method's page names; `scopes`: any one of them is enough, none: any token."""

    name: str
    handler: Handler
    arguments: frozenset[str]
    scopes: tuple[str, ...]
    takes_app_token: bool


class MethodTable:
    """The methods of one area; a handler returns what stands beside `ok: true`."""

    def __init__(self) -> None:
        self.methods: dict[str, Method] = {}

    def on(
        self, name: str, arguments: str = "", *, scopes: str = "", takes_app_token: bool = False
    ) -> Callable[[Handler], Handler]:
        def register(handler: Handler) -> Handler:
            self.methods[name] = Method(
                name=name,
                handler=handler,
                arguments=frozenset(arguments.split()),
                scopes=tuple(scopes.split()),
                takes_app_token=takes_app_token,
            )
            return handler

        return register
