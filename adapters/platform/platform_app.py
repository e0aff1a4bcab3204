"""Builds, once per platform, the parts that handle messages and commands."""

import asyncio
from collections.abc import Callable
from typing import Final, Generic

from adapters.platform.buttons import ButtonFlow
from adapters.platform.commands import CommandFlow, OrganiserNotices
from adapters.platform.conversation import Conversations, Find
from adapters.platform.intake.intake import Intake
from adapters.platform.intake.items import Fetch, MessageCodec, MessageT
from adapters.platform.reactions import Reactions
from adapters.platform.retry import RetryPolicy
from adapters.platform.running_tasks import RunningTasks
from adapters.platform.services import Emoji, PlatformServices
from adapters.platform.uploads import BookShelf, BookUploads
from adapters.platform.watching import Watching
from core.domain.pauses import doubling

_LONGEST_PAUSE_S: Final = 900.0
_REACTIONS_S: Final = 3.0
_LAST_WORDS_S: Final = 2.0


class PlatformApp(Generic[MessageT]):
    """The parts that handle messages and commands: conversations, commands, buttons, uploads and reactions.

    Args:
        services: core's services.
        find: returns the surface of a message.
        emoji: the reactions, as the platform names them.
        most_bytes: the largest size of a book's file.
        notices: notices for the organisers.
    """

    def __init__(
        self,
        services: PlatformServices,
        find: Find[MessageT],
        *,
        emoji: Emoji,
        most_bytes: int,
        notices: OrganiserNotices,
    ) -> None:
        self.services = services
        self.reactions = Reactions(emoji, services.ornament_rate)
        self.running_tasks = RunningTasks()
        self.commands = CommandFlow(services, notices)
        self.buttons = ButtonFlow(services, self.commands)
        self.uploads = BookUploads(BookShelf(services.book_commands, most_bytes=most_bytes), self.commands)
        self.watching = Watching(services.watch)
        self.conversations = Conversations(
            services,
            find,
            reactions=self.reactions,
            commands=self.commands,
            uploads=self.uploads,
            watching=self.watching,
        )


class ListeningApp(PlatformApp[MessageT]):
    """A PlatformApp with an `intake` for incoming messages; `retry` says how long calls and messages are retried."""

    def __init__(
        self,
        services: PlatformServices,
        codec: MessageCodec[MessageT],
        find: Find[MessageT],
        *,
        emoji: Emoji,
        most_bytes: int,
        notices: OrganiserNotices,
        retry: RetryPolicy,
    ) -> None:
        super().__init__(services, find, emoji=emoji, most_bytes=most_bytes, notices=notices)
        self._later_s = retry.later
        self.intake = Intake(codec, services, self.conversations, later=retry.later, hold=retry.hold, look=retry.look)

    async def keep_catching_up(self, fetch: Fetch[MessageT], *, looked: Callable[[], object]) -> None:
        """Fetch missed messages, with growing pauses, until all of them are fetched.

        `looked` is called after each attempt, whatever its outcome.
        """
        for pause in doubling(self._later_s, longest=_LONGEST_PAUSE_S):
            has_all = await self.intake.catch_up(fetch)
            looked()
            if has_all:
                return
            await asyncio.sleep(pause)

    async def finish(self, *, within: float) -> None:
        """Accept nothing new, and let running work end for `within` seconds."""
        loop = asyncio.get_running_loop()
        until = loop.time() + within
        await asyncio.gather(self.intake.finish(within=within), self.running_tasks.finish(within=within))
        await self.watching.tasks.finish(within=min(_LAST_WORDS_S, max(until - loop.time(), 0.0)))
        await self.reactions.tasks.finish(within=min(_REACTIONS_S, max(until - loop.time(), _LAST_WORDS_S)))
