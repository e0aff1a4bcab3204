"""A campaign: questions are asked while the program that answers them is killed again and again, at any moment."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import GIVEN_UP, describe
from tests.bot.running import environment
from tests.chaos.crew import Crew
from tests.chaos.killing import Blow, Killer, Kills
from tests.chaos.model import ANSWERS, FaultyModel
from tests.chaos.rows import twice_in_the_history, undone
from tests.chaos.scenes import Message, Scene

_BOOK = (
    "CHAPTER I\n\nThe lighthouse keeper lit the lamp.\fThe storm broke the window of the tower.\f"
    "CHAPTER II\n\nThe keeper's daughter rowed out to the wreck."
)
_FAILURES = (GIVEN_UP, *(describe(LLMError(code, "")) for code in LLMErrorCode))
_MOST_CALLS = 7
"""A turn makes about as many: what is asked after so many of them falls on any moment of it."""
_SPOILED = 0.15
_TROUBLED = 0.15
_START_UPS = 0.2
"""So many of the kills strike a process that is starting."""
_SETTINGS = {
    "THUSFAR_QUESTIONS_A_MINUTE": "100000",
    "THUSFAR_TURN_SECONDS": "5",
}
"""A model that hangs is given up after so many seconds, that a campaign be short."""
_MOST_WAITING = 40
"""So many questions stand unanswered at most when the next is asked: else a slow machine would do nothing but start."""
_WAITS_S = 60.0
_LOOK_S = 1.0
_NOTHING_NEW_S = 60.0
"""Longer than whatever may stand still between two calls: a start, a lease, a pause that a platform asks for."""
_NOTHING_DONE_S = 600.0
"""Longer than an answer takes on a machine that is busy with other things."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is asked, and how often the program is killed; the same seed makes the same campaign.

    With `workers`, one process listens and so many answer, and a kill hits any one of them, whose work another takes
    over after `lease` seconds; `database` is the address of the database that they share, without one it is SQLite in
    the home. A process that `stalls` is stopped (SIGSTOP) and goes on later. With `restarts` the database goes away: it
    lets nobody in for some seconds, and the whole server on this machine `crashes` and recovers half of the time where
    it is nobody else's; SQLite's file is locked.
    """

    seed: int
    questions: int
    kills: int
    workers: int = 0
    database: str | None = None
    lease: int = 20
    stalls: int = 0
    restarts: int = 0
    crashes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What went wrong, by kind; how many failures were told, and how many of them since the program died of them.

    `kills` tells where they fell, and `faults` how often the model, the platform and its deliveries failed, each of
    which is 0 where it never came to that. `details` say where: of a thread out of order, in which order its questions
    were answered; what is not done; and what the processes had to say.
    """

    problems: Counter[str]
    failed: int
    given_up: int
    kills: Kills
    faults: dict[str, int]
    details: list[str]


async def run(scene: Scene, plan: Plan, home: Path) -> Result:
    """Run a campaign in a home of its own."""
    more = _SETTINGS | {"THUSFAR_HOME": str(home)}
    if plan.database is not None:
        more["DATABASE_URL"] = plan.database
    database = plan.database or f"sqlite:///{home / 'thusfar.db'}"
    await _make_club(scene, home, plan.database)
    asked: list[Message] = []
    async with FaultyModel(Random(plan.seed + 1), scene.changed) as model:
        env = environment(**scene.settings(), **model.settings(), **more)
        crew = Crew(env, workers=plan.workers, lease=plan.lease, log=home / "log")
        try:
            chance = Random(plan.seed)
            killer = Killer(
                scene, model, crew, database=database, lease=plan.lease, crashes=plan.crashes, chance=chance
            )
            await _ask_all(scene, plan, asked, killer, chance)
            await _all_done(scene, asked)
            await _all_noted(database)
            log = await asyncio.to_thread(crew.stop)
        finally:
            crew.close()
        problems, details = _problems(scene, asked, database)
        said = [answer for answers in scene.answers(asked) for answer in answers]
        met = scene.faults() + model.faults
        return Result(
            problems=problems,
            failed=sum(answer.startswith(_FAILURES) for answer in said),
            given_up=said.count(GIVEN_UP),
            kills=killer.kills,
            faults={fault: met[fault] for fault in (*model.possible, *scene.spoils, *scene.troubles)},
            details=[*details, *(log.splitlines() if problems else ())],
        )


async def _ask_all(scene: Scene, plan: Plan, asked: list[Message], killer: Killer, chance: Random) -> None:
    """Ask what was said a day ago and comes only now, then all else, with kills in between."""

    def ask(at: datetime | None = None) -> Message:
        asked.append(scene.ask(chance.choice(list(ANSWERS)), chance, at=at))
        return asked[-1]

    await scene.connected()
    yesterday = datetime.now(UTC) - timedelta(days=1)
    for _ in range(min(10, max(1, plan.questions // 20))):
        ask(yesterday)
    await _all_done(scene, asked)
    old = list(asked)
    at_start = int(plan.kills * _START_UPS)
    blows = [Blow.KILL] * (plan.kills - at_start) + [Blow.STALL] * plan.stalls + [Blow.RESTART] * plan.restarts
    struck = chance.sample(range(len(old), plan.questions), len(blows))
    blow_at, followed = dict(zip(struck, blows, strict=True)), set(struck[:at_start])
    waiting: list[Message] = []
    for number in range(len(old), plan.questions):
        if chance.random() < _SPOILED:
            scene.spoil(chance)
        if chance.random() < _TROUBLED:
            scene.trouble(chance.choice(scene.troubles), chance, old)
        waiting = await _few(scene, [*waiting, asked[-1]])
        calls, waits = chance.randrange(_MOST_CALLS), chance.random() < 0.5
        if number not in blow_at:
            ask()
            await _calls_come(scene, calls if waits else 0, within=1)
            continue
        await killer.at_work(ask, asked, blow=blow_at[number])
        if number in followed:
            await killer.at_start(asked)
    scene.forget_plans()


async def _few(scene: Scene, waiting: list[Message]) -> list[Message]:
    """Return what is not done of these; where that is much, wait a while till it is less."""
    clock = asyncio.get_running_loop()
    until = clock.time() + _WAITS_S
    while len(waiting) > _MOST_WAITING and clock.time() < until:
        waiting = _unanswered(scene, waiting)
        if len(waiting) > _MOST_WAITING:
            await _calls_come(scene, _MOST_CALLS, within=_LOOK_S)
    return waiting


async def _calls_come(scene: Scene, count: int, *, within: float) -> None:
    """Wait until so many more calls have come in, or for so many seconds: there may be nothing left to do."""
    with suppress(AssertionError, TimeoutError):
        await asyncio.wait_for(scene.calls_come(count), within)


async def _make_club(scene: Scene, home: Path, database: str | None) -> None:
    application = build(Settings(thusfar_home=home, DATABASE_URL=database))
    path = home / "small.txt"
    path.write_text(_BOOK, encoding="utf-8")
    olga = Author(member_id="local:1", display_name="Olga")
    places = scene.places()
    book = (await application.library.add(path, scope=places[0].scope, title="Small")).book
    for place in places:
        await application.threads.use(place, book_id=book.book_id)
        await application.clubs().positions.set(
            await application.threads.club(place), text="3", member=olga, confirmed=True
        )
    await application.close()


async def _all_done(scene: Scene, asked: list[Message]) -> None:
    """Wait until all are done, or nothing more happens: what is not there is told by the result.

    Whatever calls the platform goes on, however slowly: what counts is that it does, and that something comes of it.
    """
    clock = asyncio.get_running_loop()
    waiting, calls = _unanswered(scene, asked), scene.calls()
    called = done = clock.time()
    while waiting and clock.time() < min(called + _NOTHING_NEW_S, done + _NOTHING_DONE_S):
        await _calls_come(scene, len(waiting), within=_LOOK_S)
        before, calls_before = len(waiting), calls
        waiting, calls = _unanswered(scene, waiting), scene.calls()
        called = clock.time() if calls > calls_before else called
        done = clock.time() if len(waiting) < before else done


async def _all_noted(database: str) -> None:
    """Wait until nothing is left to do: of what a killed worker had posted that is noted when its lease has run out."""
    for _ in range(int(_NOTHING_NEW_S / _LOOK_S)):
        if not await asyncio.to_thread(undone, database):
            return
        await asyncio.sleep(_LOOK_S)


def _unanswered(scene: Scene, messages: list[Message]) -> list[Message]:
    answers = scene.answers(messages)
    return [
        one
        for one, said in zip(messages, answers, strict=True)
        if not (said and scene.of_note.issuperset(one.reactions))
    ]


def _problems(scene: Scene, asked: Sequence[Message], database: str) -> tuple[Counter[str], list[str]]:
    """Return how often what went wrong, and where."""
    problems: Counter[str] = Counter()
    details: list[str] = []
    for message, answers in zip(asked, scene.answers(asked), strict=True):
        shown = message.reactions
        has_failed = any(answer.startswith(_FAILURES) for answer in answers)
        found = {
            "lost": not answers,
            "answered more than once": len(answers) > 1,
            "a reaction for good": not scene.of_note.issuperset(shown),
            "a reaction that lies": (scene.failed in shown) != has_failed and bool(answers),
        }
        problems.update(kind for kind, is_so in found.items() if is_so)
        if any(found.values()):
            details.append(f"{scene.id_of(message)} {[kind for kind in found if found[kind]]} {answers} {dict(shown)}")
    out_of_order = scene.out_of_order()
    left = undone(database)
    problems["out of order"] += len(out_of_order)
    problems["undone"] += len(left)
    problems["twice in the history"] += twice_in_the_history(database)
    return +problems, [*details, *out_of_order, *(f"undone: {key} {row}" for key, row in left.items())]
