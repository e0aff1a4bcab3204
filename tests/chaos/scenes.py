"""A platform as a campaign sees it: who asks where, what stands there in answer, and what goes wrong with a call."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from core.domain.thread import Thread
from tests.platform_servers.discord import faults as discord_faults
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack import faults as slack_faults
from tests.platform_servers.slack.server import SlackServer

_THREADS = 8
_POST = "/channels/{channel}/messages"

Message = Any
"""A message of either world."""


class Scene(ABC):
    """A club with several threads, on one platform."""

    of_note: ClassVar[frozenset[str]]
    """The reactions that stay: no answer came, or nothing was found."""
    failed: ClassVar[str]

    server: Any

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the settings that point the program at it."""

    @abstractmethod
    async def connected(self) -> None:
        """Wait until the bot is there for the first time: what is said before that is nothing to it."""

    @abstractmethod
    def place(self) -> Thread:
        """Return the club's place."""

    @abstractmethod
    def ask(self, text: str, chance: Random) -> Message:
        """Ask in one of the threads, or in the channel."""

    @abstractmethod
    def answers(self, asked: Sequence[Message]) -> list[list[str]]:
        """Return for each of these messages what was posted in answer, after one look at all that was posted.

        The platform answers nobody meanwhile: a look for each message would hold up for minutes all that it watches.
        """

    @abstractmethod
    def answered(self) -> Mapping[str, Sequence[Message]]:
        """Return for each thread the questions that its answers belong to, in the order in which those stand there."""

    @abstractmethod
    def said_at(self, message: Message) -> float:
        """Return a number that grows with the time at which a question was asked."""

    def out_of_order(self) -> list[str]:
        """Return for each thread whose answers do not stand in the order of its questions how they do stand."""
        wrong = []
        for thread, asked in self.answered().items():
            times = [self.said_at(one) for one in asked]
            ranks = {time: rank for rank, time in enumerate(sorted(set(times)), start=1)}
            if times != sorted(times):
                wrong.append(f"{thread}: {' '.join(str(ranks[time]) for time in times)}")
        return wrong

    @abstractmethod
    def spoil(self, chance: Random) -> None:
        """Let something go wrong with one of the next posts."""

    @abstractmethod
    def forget_plans(self) -> None:
        """Let nothing go wrong any more."""

    def calls(self) -> int:
        """Return how many calls have come in."""
        return len(self.server.calls)

    async def calls_come(self, count: int) -> None:
        """Wait until so many more calls have come in."""
        before = self.calls()
        await self.wait_for(lambda: self.calls() >= before + count)

    async def wait_for(self, true: Callable[[], object], *, within: float = 60.0) -> None:
        """Wait until it is true."""
        await self.server.wait_for(true, within=within)


class DiscordScene(Scene):
    """Threads that the bot opened, and mentions in the channel that each open one more."""

    failed = "⚠️"
    of_note = frozenset({failed, "🤷"})

    def __init__(self, server: DiscordServer) -> None:
        self.server = server
        self._club = server.add_club()
        self._threads = [
            server.create_thread(self._club.channel, server.bot, f"Thread {number}") for number in range(_THREADS)
        ]

    def settings(self) -> dict[str, str]:
        return {"DISCORD_TOKEN": self.server.token, "DISCORD_API_BASE": self.server.api_base}

    async def connected(self) -> None:
        await self.server.identified()

    def place(self) -> Thread:
        channel = self._club.channel
        return Thread(scope=f"discord:{self._club.guild.id}", place=str(channel.id), thread="")

    def ask(self, text: str, chance: Random) -> Message:
        who = chance.choice([self._club.ada, self._club.ben])
        if chance.random() < 0.2:
            return self.server.say(self._club.channel, who, f"{self.server.bot.mention} {text}")
        return self.server.say(chance.choice(self._threads), who, text)

    def answers(self, asked: Sequence[Message]) -> list[list[str]]:
        replies = defaultdict(list)
        for place in self.server.platform.channels.values():
            for one in self.server.by_bot(place):
                replies[id(one.reply_to)].append(one.content)
        opened = [self.server.by_bot(one.thread) if one.thread else [] for one in asked]
        return [
            [*(one.content for one in there), *replies[id(message)]]
            for message, there in zip(asked, opened, strict=True)
        ]

    def answered(self) -> Mapping[str, Sequence[Message]]:
        return {thread.name: [one.reply_to for one in self.server.by_bot(thread)] for thread in self._threads}

    def said_at(self, message: Message) -> float:
        return float(message.id)

    def spoil(self, chance: Random) -> None:
        faults = (
            discord_faults.rate_limited(),
            discord_faults.broken(503),
            discord_faults.reset(accepted=True),
            discord_faults.reset(accepted=False),
        )
        self.server.fail_next("POST", _POST, chance.choice(faults))

    def forget_plans(self) -> None:
        self.server.rest.plans.clear()


class SlackScene(Scene):
    """A channel a thread, since Slack takes one message a second in each; every answer names what it belongs to."""

    failed = "warning"
    of_note = frozenset({failed, "shrug"})

    def __init__(self, server: SlackServer) -> None:
        self.server = server
        self._club = server.add_club()
        self._roots: list[Message] = []
        self._asked: dict[str, Message] = {}

    def settings(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.server.token,
            "SLACK_APP_TOKEN": self.server.app_token,
            "SLACK_API_BASE": self.server.api_base,
        }

    async def connected(self) -> None:
        await self.server.connected()

    def place(self) -> Thread:
        return Thread(scope=f"slack:{self.server.platform.team_id}", place=self._club.channel.id, thread="")

    def ask(self, text: str, chance: Random) -> Message:
        who = chance.choice([self._club.ada, self._club.ben])
        if len(self._roots) < _THREADS:
            asked = self.server.mention(self._club.channel, who, text)
            self._roots.append(asked)
        else:
            asked = self.server.reply(chance.choice(self._roots), who, text)
        self._asked[asked.ts] = asked
        return asked

    def answers(self, asked: Sequence[Message]) -> list[list[str]]:
        answers = defaultdict(list)
        for one in self.server.by_bot(self._club.channel):
            answers[_ref_of(one).rpartition(":")[2]].append(one.content)
        return [answers[message.ts] for message in asked]

    def answered(self) -> Mapping[str, Sequence[Message]]:
        own = self.server.by_bot(self._club.channel)
        return {
            root.ts: [self._asked[_ref_of(one).rpartition(":")[2]] for one in own if one.thread_ts == root.ts]
            for root in self._roots
        }

    def said_at(self, message: Message) -> float:
        return float(message.ts)

    def spoil(self, chance: Random) -> None:
        faults = (
            slack_faults.rate_limited(0),
            slack_faults.broken(503),
            slack_faults.reset(accepted=True),
            slack_faults.reset(accepted=False),
        )
        self.server.fail_next("chat.postMessage", chance.choice(faults))

    def forget_plans(self) -> None:
        self.server.web_api.plans.clear()


def _ref_of(message: Message) -> str:
    return str(((message.metadata or {}).get("event_payload") or {}).get("ref", ""))
