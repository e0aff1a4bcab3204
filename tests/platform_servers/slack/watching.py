"""How a test sees and waits for what the app does on the loopback Slack."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from tests.patience import PATIENCE_S
from tests.platform_servers.slack.calls import Call
from tests.platform_servers.slack.delivery import Delivery
from tests.platform_servers.slack.interactions import Interaction
from tests.platform_servers.slack.platform import Platform
from tests.platform_servers.slack.sockets import Sockets
from tests.platform_servers.slack.web_api import WebApi
from tests.platform_servers.slack.world import Channel, Message, Person

_T = TypeVar("_T")


class Watching:
    """Everything that came in, and waiting for more of it."""

    platform: Platform
    sockets: Sockets
    web_api: WebApi
    bot: Person
    _changed: asyncio.Event

    @property
    def calls(self) -> list[Call]:
        """Every call, in the order of arrival; downloads are called "files", answers to commands "response_url"."""
        return self.web_api.calls

    @property
    def deliveries(self) -> list[Delivery]:
        """Every event, command and interaction for the app, in the order in which people made them."""
        return self.platform.deliveries.all

    def calls_of(self, method: str) -> list[Call]:
        return [call for call in self.calls if call.method == method]

    def deliveries_of(self, name: str) -> list[Delivery]:
        """Those of a kind: "message", "app_mention", "/thusfar", "block_actions" ..."""
        return [one for one in self.deliveries if one.name == name]

    # Waiting for what the app does.

    async def wait_for(self, true: Callable[[], _T | None], *, within: float = PATIENCE_S) -> _T:
        """Wait until it is true and return what it gave; fail with what has come in so far.

        It is asked again whenever the server's state changes, not when the app's does.
        """
        try:
            async with asyncio.timeout(within):
                while True:
                    found = true()
                    if found:
                        return found
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"not within {within} s; so far:\n{self.transcript()}") from None

    async def connected(self, times: int = 1) -> None:
        """Wait until sockets have come, that many in all since the start, and one is up."""
        await self.wait_for(lambda: len(self.sockets.came) >= times and bool(self.sockets.open))

    async def posted(self, channel: Channel, count: int = 1) -> list[Message]:
        """Wait until the app has that many messages in a channel, threads included; returns all of them."""
        await self.wait_for(lambda: len(self.by_bot(channel)) >= count)
        return self.by_bot(channel)

    async def answer_to(self, message: Message) -> Message:
        """Wait for the app's first message after this one in its thread."""
        return await self.wait_for(lambda: next(iter(self.replies_to(message)), None))

    async def whispered(self, channel: Channel, reader: Person, count: int = 1) -> list[Message]:
        """Wait until somebody has been shown that many ephemeral messages in a channel."""
        return await self.wait_for(lambda: found if len(found := self.seen_by(reader, channel)) >= count else None)

    async def responded(self, interaction: Interaction) -> Interaction:
        """Wait until an interaction is acknowledged and shows something: a message, a form, options or errors."""

        def has_shown() -> bool:
            shown = interaction.messages or interaction.opened or interaction.errors or interaction.response_action
            return interaction.is_acked and bool(shown or interaction.options is not None)

        await self.wait_for(has_shown)
        return interaction

    async def settled(self) -> None:
        """Wait until everything that was handed over is acknowledged, or given up."""
        await self.wait_for(lambda: all(one.is_settled for one in self.deliveries))

    def by_bot(self, channel: Channel) -> list[Message]:
        return [
            one
            for one in channel.history
            if one.author is self.bot and one.subtype in (None, "thread_broadcast", "file_share")
        ]

    def replies_to(self, message: Message) -> list[Message]:
        """The app's messages in the thread of this one that came after it."""
        thread = message.channel.thread(message.root_ts)
        return [one for one in thread if one.author is self.bot and one.ts > message.ts]

    def seen_by(self, reader: Person, channel: Channel) -> list[Message]:
        """The ephemeral messages that Slack showed to somebody."""
        return [one for one in channel.ephemerals if one.private_to is reader and one.is_shown and not one.is_deleted]

    def transcript(self) -> str:
        """What was handed over, the calls that came in, and the texts that stand in the channels."""
        lines = [str(one) for one in [*self.deliveries, *self.calls]]
        for place in self.platform.channels.values():
            name = place.name or place.kind.value
            lines += [f"#{name} {one.author.name}: {one.content!r}" for one in place.history]
            lines += [
                f"#{name} only for {one.private_to.name}: {one.content!r}" for one in place.ephemerals if one.private_to
            ]
        return "\n".join(lines + self.platform.complaints)

    def status_of(self, message: Message) -> str:
        """The status line of the thread of a message; empty where there is none, or no longer one."""
        return self.platform.statuses.get((message.channel.id, message.root_ts), [""])[-1]
