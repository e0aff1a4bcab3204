"""A club in Slack: a channel a thread, since Slack takes one message a second in each."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from datetime import datetime
from random import Random

from core.domain.thread import Thread
from tests.chaos.scenes import THREADS, Call, Message, Plan, Scene
from tests.chaos.signs import BEGUN, POSTING, REACTIONS
from tests.platform_servers.slack.faults import Fault, broken, held, rate_limited, reset
from tests.platform_servers.slack.server import SlackServer

_SPOILED = (*["chat.postMessage"] * 4, "reactions.add")
_FAULTS: dict[str, Callable[[], Fault]] = {
    "429": lambda: rate_limited(0),
    "500": lambda: broken(500),
    "503": lambda: broken(503),
    "reset": lambda: reset(accepted=False),
    "accepted, then lost": lambda: reset(accepted=True),
    "hangs": held,
}
_UNACKNOWLEDGED, _BROKEN, _REFRESHED = "acknowledgement lost", "socket broken", "socket refreshed"
_DAY_LATER = "told again a day later"
_SIGNS = {"chat.postMessage": POSTING, "reactions.remove": REACTIONS, "assistant.threads.setStatus": BEGUN}


class SlackScene(Scene):
    """Every answer names what it belongs to."""

    failed = "warning"
    of_note = frozenset({failed, "shrug", "book"})
    spoils = tuple(_FAULTS)
    troubles = (_UNACKNOWLEDGED, _BROKEN, _REFRESHED, _DAY_LATER)

    def __init__(self, server: SlackServer) -> None:
        super().__init__()
        self.server = server
        self._clubs = [server.add_club(f"books-{number}") for number in range(THREADS)]
        self._roots: list[Message] = []
        self._asked: dict[str, Message] = {}
        self._happened: Counter[str] = Counter()

    def settings(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.server.token,
            "SLACK_APP_TOKEN": self.server.app_token,
            "SLACK_API_BASE": self.server.api_base,
        }

    async def connected(self) -> None:
        await self.server.connected()

    def places(self) -> Sequence[Thread]:
        team = f"slack:{self.server.platform.team_id}"
        return [Thread(scope=team, place=club.channel.id, thread="") for club in self._clubs]

    def ask(self, text: str, chance: Random, *, at: datetime | None = None) -> Message:
        number, is_ada = chance.randrange(THREADS), chance.random() < 0.5
        number = len(self._roots) if len(self._roots) < THREADS else number
        club = self._clubs[number]
        who = club.ada if is_ada else club.ben
        if number == len(self._roots):
            asked = self.server.say(club.channel, who, f"{self.server.bot.mention} {text}", at=at)
            self._roots.append(asked)
        else:
            asked = self.server.say(club.channel, who, text, self._roots[number].ts, at=at)
        if at is not None:  # of what is put into the past nobody is told by itself
            self.server.platform.tell_message(asked)
        self._asked[asked.ts] = asked
        return asked

    def id_of(self, message: Message) -> str:
        return str(message.ts)

    def answers(self, asked: Sequence[Message]) -> list[list[str]]:
        answers = defaultdict(list)
        for club in self._clubs:
            for one in self.server.by_bot(club.channel):
                answers[_ref_of(one).rpartition(":")[2]].append(one.content)
        return [answers[message.ts] for message in asked]

    def answered(self) -> Mapping[str, Sequence[Message]]:
        return {
            root.ts: [
                self._asked[_ref_of(one).rpartition(":")[2]]
                for one in self.server.by_bot(root.channel)
                if one.thread_ts == root.ts
            ]
            for root in self._roots
        }

    def said_at(self, message: Message) -> float:
        return float(message.ts)

    def trouble(self, trouble: str, chance: Random, old: Sequence[Message]) -> None:
        said, is_marked = chance.choice(old), chance.random() < 0.5
        if trouble == _UNACKNOWLEDGED:
            self.server.lose_acks(1)
        elif self.server.sockets.open:
            self._happened[trouble] += 1
            if trouble == _BROKEN:
                self.server.abort_sockets()
            elif trouble == _REFRESHED:
                self.server.disconnect("refresh_requested")
            else:
                event = next(one for one in self.server.deliveries if one.payload["event"].get("ts") == said.ts)
                self.server.redeliver(event, marked=is_marked)

    def listener_died(self) -> None:
        """Slack hears of it by itself."""

    def changed(self) -> None:
        self.server.platform.changed()

    def _plan(self, fault: str, chance: Random) -> Plan:
        self.server.fail_next(chance.choice(_SPOILED), _FAULTS[fault]())
        return self._plans()[-1]

    def _plans(self) -> MutableSequence[Plan]:
        plans: MutableSequence[Plan] = self.server.web_api.plans
        return plans

    def _sign_of(self, call: Call) -> str | None:
        return _SIGNS.get(call.method)

    def _troubles_met(self) -> Counter[str]:
        lost = sum(attempt.is_lost for one in self.server.deliveries for attempt in one.attempts)
        return self._happened + Counter({_UNACKNOWLEDGED: lost})


def _ref_of(message: Message) -> str:
    return str(((message.metadata or {}).get("event_payload") or {}).get("ref", ""))
