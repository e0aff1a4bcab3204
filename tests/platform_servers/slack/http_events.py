"""The other connection: signed requests to the app's own address, as Slack sends them where Socket Mode is off.

After Slack's "Verifying requests from Slack" (v0 signatures) and the Events API's rules for retries.
"""

import asyncio
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp

from tests.platform_servers.slack.delivery import COMMAND, CONNECTION_FAILED, EVENT, Attempt, Deliveries, Delivery
from tests.platform_servers.slack.world import Json

HTTP_ERROR = "http_error"
HTTP_TIMEOUT = "http_timeout"


@dataclass(slots=True, frozen=True, kw_only=True)
class Answered:
    """What the app's address answered; the names of headers in lower case."""

    status: int
    text: str
    headers: dict[str, str]

    @property
    def json(self) -> Json | None:
        """The body, where it is a JSON object."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


class HttpEvents:
    """Sends to `url`; its requests run side by side, so they may arrive in another order."""

    timeout_reason = HTTP_TIMEOUT

    def __init__(self, deliveries: Deliveries, *, secret: str, changed: Callable[[], None]) -> None:
        self.url = ""
        self._deliveries = deliveries
        self._secret = secret
        self._changed = changed
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: aiohttp.ClientSession | None = None

    def send(self, delivery: Delivery, *, number: int, reason: str) -> Attempt | None:
        """Post one delivery; the try ends with 200, with another status, or without any answer."""
        attempt = Attempt(number=number, reason=reason, via=self.url)
        task = asyncio.get_running_loop().create_task(self._send(delivery, attempt))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return attempt

    async def post(
        self,
        payload: Json,
        *,
        form: str = EVENT,
        secret: str | None = None,
        at: float | None = None,
        headers: dict[str, str] | None = None,
        url: str | None = None,
    ) -> Answered:
        """Send what a test likes: `secret` for a wrong signature, `at` for an old timestamp, `headers` on top."""
        body, kind = encoded(payload, form)
        signed = signature_headers(secret or self._secret, body, at=at)
        sent = {"Content-Type": kind, "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)"} | signed
        async with self._client().post(url or self.url, data=body, headers=sent | (headers or {})) as response:
            return Answered(
                status=response.status,
                text=await response.text(),
                headers={name.lower(): value for name, value in response.headers.items()},
            )

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    def _client(self) -> aiohttp.ClientSession:
        if self._session is None:
            # None is kept for the next request: the app may close it just then.
            self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(force_close=True))
        return self._session

    async def _send(self, delivery: Delivery, attempt: Attempt) -> None:
        retry = {"X-Slack-Retry-Num": str(attempt.number), "X-Slack-Retry-Reason": attempt.reason}
        try:
            async with asyncio.timeout(self._deliveries.ack_within):
                answered = await self.post(
                    delivery.payload, form=delivery.kind, headers=retry if attempt.number else {}
                )
        except TimeoutError:
            self._deliveries.failed(delivery, attempt, HTTP_TIMEOUT)
        except aiohttp.ClientError:
            self._deliveries.failed(delivery, attempt, CONNECTION_FAILED)
        else:
            attempt.status = answered.status
            if answered.status == 200:
                said = answered.json or ({"text": answered.text} if answered.text and not delivery.is_event else None)
                self._deliveries.acknowledge(delivery, attempt, said)
            elif "x-slack-no-retry" in answered.headers:
                delivery.is_given_up = True
                self._changed()
            else:
                self._deliveries.failed(delivery, attempt, HTTP_ERROR)


def encoded(payload: Json, form: str) -> tuple[bytes, str]:
    """The body as Slack writes it: events as JSON, commands as a form, all else as a form with one `payload`."""
    if form == EVENT:
        return json.dumps(payload).encode(), "application/json"
    fields = payload if form == COMMAND else {"payload": json.dumps(payload)}
    return urlencode(fields).encode(), "application/x-www-form-urlencoded"


def signature_headers(secret: str, body: bytes, *, at: float | None = None) -> dict[str, str]:
    """X-Slack-Signature over v0, the time and the raw body."""
    moment = str(int(time.time() if at is None else at))
    digest = hmac.new(secret.encode(), f"v0:{moment}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": moment, "X-Slack-Signature": f"v0={digest}"}
