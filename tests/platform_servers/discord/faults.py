"""What can go wrong between the bot and Discord's REST, made to happen on demand."""

import asyncio
import json
from dataclasses import dataclass, field

from tests.platform_servers.discord.world import Json


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


def rate_limited(retry_after: float = 0.01, *, via: bool = True, is_global: bool = False) -> Fault:
    """429. Without `via` it is as from the provider in front of Discord, which discord.py does not retry."""
    headers = {"Retry-After": str(max(1, round(retry_after))), "X-RateLimit-Scope": "global" if is_global else "user"}
    headers |= {"Via": "1.1 google"} if via else {}
    headers |= {"X-RateLimit-Global": "true"} if is_global else {}
    body = {"message": "You are being rate limited.", "retry_after": retry_after, "global": is_global}
    return Fault(status=429, headers=headers, body=body)


def refused(status: int, code: int = 0, message: str = "Refused") -> Fault:
    """An error of Discord's own: refused(403, 50013, "Missing Permissions")."""
    return Fault(status=status, body={"message": message, "code": code})


def broken(status: int = 500) -> Fault:
    """A 5xx, with a body that is no JSON, as from a proxy."""
    return Fault(status=status, body="<html><body>upstream error</body></html>", headers={"Content-Type": "text/html"})


def reset(*, accepted: bool) -> Fault:
    """The connection breaks before an answer; `accepted`: Discord has done what it was asked to.

    aiohttp itself tries a GET, PUT or DELETE (never a POST or PATCH) once more where the connection was used before:
    for the bot to notice, give such a fault `times=2`.
    """
    return Fault(accepted=accepted)


def held() -> Fault:
    """The call waits until the test says `release()`; where it never does, the call hangs and nothing is done."""
    return Fault(gate=asyncio.Event())


@dataclass(slots=True, eq=False, kw_only=True)
class Plan:
    """A fault, the calls it is for, and how many of them are left."""

    method: str
    route: str
    fault: Fault
    left: int

    def __str__(self) -> str:
        return f"{self.left} faults for {self.method} {self.route}"

    def fits(self, method: str, route: str) -> bool:
        return self.left > 0 and self.method in ("*", method) and self.route in ("*", route)
