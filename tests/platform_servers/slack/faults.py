"""What can go wrong between the app and Slack's Web API, made to happen on demand."""

import asyncio
import json
from dataclasses import dataclass, field

from tests.platform_servers.slack.world import Json


@dataclass(slots=True, eq=False, kw_only=True)
class Fault:
    """Happens to a call instead of its answer.

    `accepted`: the call is carried out before the connection breaks. `gate`: the call waits until `release`.
    """

    status: int | None = None
    body: Json | str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    accepted: bool = False
    gate: asyncio.Event | None = None

    def release(self) -> None:
        """Let held calls go on, as if nothing had been."""
        assert self.gate is not None, "only a held call is released"
        self.gate.set()

    @property
    def bytes(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


def rate_limited(retry_after: int = 1) -> Fault:
    """429 with `Retry-After` in whole seconds, as Slack gives it; 0 for a test that need not wait."""
    return Fault(status=429, headers={"Retry-After": str(retry_after)}, body={"ok": False, "error": "ratelimited"})


def refused(error: str, **more: object) -> Fault:
    """An `ok: false` of Slack's own, with status 200: refused("restricted_action")."""
    return Fault(status=200, body={"ok": False, "error": error} | more)


def broken(status: int = 503) -> Fault:
    """A 5xx, with a body that is no JSON, as from a proxy."""
    return Fault(status=status, body="<html><body>upstream error</body></html>", headers={"Content-Type": "text/html"})


def redirected(location: str) -> Fault:
    """A 302 to somewhere else, as of a file host that wants a login."""
    return Fault(status=302, body="", headers={"Location": location, "Content-Type": "text/html"})


def reset(*, accepted: bool) -> Fault:
    """The connection breaks before an answer; `accepted`: Slack has done what it was asked to.

    aiohttp itself tries a GET once more where the connection was used before: for the app to notice, give such a
    fault `times=2`. slack_sdk's default retry handler tries every call once more.
    """
    return Fault(accepted=accepted)


def held() -> Fault:
    """The call waits until the test says `release()`; where it never does, the call hangs and nothing is done."""
    return Fault(gate=asyncio.Event())


@dataclass(slots=True, eq=False, kw_only=True)
class Plan:
    """A fault, the calls it is for, and how many of them are left."""

    method: str
    fault: Fault
    left: int

    def __str__(self) -> str:
        return f"{self.left} faults for {self.method}"

    def fits(self, method: str) -> bool:
        return self.left > 0 and self.method in ("*", method)
