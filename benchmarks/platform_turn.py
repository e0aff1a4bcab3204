"""What the measurements of a turn on a platform share: the talk, the houses, the figures, the goals.

The platform is another process on loopback, so that its work is not counted; it also tells what was posted, and how
long after a message its first reaction and its answer came in. Measured are a bare echo, the adapter over a core that
costs nothing, and the wired house on two books: the sample, without embeddings, and 600 pages of novels with the
settings as they are by default (left out where the novels are not). Each house quotes, then answers by a scripted
model that searches for the question once more, then by one that makes two searches of its own. Every answer must have
been posted as it was given: a refusal costs next to nothing, and ends the benchmark.

As under `thusfar serve`, what is loaded once is out of the garbage collector's sight before the measured turns.
"""

import argparse
import asyncio
import gc
import multiprocessing
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import cycle, islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, Generic, TypeVar

from adapters.platform.services import PlatformServices
from benchmarks.labelled import PRACTICE
from benchmarks.scripted_model import ScriptedModel
from benchmarks.turn_books import TurnBook, long_book, plain_words, runs_of, sample
from bot.platforms import platform_services
from bot.settings import Embeddings, Provider, Settings
from bot.wiring import Application, build
from core.answering.ask import AskRequest
from core.domain.chat_event import ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent
from core.domain.conversation import Author
from core.domain.thread import Thread
from core.ports.chat_provider import ChatProvider
from tests.adapters.answering import ScriptedAnswers

GOAL_MS: Final = 12.0
TWO_SEARCHES_GOAL_MS: Final = 20.0
GROWTH: Final = 1.25
THREADS: Final = (1, 50)
PATIENCE_S: Final = 120.0
_TURNS, _WARM_UP = 150, 20
_ANSWER: Final = "Ralph Hallam is the Surveyor and Engineer at Garsby (p. 10)."
_EVENTS = (
    ToolInvocationEvent(tool_name="search_book", arguments={}),
    ToolResultEvent(query="", result_count=1, results=[]),
    TurnAnsweredEvent(),
)
_ORGANISER = Author(member_id="platform:1", display_name="Olga")
BY_DEFAULT: Final[Embeddings] = Settings.model_fields["embeddings"].default

Asked = TypeVar("Asked")
Place = TypeVar("Place")
Starting = AbstractAsyncContextManager[object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(Generic[Place]):
    """A platform to measure on.

    Args:
        serve: runs it in another process: sends the place over the pipe, then talks (`converse`).
        echo: starts the least that a bot can do.
        thusfar: starts the adapter over some services.
        club: where in core the place's club is.
    """

    serve: Callable[[Connection], None]
    echo: Callable[[Place], Starting]
    thusfar: Callable[[Place, PlatformServices], Starting]
    club: Callable[[Place], Thread]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A bot to measure: how it starts, what it is asked, what counts as its answer, and its goal above the echo."""

    name: str
    start: Callable[[], Starting]
    questions: Sequence[str]
    answered: Callable[[str, str], bool]
    goal: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One question on the platform: what was posted, and how many ms after it the first reaction and that came in."""

    question: str
    posted: str
    milliseconds: float
    reacted: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One run: CPU ms a turn, and what was answered."""

    cpu: float
    answers: Sequence[Answered]

    def __str__(self) -> str:
        reactions = [one.reacted for one in self.answers if one.reacted is not None]
        told = f"{_spread([one.milliseconds for one in self.answers]):>16}"
        return f"{told}{_spread(reactions) if reactions else '-':>16}"


def compare(platform: Platform[Place]) -> bool:
    """Print the figures of each bot beside a bare echo; return whether a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--books", type=Path, default=PRACTICE, help="the folder of the practice books")
    practice = parser.parse_args().books
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=platform.serve, args=(child,), daemon=True)
    server.start()
    try:
        return asyncio.run(_measure(platform, parent, practice))
    finally:
        server.terminate()


async def _measure(platform: Platform[Place], pipe: Connection, practice: Path) -> bool:
    place: Place = await asyncio.to_thread(pipe.recv)
    print(f"{'':36}{'threads':>8}{'ms CPU':>8}{'above echo':>12}{'goal':>6}{'answer (p95)':>16}{'reaction (p95)':>16}")
    echo: Mapping[int, float] = {}
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        async for bot in _bots(platform, place, practice, Path(folder)):
            found = await _measured(bot, pipe, echo)
            echo = echo or found
            missed |= _misses(bot, found, echo)
    return missed


async def _measured(bot: Bot, pipe: Connection, echo: Mapping[int, float]) -> Mapping[int, float]:
    """Print a bot's figures; return its CPU a turn for each number of threads."""
    found: dict[int, float] = {}
    goal = "" if bot.goal is None else f"{bot.goal:g}"
    async with bot.start():
        await _talk(pipe, bot, 1, _WARM_UP)
        gc.collect()
        gc.freeze()
        for threads in THREADS:
            figures = await _talk(pipe, bot, threads, _TURNS)
            found[threads] = figures.cpu
            above = figures.cpu - echo.get(threads, figures.cpu)
            print(f"{bot.name:36}{threads:8}{figures.cpu:8.1f}{above:12.1f}{goal:>6}{figures}", flush=True)
    gc.unfreeze()
    return found


def _misses(bot: Bot, found: Mapping[int, float], echo: Mapping[int, float]) -> bool:
    if bot.goal is None:
        return False
    few, many = (found[threads] for threads in THREADS)
    if many > GROWTH * few:
        print(f"  grows by {many / few:.2f} with the threads (goal {GROWTH})")
        return True
    return any(found[threads] - echo[threads] > bot.goal for threads in THREADS)


async def _bots(platform: Platform[Place], place: Place, practice: Path, folder: Path) -> AsyncIterator[Bot]:
    """Yield the bots one after the other, the echo first; a book's home is made when its first bot comes."""
    novel, club = sample(), platform.club(place)
    yield Bot(
        name="echo",
        start=lambda: platform.echo(place),
        questions=novel.questions,
        answered=lambda question, posted: _holds(posted, question),
    )
    home, novel = await home_with(novel, club, folder, Embeddings.NONE)
    scripted = ScriptedAnswers(_ANSWER, events=_EVENTS)
    async with wired(home, Embeddings.NONE) as house:
        services = scripted.instead_of(platform_services(house))
        yield Bot(
            name="the adapter alone",
            start=lambda: platform.thusfar(place, services),
            questions=novel.questions,
            answered=lambda _, posted: _holds(posted, _ANSWER),
        )
    for bot in _on_book(platform, place, novel, home, Embeddings.NONE):
        yield bot
    novels = long_book(practice)
    if novels is None:
        print(f"left out: {practice} has no novels for a long book")
        return
    home, novels = await home_with(novels, club, folder, BY_DEFAULT)
    for bot in _on_book(platform, place, novels, home, BY_DEFAULT):
        yield bot


def _on_book(
    platform: Platform[Place], place: Place, book: TurnBook, home: Path, embeddings: Embeddings
) -> Iterator[Bot]:
    """Yield the bots that answer about one book."""

    @asynccontextmanager
    async def start(model: ChatProvider | None) -> AsyncIterator[object]:
        async with wired(home, embeddings, model) as house, platform.thusfar(place, platform_services(house)) as bot:
            yield bot

    runs = book.runs()
    yield Bot(
        name=f"{book.name}: quoting",
        start=lambda: start(None),
        questions=book.questions,
        answered=lambda _, posted: not runs.isdisjoint(runs_of(posted)),
        goal=GOAL_MS,
    )
    for name, searches, goal in (
        ("scripted model", ["{question}"], GOAL_MS),
        ("two searches by a model", ["in the book: {question}", "what is told of {question}"], TWO_SEARCHES_GOAL_MS),
    ):
        model = ScriptedModel(book.questions, searches=searches)
        yield Bot(
            name=f"{book.name}: {name}",
            start=lambda model=model: start(model),  # type: ignore[misc]
            questions=book.questions,
            answered=lambda question, posted, model=model: any(  # type: ignore[misc]
                _holds(posted, said) for said in model.said[question]
            ),
            goal=goal,
        )


async def home_with(book: TurnBook, club: Thread, folder: Path, embeddings: Embeddings) -> tuple[Path, TurnBook]:
    """Return a home in which the club of a place has read a book up to its position, and the book.

    Of its questions those stay that are answered there without a model; where that is not even half, it exits.
    """
    home = folder / f"home of {book.name}"
    runs, answered = book.runs(), []
    async with wired(home, embeddings, copied=False) as house:
        imported = (await house.library.add(book.write(folder), scope=club.scope)).book
        await house.threads.use(club, book_id=imported.book_id)
        await house.clubs().positions.set(
            await house.threads.club(club), text=str(book.position), member=_ORGANISER, confirmed=True
        )
        for question in book.questions:
            request = AskRequest(question=question, book_id=imported.book_id, page=book.position)
            if not runs.isdisjoint(runs_of((await house.ask.execute(request)).text)):
                answered.append(question)
    told = f"{len(answered)} of {len(book.questions)} questions are answered without a model"
    if 2 * len(answered) < len(book.questions):
        sys.exit(f"{book.name}: only {told}")
    print(f"{book.name}: {len(book.pages)} pages, {book.position} of them read; {told}", flush=True)
    return home, replace(book, questions=answered)


@asynccontextmanager
async def wired(
    home: Path, embeddings: Embeddings, model: ChatProvider | None = None, *, copied: bool = True
) -> AsyncIterator[Application]:
    """A wired house over a copy of a home, with a model of ours in place of the settings'."""
    with tempfile.TemporaryDirectory() as folder:
        used = Path(folder) / "home" if copied else home
        if copied:
            await asyncio.to_thread(shutil.copytree, home, used)
        settings = Settings(
            thusfar_home=used,
            THUSFAR_PROVIDER=Provider.NONE,
            THUSFAR_EMBEDDINGS=embeddings,
            THUSFAR_QUESTIONS_A_MINUTE=1_000_000,  # one member asks them all, and a refusal costs next to nothing
        )
        house = build(settings, answers_with=model)
        try:
            yield house
        finally:
            await house.close()


async def _talk(pipe: Connection, bot: Bot, threads: int, turns: int) -> Figures:
    """Let people talk; count this process's CPU until every reaction and answer is there, and look at the answers."""
    questions = [*islice(cycle(bot.questions), turns)]
    began = time.process_time()
    await asyncio.to_thread(pipe.send, (threads, questions))
    answers: Sequence[Answered] = await asyncio.to_thread(pipe.recv)
    cpu = time.process_time() - began
    for one in answers:
        if not bot.answered(one.question, one.posted):
            sys.exit(f"{bot.name}: {one.question!r} was not answered, but told {one.posted!r}")
    return Figures(cpu=cpu / len(answers) * 1e3, answers=answers)


def _holds(posted: str, said: str) -> bool:
    """Whether a text was posted whole, however the platform marks it up."""
    return " ".join(plain_words(said)) in " ".join(plain_words(posted))


def _spread(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    return f"{statistics.median(ordered):.0f} ms ({ordered[int(len(ordered) * 0.95)]:.0f})"


# The other process.


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk(Generic[Place, Asked]):
    """How one talks in a thread of the platform, and how one sees what the bot does (times by `time.monotonic`)."""

    say: Callable[[Place, str], Asked]
    answer: Callable[[Asked], Awaitable[str]]
    first_reaction: Callable[[Asked], float | None]


async def converse(pipe: Connection, threads: Sequence[Place], talk: Talk[Place, Asked]) -> None:
    """Talk whenever it is asked for over the pipe: a thread asks its next question when the one before was answered."""
    while True:
        count, questions = await asyncio.to_thread(pipe.recv)
        answers: list[Answered] = []

        async def ask(thread: Place, questions: Sequence[str]) -> None:
            for question in questions:
                began = time.monotonic()
                asked = talk.say(thread, question)
                posted = await talk.answer(asked)
                milliseconds = (time.monotonic() - began) * 1e3
                first = talk.first_reaction(asked)
                reacted = None if first is None else (first - began) * 1e3
                answers.append(  # noqa: B023
                    Answered(question=question, posted=posted, milliseconds=milliseconds, reacted=reacted)
                )

        await asyncio.gather(*(ask(thread, questions[at::count]) for at, thread in enumerate(threads[:count])))
        await asyncio.to_thread(pipe.send, answers)
