"""A process that answers in Slack without listening there."""

from typing import Final

import aiohttp
from typing_extensions import override

from adapters.platform.platform_app import PlatformApp
from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.platform.worker import Shift, Worker, Workplace
from adapters.slack.calls import SlackCalls
from adapters.slack.connection import who_am_i
from adapters.slack.listening import SlackMessage
from adapters.slack.options import SlackOptions
from adapters.slack.people import PLATFORM
from adapters.slack.said import SlackMessageContext
from adapters.slack.workspace import workspace_of
from core.ports.work import WorkQueue

_RETRY: Final = RetryPolicy()


class SlackWorkplace(Workplace[SlackMessage]):
    """Answers what the process that listens has heard, until it is told to finish."""

    def __init__(
        self,
        services: PlatformServices,
        options: SlackOptions,
        work: WorkQueue,
        *,
        shift: Shift,
        retry: RetryPolicy = _RETRY,
    ) -> None:
        super().__init__()
        self._services = services
        self._options = options
        self._work = work
        self._shift = shift
        self._retry = retry

    @override
    async def attempt(self) -> None:
        """Find out who the bot is, and work. Raises SettingsError: the token is wrong."""
        options = self._options
        async with aiohttp.ClientSession() as session:
            calls = SlackCalls(options.bot_token, session=session, api_base=options.api_base, retry=self._retry)
            workspace = workspace_of(await who_am_i(calls), services=self._services, options=options, calls=calls)

            async def find(said: SlackMessage) -> SlackMessageContext:
                return SlackMessageContext(workspace, said)

            app = PlatformApp(
                workspace.services,
                find,
                emoji=options.emoji,
                most_bytes=options.max_book_bytes,
                notices=workspace.notices,
            )
            read = SlackMessage.from_payload
            await self._work_by(Worker(platform=PLATFORM, read=read, app=app, work=self._work, shift=self._shift))
