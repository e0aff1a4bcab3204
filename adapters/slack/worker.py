"""A process that answers in Slack without receiving events."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

import aiohttp

from adapters.platform.platform_app import PlatformApp
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.platform.worker import Shift, Worker
from adapters.slack.calls import SlackCalls
from adapters.slack.connection import who_am_i
from adapters.slack.listening import SlackMessage
from adapters.slack.options import SlackOptions
from adapters.slack.people import PLATFORM
from adapters.slack.said import SlackMessageContext
from adapters.slack.workspace import workspace_of
from core.ports.work import WorkQueue

_RETRY: Final = RetryPolicy()


def worker_in_slack(
    services: PlatformServices, options: SlackOptions, work: WorkQueue, *, shift: Shift, retry: RetryPolicy = _RETRY
) -> Worker[SlackMessage]:
    """Return the worker that answers what the listening process received."""
    log_in = partial(_logged_in, services, options, retry)
    return Worker(platform=PLATFORM, read=SlackMessage.from_payload, log_in=log_in, work=work, shift=shift)


@asynccontextmanager
async def _logged_in(
    services: PlatformServices, options: SlackOptions, retry: RetryPolicy
) -> AsyncIterator[PlatformApp[SlackMessage]]:
    """Request the bot's identity. Raises SettingsError: the token is wrong."""
    async with aiohttp.ClientSession() as session:
        calls = SlackCalls(options.bot_token, session=session, api_base=options.api_base, retry=retry)
        workspace = workspace_of(await who_am_i(calls), services=services, options=options, calls=calls)

        async def find(said: SlackMessage) -> SlackMessageContext:
            return SlackMessageContext(workspace, said)

        yield PlatformApp(
            workspace.services,
            find,
            emoji=options.emoji,
            most_bytes=options.max_book_bytes,
            notices=workspace.notices,
        )
