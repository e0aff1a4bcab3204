"""A campaign: questions are asked while the program that answers them is killed again and again, at any moment."""

import asyncio
import signal
import sqlite3
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

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
_MOST_CALLS = 7
"""A turn makes about as many: a kill after so many of them falls on any moment of it."""
_SPOILED = 0.15
_ALL_ANSWERED_S = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much is asked, and how often the program is killed; the same seed makes the same campaign."""

    seed: int
    questions: int
    kills: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What went wrong, by kind, and how many questions were given up since the program died of them, as it seems.

    `details` say where: of a thread out of order, in which order its questions were answered; what is not done; and
    what the last process had to say.
    """

    problems: Counter[str]
    given_up: int
    details: list[str]


async def run(scene: Scene, plan: Plan, home: Path) -> Result:
    """Run a campaign in a home of its own."""
    chance = Random(plan.seed)
    await _make_club(scene, home)
    deaths = set(chance.sample(range(plan.questions), plan.kills))
    asked: list[Message] = []
    program = _start(scene, home)
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
                program.close()
                program = _start(scene, home)
            elif chance.random() < 0.5:
                with suppress(AssertionError, TimeoutError):
                    await asyncio.wait_for(scene.calls_come(chance.randrange(_MOST_CALLS)), 1)
        scene.forget_plans()
        with suppress(AssertionError):  # what is not there is told below
            await scene.wait_for(lambda: all(_is_done(scene, one) for one in asked), within=_ALL_ANSWERED_S)
        program.send_signal(signal.SIGTERM)
        last = await asyncio.to_thread(program.ran)
    finally:
        program.close()
    return _result(scene, asked, home, last.err)


def _start(scene: Scene, home: Path) -> Program:
    more = {"THUSFAR_HOME": str(home), "THUSFAR_EMBEDDINGS": "none", "THUSFAR_QUESTIONS_A_MINUTE": "100000"}
    return Program("serve", env=environment(**scene.settings(), **more))


async def _make_club(scene: Scene, home: Path) -> None:
    application = build(Settings(thusfar_home=home, THUSFAR_EMBEDDINGS="none"))
    path = home / "small.txt"
    path.write_text(_BOOK, encoding="utf-8")
    place = scene.place()
    book = (await application.library.add(path, scope=place.scope, title="Small")).book
    reading = await application.threads.use(place, book_id=book.book_id)
    await application.positions.set(
        reading, text="3", member=Author(member_id="local:1", display_name="Olga"), confirmed=True
    )
    await application.close()


def _is_done(scene: Scene, message: Message) -> bool:
    return bool(scene.answers_to(message)) and scene.of_note.issuperset(message.reactions)


def _result(scene: Scene, asked: list[Message], home: Path, log: str) -> Result:
    problems: Counter[str] = Counter()
    given_up = 0
    for message in asked:
        answers, shown = scene.answers_to(message), message.reactions
        is_given_up = GIVEN_UP in answers
        given_up += is_given_up
        problems["lost"] += not answers
        problems["answered more than once"] += len(answers) > 1
        problems["a reaction for good"] += not scene.of_note.issuperset(shown)
        problems["a reaction that lies"] += (scene.failed in shown) != is_given_up and bool(answers)
    out_of_order = scene.out_of_order()
    problems["out of order"] += len(out_of_order)
    with closing(sqlite3.connect(home / "thusfar.db")) as connection:
        undone = connection.execute(
            "SELECT place, message_id, state, attempts, blame FROM inbound_event WHERE state <> 'done'"
        ).fetchall()
        (twice,) = connection.execute(
            "SELECT count(*) FROM (SELECT turn_id FROM message WHERE role = 'assistant' GROUP BY turn_id "
            "HAVING count(*) > 1)"
        ).fetchone()
    problems["undone"] += len(undone)
    problems["twice in the history"] += twice
    details = [*out_of_order, *(f"undone: {one}" for one in undone)]
    return Result(problems=+problems, given_up=given_up, details=[*details, *(log.splitlines() if +problems else ())])
