"""Own CPU time of a turn on Discord, beside a bare discord.py bot that echoes: at most 12 ms more, with any number of
threads.

Run it with `python -m benchmarks.discord_turn`. Discord is another process on loopback, so that its work is not
counted; it also tells how long after a message its first reaction and its answer came in. Nothing is embedded and the
model answers from a script (one search, then a sentence), so that what is left is the house's own.
"""

import asyncio
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import discord

import bot.wiring
from adapters.discord.client import ThusfarClient
from adapters.discord.services import DiscordOptions
from bot.serving import discord_services
from bot.settings import Embeddings, Provider, Settings
from core.app.threads import Thread
from core.domain.chat_event import ToolInvocationEvent, ToolResultEvent, TurnAnsweredEvent
from core.domain.conversation import Author
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.ports.chat_provider import ChatProvider
from tests.adapters.discord.answering import ScriptedAnswers
from tests.servers.discord.pointing import pointed_at
from tests.servers.discord.world import Channel, Message
from tests.servers.discord_server import DiscordServer

GOAL_MS = 12.0
GROWTH = 1.25
_THREADS = (1, 50)
_TURNS = 150
_SAMPLE = Path(__file__).resolve().parents[1] / "fixtures" / "sample" / "novel.txt"
_QUESTIONS = ("Who is Hallam?", "What is the weighbridge?", "Who lives at Garsby?", "What was found in the office?")
_ANSWER = "Ralph Hallam is the Surveyor and Engineer at Garsby (p. 10)."
_EVENTS = (
    ToolInvocationEvent(tool_name="search_book", arguments={}),
    ToolResultEvent(query="", result_count=1, results=[]),
    TurnAnsweredEvent(),
)
_PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the other process's Discord is, and the club in it."""

    url: str
    api_base: str
    gateway_url: str
    token: str
    guild_id: int
    channel_id: int


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
        call = ToolInvocation(
            tool_name="search_book", arguments={"query": messages[-1].content}, invocation_id=f"call-{id(messages)}"
        )
        return ChatResponse(tool_invocations=(call,))

    async def close(self) -> None:
        """Nothing is open."""


def main() -> int:
    """Print the figures; return 1 where a goal is missed."""
    parent, child = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(child,), daemon=True)
    server.start()
    missed = asyncio.run(_measure(parent))
    server.terminate()
    return int(missed)


async def _measure(pipe: Connection) -> bool:
    place: Place = await asyncio.to_thread(pipe.recv)
    found: dict[tuple[str, int], Figures] = {}
    bots: dict[str, Callable[[], AbstractAsyncContextManager[object]]] = {
        "echo": lambda: _echo(place),
        "the adapter alone": lambda: _thusfar(place, answers=ScriptedAnswers(_ANSWER, events=_EVENTS)),
        "quoting": lambda: _thusfar(place),
        "scripted model": lambda: _thusfar(place, model=ScriptedModel()),
    }
    with pointed_at(place):
        for name, start in bots.items():
            async with start():
                await _talk(pipe, 1, 20)
                for threads in _THREADS:
                    found[name, threads] = figures = await _talk(pipe, threads, _TURNS)
                    print(f"{name}, {threads} thread{'s' * (threads > 1)}: {figures}")
    few, many = _THREADS
    above = {threads: found["scripted model", threads].cpu - found["echo", threads].cpu for threads in _THREADS}
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


class EchoBot(discord.Client):
    """The least that a bot can do."""

    def __init__(self) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, message_content=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=0.1,
        )

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot and message.type is discord.MessageType.default:
            await message.reply(message.content)


@asynccontextmanager
async def _echo(place: Place) -> AsyncIterator[object]:
    client = EchoBot()
    async with _running(client, place.token, client.wait_until_ready):
        yield client


@asynccontextmanager
async def _thusfar(
    place: Place, *, model: ScriptedModel | None = None, answers: ScriptedAnswers | None = None
) -> AsyncIterator[object]:
    with tempfile.TemporaryDirectory() as home:
        chosen = vars(bot.wiring)["chat_provider"]
        vars(bot.wiring)["chat_provider"] = lambda _: model
        settings = Settings(thusfar_home=Path(home), THUSFAR_EMBEDDINGS=Embeddings.NONE, THUSFAR_PROVIDER=Provider.NONE)
        house = bot.wiring.build(settings)
        vars(bot.wiring)["chat_provider"] = chosen
        thread = Thread(scope=f"discord:{place.guild_id}", place=str(place.channel_id), thread="")
        book = (await house.library.add(_SAMPLE, scope=thread.scope)).book
        reading = await house.threads.use(thread, book_id=book.book_id)
        organiser = Author(member_id="discord:1", display_name="Olga")
        await house.positions.set(reading, text="40", member=organiser, confirmed=True)
        options = DiscordOptions(token=place.token, api_base=place.api_base, gateway_url=place.gateway_url)
        services = discord_services(house)
        services = services if answers is None else answers.instead_of(services)
        client = ThusfarClient(services, options, guild_ready_timeout=0.1)
        async with _running(client, place.token, client.caught_up):
            yield client
            await client.finish(within=5)
        await house.close()


@asynccontextmanager
async def _running(client: discord.Client, token: str, ready: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    await client.login(token)
    task = asyncio.create_task(client.connect())
    await asyncio.wait_for(ready(), _PATIENCE_S)
    yield
    await client.close()
    await asyncio.wait([task])


def _spread(milliseconds: Sequence[float]) -> str:
    ordered = sorted(milliseconds)
    return f"{statistics.median(ordered):.0f} ms (p95 {ordered[int(len(ordered) * 0.95)]:.0f})"


# The other process.


def _serve(pipe: Connection) -> None:
    asyncio.run(_discord(pipe))


async def _discord(pipe: Connection) -> None:
    async with DiscordServer() as server:
        club = server.add_club()
        threads = [
            server.create_thread(club.channel, server.bot, f"Thread {number}") for number in range(max(_THREADS))
        ]
        pipe.send(
            Place(
                url=server.url,
                api_base=server.api_base,
                gateway_url=server.gateway_url,
                token=server.token,
                guild_id=club.guild.id,
                channel_id=club.channel.id,
            )
        )
        while True:
            count, turns = await asyncio.to_thread(pipe.recv)
            pipe.send(await _conversations(server, threads[:count], club.ada, turns))


async def _conversations(
    server: DiscordServer, threads: Sequence[Channel], author: object, turns: int
) -> tuple[list[float], list[float]]:
    """Each thread asks its next question when the one before was answered."""
    server.calls.clear()
    reactions: list[float] = []
    answers: list[float] = []

    async def converse(thread: Channel, questions: Sequence[str]) -> None:
        for question in questions:
            began = time.monotonic()
            asked = server.say(thread, author, question)  # type: ignore[arg-type]
            await server.wait_for(lambda: _answered(asked), within=_PATIENCE_S)  # noqa: B023
            answers.append((time.monotonic() - began) * 1e3)
            first = next((call.at for call in server.calls if _is_reaction_to(call.path, asked)), None)
            if first is not None:
                reactions.append((first - began) * 1e3)

    asked = [_QUESTIONS[number % len(_QUESTIONS)] for number in range(turns // len(threads))]
    await asyncio.gather(*(converse(thread, asked) for thread in threads))
    return reactions, answers


def _answered(asked: Message) -> bool:
    return any(one.reply_to is asked for one in reversed(asked.channel.messages.values()))


def _is_reaction_to(path: str, message: Message) -> bool:
    return f"/messages/{message.id}/reactions/" in path


if __name__ == "__main__":
    sys.exit(main())
