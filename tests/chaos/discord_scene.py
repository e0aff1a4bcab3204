"""A club on Discord: threads that the bot opened, and mentions in the channel that each open one more."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from datetime import datetime
from random import Random

from core.domain.thread import Thread
from tests.chaos.scenes import THREADS, Call, Message, Plan, Scene
from tests.chaos.signs import BEGUN, POSTING, REACTIONS
from tests.platform_servers.discord.faults import Fault, broken, held, rate_limited, reset
from tests.platform_servers.discord.server import DiscordServer

_POST = "/channels/{channel}/messages"
_TYPING = "/channels/{channel}/typing"
_REACTION = "/channels/{channel}/messages/{message}/reactions/{emoji}/@me"
_THREAD = "/channels/{channel}/messages/{message}/threads"
_SPOILED = (*[("POST", _POST)] * 4, ("POST", _THREAD), ("PUT", _REACTION))
_FAULTS: dict[str, Callable[[], Fault]] = {
    "429": rate_limited,
    "500": broken,
    "503": lambda: broken(503),
    "reset": lambda: reset(accepted=False),
    "accepted, then lost": lambda: reset(accepted=True),
    "hangs": held,
}
_RESUMED, _AGAIN, _DAY_LATER = "resumed, with a replay", "told twice", "told again a day later"


class DiscordScene(Scene):
    """One club on one server."""

    failed = "⚠️"
    of_note = frozenset({failed, "🤷", "📖"})
    spoils = tuple(_FAULTS)
    troubles = (_RESUMED, _AGAIN, _DAY_LATER)

    def __init__(self, server: DiscordServer) -> None:
        super().__init__()
        self.server = server
        self._club = server.add_club()
        self._threads = [
            server.create_thread(self._club.channel, server.bot, f"Thread {number}") for number in range(THREADS)
        ]
        self._told_again: Counter[str] = Counter()

    def settings(self) -> dict[str, str]:
        return {"DISCORD_TOKEN": self.server.token, "DISCORD_API_BASE": self.server.api_base}

    async def connected(self) -> None:
        await self.server.identified()

    def places(self) -> Sequence[Thread]:
        channel = self._club.channel
        return [Thread(scope=f"discord:{self._club.guild.id}", place=str(channel.id), thread="")]

    def ask(self, text: str, chance: Random, *, at: datetime | None = None) -> Message:
        who = chance.choice([self._club.ada, self._club.ben])
        if chance.random() < 0.2:
            return self.server.say(self._club.channel, who, f"{self.server.bot.mention} {text}", at=at)
        return self.server.say(chance.choice(self._threads), who, text, at=at)

    def id_of(self, message: Message) -> str:
        return str(message.id)

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

    def trouble(self, trouble: str, chance: Random, old: Sequence[Message]) -> None:
        gateway, said = self.server.gateway, chance.choice(old)
        listening = [one for one in gateway.sessions.values() if one.connection is not None]
        if trouble == _RESUMED:
            gateway.abort()
        elif trouble == _DAY_LATER and listening:
            self.server.platform.tell_message("MESSAGE_CREATE", said)
            self._told_again[trouble] += 1
        elif trouble == _AGAIN and any(name == "MESSAGE_CREATE" for one in listening for _, name, _ in one.events):
            gateway.again("MESSAGE_CREATE")
            self._told_again[trouble] += 1

    def listener_died(self) -> None:
        self.server.gateway.forget_sessions()

    def changed(self) -> None:
        self.server.platform.changed()

    def _plan(self, fault: str, chance: Random) -> Plan:
        self.server.fail_next(*chance.choice(_SPOILED), _FAULTS[fault]())
        return self._plans()[-1]

    def _plans(self) -> MutableSequence[Plan]:
        plans: MutableSequence[Plan] = self.server.rest.plans
        return plans

    def _sign_of(self, call: Call) -> str | None:
        match call.method, call.route:
            case ("POST", route) if route == _POST:
                return POSTING
            case ("POST", route) if route == _TYPING:
                return BEGUN
            case ("DELETE", route) if route == _REACTION:
                return REACTIONS
            case _:
                return None

    def _troubles_met(self) -> Counter[str]:
        return self._told_again + Counter({_RESUMED: len(self.server.gateway.resumes)})
