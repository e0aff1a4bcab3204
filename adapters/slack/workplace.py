"""A process that answers in Slack without listening there."""

from typing import Final

import aiohttp

from adapters.platform.retry import RetryPolicy
from adapters.platform.services import PlatformServices
from adapters.platform.worker import Manners, Shift, Worker
from adapters.slack.calls import SlackCalls
from adapters.slack.connection import who_am_i
from adapters.slack.listening import MemberMessage
from adapters.slack.options import SlackOptions
from adapters.slack.people import PLATFORM
from adapters.slack.said import SaidSurface
from adapters.slack.workspace import workspace_of
from core.ports.work import WorkQueue

_RETRY: Final = RetryPolicy()


class SlackWorkplace:
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
        self._services = services
        self._options = options
        self._work = work
        self._shift = shift
        self._retry = retry
        self._worker: Worker[MemberMessage] | None = None

    async def attempt(self) -> None:
        """Find out who the bot is, and work. Raises SettingsError: the token is wrong."""
        options = self._options
        async with aiohttp.ClientSession() as session:
            calls = SlackCalls(options.bot_token, session=session, api_base=options.api_base, retry=self._retry)
            workspace = workspace_of(await who_am_i(calls), services=self._services, options=options, calls=calls)

            async def find(said: MemberMessage) -> SaidSurface:
                return SaidSurface(workspace, said)

            self._worker = Worker(
                platform=PLATFORM,
                read=MemberMessage.from_payload,
                find=find,
                services=workspace.services,
                manners=Manners(emoji=options.emoji, most_bytes=options.max_book_bytes, notices=workspace.notices),
                work=self._work,
                shift=self._shift,
            )
            await self._worker.run()

    def is_there(self) -> bool:
        """Whether Slack has let the bot in, and it looks for work."""
        return self._worker is not None and self._worker.is_at_work

    def silent_for(self) -> float | None:
        """Return for how many seconds nothing was claimed; None where nothing ever was."""
        return None if self._worker is None else self._worker.silent_for

    def under_way(self) -> int:
        """Return how many questions are being answered here."""
        return 0 if self._worker is None else self._worker.under_way

    async def finish(self, *, within: float) -> None:
        """Claim nothing more, and let what is under way end, for so many seconds."""
        if self._worker is not None:
            await self._worker.finish(within=within)
