"""A campaign: questions are asked while the program that answers them is killed again and again, at any moment."""

import asyncio
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sqlalchemy import create_engine, text

from bot.settings import Settings
from bot.wiring import build
from core.domain.conversation import Author
from core.domain.words import GIVEN_UP
from tests.bot.program import Program
from tests.bot.running import environment
from tests.chaos.scenes import Message, Scene

_BOOK = (
    "CHAPTER I\n\nThe lighthouse keeper lit the lamp.\fThe storm broke the window of the tower.\f"
    "CHAPTER II\n\nThe keeper's daughter rowed out to the wreck."
)
_QUESTIONS = ("Who lit the lamp?", "What broke the window?", "Who rowed out to the wreck?")
_UNDONE = "SELECT place, message_id, state, attempts, blame FROM inbound_event WHERE state <> 'done'"
_TWICE = (
    "SELECT count(*) FROM (SELECT turn_id FROM message WHERE role = 'assistant' GROUP BY turn_id HAVING count(*) > 1) "
    "AS answers"
)
_MOST_CALLS = 7
"""A turn makes about as many: a kill after so many of them falls on any moment of it."""
_SPOILED = 0.15
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
    the home.
    """

    seed: int
    questions: int
    kills: int
    workers: int = 0
    database: str | None = None
    lease: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What went wrong, by kind, and how many questions were given up since the program died of them, as it seems.

    `details` say where: of a thread out of order, in which order its questions were answered; what is not done; and
    what the processes had to say.
    """

    problems: Counter[str]
    given_up: int
    details: list[str]


async def run(scene: Scene, plan: Plan, home: Path) -> Result:
    """Run a campaign in a home of its own."""
    chance = Random(plan.seed)
    more = {"THUSFAR_HOME": str(home), "THUSFAR_EMBEDDINGS": "none", "THUSFAR_QUESTIONS_A_MINUTE": "100000"}
    if plan.database is not None:
        more["DATABASE_URL"] = plan.database
    await _make_club(scene, home, plan.database)
    deaths = set(chance.sample(range(plan.questions), plan.kills))
    asked: list[Message] = []
    crew = _Crew(environment(**scene.settings(), **more), plan, home / "log")
    try:
        await scene.connected()
        for number in range(plan.questions):
            asked.append(scene.ask(chance.choice(_QUESTIONS), chance))
            if chance.random() < _SPOILED:
                scene.spoil(chance)
            if number in deaths:
                # So many do not come where it is idle: then it is killed idle.
                with suppress(AssertionError, TimeoutError):
                    await asyncio.wait_for(scene.calls_come(chance.randrange(_MOST_CALLS)), 5)
                crew.kill(chance)
            elif chance.random() < 0.5:
                with suppress(AssertionError, TimeoutError):
                    await asyncio.wait_for(scene.calls_come(chance.randrange(_MOST_CALLS)), 1)
        scene.forget_plans()
        await _all_done(scene, asked)
        log = await asyncio.to_thread(crew.stop)
    finally:
        crew.close()
    return _result(scene, asked, plan.database or f"sqlite:///{home / 'thusfar.db'}", log)


class _Crew:
    """The processes that serve: one that does all, or one that listens and several that answer."""

    def __init__(self, env: dict[str, str], plan: Plan, log: Path) -> None:
        self._env = env
        self._log = log
        workers = [("work", "--lease", str(plan.lease))] * plan.workers
        self._words = [("serve", "--gateway"), *workers] if workers else [("serve",)]
        self._programs = [self._started(words) for words in self._words]

    def kill(self, chance: Random) -> None:
        """Kill one of them, and start another in its place."""
        number = chance.randrange(len(self._programs))
        self._programs[number].close()
        self._programs[number] = self._started(self._words[number])

    def stop(self) -> str:
        """Let all of them end, and return what they and those before them had to say."""
        for program in self._programs:
            program.send_signal(signal.SIGTERM)
        for program in self._programs:
            program.wait()
        return self._log.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """End what has not ended."""
        for program in self._programs:
            program.close()

    def _started(self, words: tuple[str, ...]) -> Program:
        """Start one whose log is a file: nobody reads a pipe meanwhile, and one that is full would hold it up."""
        with self._log.open("ab") as log:
            return Program(*words, env=self._env, stderr=log.fileno())


async def _make_club(scene: Scene, home: Path, database: str | None) -> None:
    application = build(Settings(thusfar_home=home, THUSFAR_EMBEDDINGS="none", DATABASE_URL=database))
    path = home / "small.txt"
    path.write_text(_BOOK, encoding="utf-8")
    place = scene.place()
    book = (await application.library.add(path, scope=place.scope, title="Small")).book
    reading = await application.threads.use(place, book_id=book.book_id)
    await application.positions.set(
        reading, text="3", member=Author(member_id="local:1", display_name="Olga"), confirmed=True
    )
    await application.close()


async def _all_done(scene: Scene, asked: list[Message]) -> None:
    """Wait until all are done, or nothing more happens: what is not there is told by the result.

    Whatever calls the platform goes on, however slowly: what counts is that it does, and that something comes of it.
    """
    clock = asyncio.get_running_loop()
    undone, calls = _undone(scene, asked), scene.calls()
    called = done = clock.time()
    while undone and clock.time() < min(called + _NOTHING_NEW_S, done + _NOTHING_DONE_S):
        with suppress(AssertionError, TimeoutError):
            await asyncio.wait_for(scene.calls_come(len(undone)), _LOOK_S)
        before, calls_before = len(undone), calls
        undone, calls = _undone(scene, undone), scene.calls()
        called = clock.time() if calls > calls_before else called
        done = clock.time() if len(undone) < before else done


def _undone(scene: Scene, messages: list[Message]) -> list[Message]:
    answers = scene.answers(messages)
    return [
        one
        for one, said in zip(messages, answers, strict=True)
        if not (said and scene.of_note.issuperset(one.reactions))
    ]


def _result(scene: Scene, asked: list[Message], database: str, log: str) -> Result:
    problems: Counter[str] = Counter()
    given_up = 0
    for message, answers in zip(asked, scene.answers(asked), strict=True):
        shown = message.reactions
        is_given_up = GIVEN_UP in answers
        given_up += is_given_up
        problems["lost"] += not answers
        problems["answered more than once"] += len(answers) > 1
        problems["a reaction for good"] += not scene.of_note.issuperset(shown)
        problems["a reaction that lies"] += (scene.failed in shown) != is_given_up and bool(answers)
    out_of_order = scene.out_of_order()
    problems["out of order"] += len(out_of_order)
    engine = create_engine(database)
    with engine.connect() as connection:
        undone = connection.execute(text(_UNDONE)).all()
        twice = connection.execute(text(_TWICE)).scalar_one()
    engine.dispose()
    problems["undone"] += len(undone)
    problems["twice in the history"] += twice
    details = [*out_of_order, *(f"undone: {one}" for one in undone)]
    return Result(problems=+problems, given_up=given_up, details=[*details, *(log.splitlines() if +problems else ())])
