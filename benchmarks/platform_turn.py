"""What the measurements of a turn on a platform share: the talk, the house, the figures, the goals.

The platform is another process on loopback, so that its work is not counted; it also tells how long after a message
its first reaction and its answer came in. Nothing is embedded and the model answers from a script (one search, then a
sentence), so that what is left is the house's own.
"""

import asyncio
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Generic, TypeVar

import bot.wiring
from bot.settings import Embeddings, Provider, Settings
from core.domain.chat_event import ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent
from core.domain.conversation import Author
from core.domain.thread import Thread
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.ports.chat_provider import ChatProvider
from tests.adapters.answering import ScriptedAnswers

GOAL_MS = 12.0
GROWTH = 1.25
THREADS = (1, 50)
PATIENCE_S = 120.0
_TURNS = 150
_SAMPLE = Path(__file__).resolve().parents[1] / "fixtures" / "sample" / "novel.txt"
_QUESTIONS = ("Who is Hallam?", "What is the weighbridge?", "Who lives at Garsby?", "What was found in the office?")
_ANSWER = "Ralph Hallam is the Surveyor and Engineer at Garsby (p. 10)."
_EVENTS = (
    ToolInvocationEvent(tool_name="search_book", arguments={}),
    ToolResultEvent(query="", result_count=1, results=[]),
    TurnAnsweredEvent(),
)

Asked = TypeVar("Asked")
Place = TypeVar("Place")
Bots = Mapping[str, Callable[[], AbstractAsyncContextManager[object]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One run: CPU ms a turn, and when the first reaction and the answer came in, in ms."""

    cpu: float
    reactions: Sequence[float]
    answers: Sequence[float]

    def __str__(self) -> str:
        line = f"{self.cpu:6.2f} ms CPU a turn; answer after {_spread(self.answers)}"
        return line + (f", first reaction after {_spread(self.reactions)}" if self.reactions else "")


class ScriptedModel(ChatProvider):
    """Searches once, then says a sentence."""

    name = "scripted"
    model = "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return ChatResponse(text=_ANSWER)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        if messages[-1].role == "tool_result":
            return await self.chat(messages, options)
        # The question alone: the passages that go along with it stand before it.
        query = messages[-1].content.rpartition("\n\n")[2]
        call = ToolInvocation(tool_name="search_book", arguments={"query": query}, invocation_id=f"call-{id(messages)}")
        return ChatResponse(tool_invocations=(call,))

    async def close(self) -> None:
        """Nothing is open."""


def scripted_answers() -> ScriptedAnswers:
    """A core that costs nothing, for the adapter alone."""
    return ScriptedAnswers(_ANSWER, events=_EVENTS)


@asynccontextmanager
async def house_reading_the_sample(
    thread: Thread, *, model: ScriptedModel | None = None
) -> AsyncIterator[bot.wiring.Application]:
    """A wired house whose club in this place has read the sample up to page 40."""
    with tempfile.TemporaryDirectory() as home:
        chosen = vars(bot.wiring)["chat_provider"]
        vars(bot.wiring)["chat_provider"] = lambda _: model
        settings = Settings(
            thusfar_home=Path(home),
            THUSFAR_EMBEDDINGS=Embeddings.NONE,
            THUSFAR_PROVIDER=Provider.NONE,
            THUSFAR_QUESTIONS_A_MINUTE=1_000_000,  # one member asks them all, and a refusal costs next to nothing
        )
        house = bot.wiring.build(settings)
        vars(bot.wiring)["chat_provider"] = chosen
        book = (await house.library.add(_SAMPLE, scope=thread.scope)).book
        reading = await house.threads.use(thread, book_id=book.book_id)
        organiser = Author(member_id="platform:1", display_name="Olga")
        await house.positions.set(reading, text="40", member=organiser, confirmed=True)
        yield house
        await house.close()


def compare(serve: Callable[[Connection], None], bots: Callable[[Place], Bots]) -> bool:
    """Print the figures of each bot beside the first, a bare echo; return whether a goal is missed.

    `serve` runs the platform in another process: it sends the place first, then waits for how many threads and turns.
    """
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(child,), daemon=True)
    server.start()
    missed = asyncio.run(_measure(parent, bots))
    server.terminate()
    return missed


async def _measure(pipe: Connection, bots: Callable[[Place], Bots]) -> bool:
    place: Place = await asyncio.to_thread(pipe.recv)
    found: dict[tuple[str, int], Figures] = {}
    for name, start in bots(place).items():
        async with start():
            await _talk(pipe, 1, 20)
            for threads in THREADS:
                found[name, threads] = figures = await _talk(pipe, threads, _TURNS)
                print(f"{name}, {threads} thread{'s' * (threads > 1)}: {figures}")
    few, many = THREADS
    above = {threads: found["scripted model", threads].cpu - found["echo", threads].cpu for threads in THREADS}
    growth = found["scripted model", many].cpu / found["scripted model", few].cpu
    print(f"above the echo: {above[few]:.1f} ms with {few}, {above[many]:.1f} ms with {many} (goal {GOAL_MS})")
    print(f"growth from {few} to {many} threads: {growth:.2f} (goal {GROWTH})")
    return max(above.values()) > GOAL_MS or growth > GROWTH


async def _talk(pipe: Connection, threads: int, turns: int) -> Figures:
    """Let people talk; count this process's CPU until every reaction and answer is there."""
    began = time.process_time()
    await asyncio.to_thread(pipe.send, (threads, turns))
    reactions, answers = await asyncio.to_thread(pipe.recv)
    cpu = time.process_time() - began
    return Figures(cpu=cpu / len(answers) * 1e3, reactions=reactions, answers=answers)


def _spread(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    return f"{statistics.median(ordered):.0f} ms (p95 {ordered[int(len(ordered) * 0.95)]:.0f})"


# The other process.


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk(Generic[Place, Asked]):
    """How one talks in a thread of the platform, and how one sees what the bot does (times by `time.monotonic`)."""

    say: Callable[[Place, str], Asked]
    answered: Callable[[Asked], Awaitable[object]]
    first_reaction: Callable[[Asked], float | None]


async def converse(pipe: Connection, threads: Sequence[Place], talk: Talk[Place, Asked]) -> None:
    """Talk whenever it is asked for over the pipe: a thread asks its next question when the one before was answered."""
    while True:
        count, turns = await asyncio.to_thread(pipe.recv)
        reactions: list[float] = []
        answers: list[float] = []

        async def ask(thread: Place, questions: Sequence[str]) -> None:
            for question in questions:
                began = time.monotonic()
                asked = talk.say(thread, question)
                await talk.answered(asked)
                answers.append((time.monotonic() - began) * 1e3)  # noqa: B023
                first = talk.first_reaction(asked)
                if first is not None:
                    reactions.append((first - began) * 1e3)  # noqa: B023

        questions = [_QUESTIONS[number % len(_QUESTIONS)] for number in range(turns // count)]
        await asyncio.gather(*(ask(thread, questions) for thread in threads[:count]))
        await asyncio.to_thread(pipe.send, (reactions, answers))
