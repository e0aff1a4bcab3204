"""Access control: only the browser that was given the link, on this machine, from this program's own pages.

A foreign page in the same browser can send requests here, and with a name that it points at this machine even read the
answers (DNS rebinding). So Host must be a local name, Origin must be this server, and the link's cookie is required.
"""

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from core.catalogue.sentences import say, sentence

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_ALWAYS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_OPEN: Final = ("/static/",)
_READS: Final = frozenset({"GET", "HEAD"})
_WRONG_HOST: Final = sentence("I don't know this address. Please open the link that `thusfar web` printed.")
_WRONG_ORIGIN: Final = sentence("That came from another page, so I did nothing.")
_NO_KEY: Final = sentence(
    "Please open the link that `thusfar web` printed when it was started. It works once, for a day: after that, start "
    "`thusfar web` again."
)
_DAY_S: Final = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The credentials: the link's token, new at each start and valid once, and the secret that signs cookies.

    The secret outlives the process, so that an open page keeps working after a restart.
    """

    secret: bytes = field(repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def cookie(self, now: float) -> str:
        """Return a new cookie: the current time with a signature."""
        given = str(int(now))
        return f"{given}.{hmac.new(self.secret, f'thusfar web {given}'.encode(), hashlib.sha256).hexdigest()}"

    def admits(self, cookie: str, now: float) -> bool:
        """Whether a cookie was signed here within the last day."""
        given, _, _ = cookie.partition(".")
        if not re.fullmatch(r"[0-9]{1,12}", given) or not 0 <= int(now) - int(given) < _DAY_S:
            return False
        return secrets.compare_digest(cookie.encode(), self.cookie(int(given)).encode())


class Gate:
    """Checks every request before the app gets it, and adds strict security headers to every response."""

    def __init__(self, app: ASGIApp, *, keys: Keys, port: int, now: Callable[[], float] = time.time) -> None:
        self._app = app
        self._now = now
        self._is_used = False
        self._keys = keys
        self._cookie = f"thusfar-{port}"
        self._hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it with an error."""
        if scope["type"] != "http":  # there are no websockets, and nothing to do at start and shutdown
            return
        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, _strict(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host not in self._hosts:
            return PlainTextResponse(say(_WRONG_HOST), status_code=421)
        if not self._is_same_origin(scope["method"], host, headers):
            return PlainTextResponse(say(_WRONG_ORIGIN), status_code=403)
        if scope["path"].startswith(_OPEN):
            return None
        has_cookie = self._has_cookie(headers)
        if self._has_token(scope) and (has_cookie or not self._is_used):
            return self._set_cookie()
        return None if has_cookie else PlainTextResponse(say(_NO_KEY), status_code=401)

    def _is_same_origin(self, method: str, host: str, headers: Headers) -> bool:
        """Whether the request comes from this program's page: a change must prove that, a read not contradict it."""
        origin = headers.get("origin")
        if origin is None:
            return method in _READS
        return origin == f"http://{host}"

    def _has_token(self, scope: Scope) -> bool:
        if scope["path"] != "/" or scope["method"] != "GET":
            return False
        given = parse_qs(scope["query_string"].decode("ascii", "replace")).get("key", [""])[0]
        return secrets.compare_digest(given.encode(), self._keys.token.encode())

    def _has_cookie(self, headers: Headers) -> bool:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return False
        given = cookies[self._cookie].value if self._cookie in cookies else ""
        return self._keys.admits(given, self._now())

    def _set_cookie(self) -> Response:
        """Set the cookie, and redirect to the address without the token."""
        self._is_used = True
        response = RedirectResponse("/", status_code=303)
        cookie = self._keys.cookie(self._now())
        response.set_cookie(self._cookie, cookie, max_age=_DAY_S, httponly=True, samesite="strict", path="/")
        return response


def _strict(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers[name] = value
        await send(message)

    return sent
