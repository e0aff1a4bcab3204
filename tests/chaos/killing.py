"""Kills that fall where turns are: each waits for a sign of the stage that it aims at, and strikes a moment later."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Final

from core.domain.inbound import EventState
from tests.chaos.crew import Crew
from tests.chaos.databases import crash, go_away
from tests.chaos.model import FaultyModel
from tests.chaos.rows import Row, undone
from tests.chaos.scenes import Message, Scene
from tests.chaos.signs import MODEL_CALLED, SIGNS

START_UP: Final = "start-up"
RECEIVED: Final = "received"
_AIMS: Final = (RECEIVED, *SIGNS)
_NOTHING: Final = "nothing new"
_LONGEST_OFFSET_S: Final = 0.04
_LONGEST_START_S: Final = 0.4
_MOST_CALLS: Final = 10
"""A start makes about as many."""
_MOST_SIGNS: Final = 3
_LONGEST_AWAY_S: Final = 4.0
_STARTED_WITHIN_S: Final = 4.0
_SIGN_WITHIN_S: Final = 20.0
_MORE_WITHIN_S: Final = 0.5


class Blow(StrEnum):
    """What strikes at a moment of a turn."""

    KILL = "kill"
    STALL = "stall"
    RESTART = "restart of the database"


@dataclass(slots=True, kw_only=True)
class Kills:
    """What kills aimed at, how many of them met a turn in which stage, and how many turns each stage had then."""

    blows: Counter[str] = field(default_factory=Counter)
    aimed: Counter[str] = field(default_factory=Counter)
    in_vain: Counter[str] = field(default_factory=Counter)
    struck: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)


class Killer:
    """Kills at moments that come from chance.

    Args:
        scene: where signs are seen.
        model: likewise.
        crew: who is killed.
        database: the address of the rows, which tell where turns were.
        lease: after how many seconds others take over; a process stalls for up to twice as long.
        crashes: whether the database's server may be made to crash.
        chance: decides who, at which stage, and how long after its sign.
    """

    def __init__(
        self,
        scene: Scene,
        model: FaultyModel,
        crew: Crew,
        *,
        database: str,
        lease: int,
        crashes: bool,
        chance: Random,
    ) -> None:
        self.kills = Kills()
        self._scene = scene
        self._model = model
        self._crew = crew
        self._database = database
        self._longest_stall_s = 2 * lease
        self._crashes = crashes
        self._chance = chance
        self._before: Mapping[str, Row] = {}
        self._signs_at_start = 0

    async def at_work(self, ask: Callable[[], Message], asked: Sequence[Message], *, blow: Blow) -> None:
        """Ask once more, and strike where a turn is in a stage that chance chooses."""
        aim, count = self._chance.choice(_AIMS), self._chance.randint(1, _MOST_SIGNS)
        # Most come soon: what follows a sign, as the note that an answer stands there, is a matter of milliseconds.
        offset, number = _LONGEST_OFFSET_S * self._chance.random() ** 3, self._crew.choose(self._chance)
        if aim == RECEIVED:
            await self._come(lambda: self._signs().total() > self._signs_at_start, within=_STARTED_WITHIN_S)
            ask()
        else:
            seen = self._signs()[aim]
            ask()
            if not await self._come(lambda: self._signs()[aim] > seen, within=_SIGN_WITHIN_S):
                self.kills.in_vain[aim] += 1
            await self._come(lambda: self._signs()[aim] >= seen + count, within=_MORE_WITHIN_S)
        await self._strike(aim, number, offset, asked, blow)

    async def at_start(self, asked: Sequence[Message]) -> None:
        """Kill a process that has been started a moment ago."""
        calls, offset = self._chance.randrange(_MOST_CALLS), self._chance.uniform(0, _LONGEST_START_S)
        number, before = self._crew.choose(self._chance), self._scene.calls()
        await self._come(lambda: self._scene.calls() >= before + calls, within=_STARTED_WITHIN_S)
        await self._strike(START_UP, number, offset, asked, Blow.KILL)

    async def _strike(self, aim: str, number: int, offset: float, asked: Sequence[Message], blow: Blow) -> None:
        await asyncio.sleep(offset)  # the moment itself is what is tried
        model_calls = self._model.under_way
        match blow:
            case Blow.KILL:
                self._crew.kill(number)
                if self._crew.listens(number):
                    self._scene.listener_died()
            case Blow.STALL:
                self._crew.stall(number, seconds=self._chance.uniform(0, self._longest_stall_s))
            case Blow.RESTART:
                crashes, away = self._chance.choice([False, self._crashes]), self._chance.uniform(0, _LONGEST_AWAY_S)
                await asyncio.to_thread(crash if crashes else go_away, self._database, away=away)
        self.kills.blows[blow] += 1
        self.kills.aimed[aim] += 1
        stages = self._stages(asked, model_calls)
        self.kills.turns += stages
        self.kills.struck.update(stages.keys() or [_NOTHING])
        self._signs_at_start = self._signs().total()
        if blow is Blow.KILL:
            self._crew.start(number)

    def _stages(self, asked: Sequence[Message], model_calls: int) -> Counter[str]:
        """Return how many turns were in which stage, of those that have moved since the kill before."""
        rows = undone(self._database)
        moved = {key: row for key, row in rows.items() if self._before.get(key) != row}
        self._before = rows
        frozen = [
            one for one in asked if (row := moved.get(self._scene.id_of(one))) and row.state == EventState.ANSWERED
        ]
        standing = sum(bool(answers) for answers in self._scene.answers(frozen))
        states = Counter(row.state for row in moved.values())
        with_model = min(model_calls, states[EventState.BEGUN])
        return +Counter(
            {
                RECEIVED: states[EventState.RECEIVED],
                "begun": states[EventState.BEGUN] - with_model,
                MODEL_CALLED: with_model,
                "answer frozen": states[EventState.ANSWERED] - standing,
                "stands there, not noted as posted": standing,
                "posted, reactions to come": states[EventState.POSTED],
            }
        )

    def _signs(self) -> Counter[str]:
        return self._scene.signs() + self._model.signs

    async def _come(self, true: Callable[[], bool], *, within: float) -> bool:
        """Wait until it is true; False where that takes too long."""
        with suppress(AssertionError, TimeoutError):
            await asyncio.wait_for(self._scene.wait_for(true), within)
            return True
        return False
