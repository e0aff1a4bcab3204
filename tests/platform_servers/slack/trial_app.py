"""A bare client for the loopback Slack's own tests: it does what a test says."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from tests.platform_servers.slack.server import SlackServer


@asynccontextmanager
async def calling(server: SlackServer, *, token: str | None = None, **more: Any) -> AsyncIterator[AsyncWebClient]:
    """A client alone, over one session; without retries unless told otherwise."""
    more = {"retry_handlers": []} | more
    async with aiohttp.ClientSession() as session:
        yield AsyncWebClient(token=token or server.token, base_url=server.api_base, session=session, **more)
