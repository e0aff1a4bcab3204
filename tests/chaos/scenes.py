"""A platform as a campaign sees it: who asks where, what stands there in answer, and what goes wrong with a call."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, MutableSequence, Sequence
from datetime import datetime
from random import Random
from typing import Any, ClassVar

from core.domain.thread import Thread
from tests.chaos.signs import POSTED, POSTING

THREADS = 8

Message = Any
"""A message of either world."""
Call = Any
"""A call to either platform."""
Plan = Any
"""A fault that either platform has ready for a call."""


class Scene(ABC):
    """A club with several threads, on one platform."""

    of_note: ClassVar[frozenset[str]]
    """The reactions that stay: no answer came, or what was found."""
    failed: ClassVar[str]
    spoils: ClassVar[tuple[str, ...]]
    """What can go wrong with a call, by the names under which it is counted."""
    troubles: ClassVar[tuple[str, ...]]
    """What can go wrong with how messages come, likewise."""

    server: Any

    def __init__(self) -> None:
        self._signs: Counter[str] = Counter()
        self._looked_at = 0
        self._unanswered: list[Call] = []
        self._planned: list[tuple[str, Plan]] = []

    @abstractmethod
    def settings(self) -> dict[str, str]:
        """Return the settings that point the program at it."""

    @abstractmethod
    async def connected(self) -> None:
        """Wait until the bot is there for the first time: what is said before that is nothing to it."""

    @abstractmethod
    def places(self) -> Sequence[Thread]:
        """Return where the club reads."""

    @abstractmethod
    def ask(self, text: str, chance: Random, *, at: datetime | None = None) -> Message:
        """Ask in one of the threads, or in the channel; `at` for what was said at another time and comes only now."""

    @abstractmethod
    def id_of(self, message: Message) -> str:
        """Return the id under which the program keeps a message."""

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

    def spoil(self, chance: Random) -> None:
        """Let something go wrong with one of the next calls: a post mostly."""
        fault = chance.choice(self.spoils)
        self._planned.append((fault, self._plan(fault, chance)))

    def forget_plans(self) -> None:
        """Let nothing go wrong any more."""
        self._plans().clear()

    @abstractmethod
    def trouble(self, trouble: str, chance: Random, old: Sequence[Message]) -> None:
        """Let something go wrong with how messages come, where the bot listens; `old` were said a day ago."""

    def faults(self) -> Counter[str]:
        """Return how often each thing has gone wrong: what was planned, and was met."""
        return Counter(fault for fault, plan in self._planned if not plan.left) + self._troubles_met()

    @abstractmethod
    def listener_died(self) -> None:
        """The process that listened is dead: nobody takes its session up again."""

    def signs(self) -> Counter[str]:
        """Return how often each sign of a turn's progress has been seen so far."""
        calls = self.server.calls
        for call in calls[self._looked_at :]:
            if sign := self._sign_of(call):
                self._signs[sign] += 1
                self._unanswered += [call] if sign == POSTING else []
        self._looked_at = len(calls)
        waiting = [call for call in self._unanswered if call.status is None]
        self._signs[POSTED] += len(self._unanswered) - len(waiting)
        self._unanswered = waiting
        return self._signs

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

    @abstractmethod
    def changed(self) -> None:
        """Say that something has changed which somebody may wait for."""

    @abstractmethod
    def _plan(self, fault: str, chance: Random) -> Plan: ...

    @abstractmethod
    def _plans(self) -> MutableSequence[Plan]: ...

    @abstractmethod
    def _sign_of(self, call: Call) -> str | None: ...

    @abstractmethod
    def _troubles_met(self) -> Counter[str]: ...
