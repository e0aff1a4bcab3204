"""What one mention on Discord passes through, without a model: files of the product, units of work, thread hops.

    python -m benchmarks.mention [--files]

A member mentions the bot in a channel whose club reads the sample, where it opens a thread to answer in, and then in
that thread. Discord is a server on loopback, the house is wired with the settings as they are by default, and has
answered before, so that nothing is counted that happens once. A file counts where one of its functions was called; a
unit of work is a transaction, or a statement outside any; a hop is work that was handed to another thread. The goals
are those of a mention in a thread: to open one takes one unit more, a look at the place for the thread's title. That a
mention is done is noted as the next is taken in, or with the look that the house takes at its inbox every five seconds,
which is left out here. Returns 1 where a goal is missed.
"""

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry, Pool

from adapters.platform.retry import RetryPolicy
from benchmarks.discord_turn import club_at, place_of, thusfar_at
from benchmarks.labelled import ROOT
from benchmarks.platform_turn import BY_DEFAULT, home_with, wired
from benchmarks.turn_books import runs_of, sample
from bot.platforms import platform_services
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.discord.world import Channel, Message, Person

MOST_FILES, MOST_UNITS, MOST_HOPS = 45, 5, 6
_PRODUCT: Final = tuple(f"{ROOT / package}/" for package in ("adapters", "bot", "core"))
_QUIET_S, _LONGEST_S = 0.5, 10.0
_WRITES: Final = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "REPLACE")
_ENDS: Final = ("COMMIT", "ROLLBACK")


@dataclass(slots=True, kw_only=True)
class Passed:
    """What was counted while it was `on`."""

    on: bool = False
    functions: set[CodeType] = field(default_factory=set)
    reads: int = 0
    writes: int = 0
    statements: int = 0
    hops: int = 0

    def start(self) -> None:
        """Begin to count."""
        self.on = True

    def stop(self) -> "Passed":
        """Return what was counted, and begin anew, without counting."""
        counted = replace(self, on=False)
        self.on, self.functions, self.reads, self.writes, self.statements, self.hops = False, set(), 0, 0, 0, 0
        return counted

    def files(self) -> list[str]:
        """Return the product's files whose functions were called."""
        paths = {code.co_filename for code in self.functions if code.co_name != "<module>"}
        return sorted(str(Path(path).relative_to(ROOT)) for path in paths if path.startswith(_PRODUCT))

    def called(self, frame: FrameType, kind: str, _: object) -> None:
        """Hear of a call, as `sys.setprofile` tells it."""
        if self.on and kind == "call":
            self.functions.add(frame.f_code)


def main() -> int:
    """Print the counts; return 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--files", action="store_true", help="list the files")
    listed = parser.parse_args().files
    passed = Passed()
    with _counted(passed):
        opening, inside = asyncio.run(_mentions(passed))
    missed = [_told("that opens a thread", opening, listed=listed, units=MOST_UNITS + 1)]
    missed.append(_told("in a thread", inside, listed=listed, units=MOST_UNITS))
    return int(any(missed))


def _told(which: str, passed: Passed, *, listed: bool, units: int) -> bool:
    """Print what a mention passed through; return whether a goal is missed."""
    files, taken = passed.files(), passed.reads + passed.writes
    print(f"a mention {which}")
    if listed:
        print(*(f"  {file}" for file in files), sep="\n")
    print(f"  files         {len(files):4}  (goal {MOST_FILES})")
    told = f"{passed.reads} read, {passed.writes} write; {passed.statements} statements"
    print(f"  units of work {taken:4}  (goal {units}); {told}")
    print(f"  thread hops   {passed.hops:4}  (goal {MOST_HOPS})")
    return len(files) > MOST_FILES or taken > units or passed.hops > MOST_HOPS


async def _mentions(passed: Passed) -> tuple[Passed, Passed]:
    """Return what a mention that opens a thread passed through, and one in that thread."""
    novel = sample()
    async with DiscordServer() as server:
        club = server.add_club()
        place = place_of(server, club)
        with tempfile.TemporaryDirectory() as folder:
            home, novel = await home_with(novel, club_at(place), Path(folder), BY_DEFAULT)
            retry = RetryPolicy(look=3600.0)
            async with wired(home, BY_DEFAULT) as house, thusfar_at(place, platform_services(house), retry):

                async def answered(question: str, person: Person, where: Channel) -> tuple[Passed, Channel]:
                    passed.start()
                    asked = server.say(where, person, f"{server.bot.mention} {question}")
                    said = await server.wait_for(lambda: _answer_to(server, asked))
                    await _quiet(passed)
                    if novel.runs().isdisjoint(runs_of(said.content)):
                        sys.exit(f"{question!r} was not answered, but told {said.content!r}")
                    return passed.stop(), said.channel

                *before, third, fourth = novel.questions[:5]
                for question in before:
                    _, thread = await answered(question, club.ben, club.channel)
                    await answered(question, club.ben, thread)
                opening, thread = await answered(third, club.ada, club.channel)
                inside, _ = await answered(fourth, club.ada, thread)
                return opening, inside


def _answer_to(server: DiscordServer, asked: Message) -> Message | None:
    """Return the answer: in the thread that was opened for the message, or where that stands."""
    answers = server.by_bot(asked.thread) if asked.thread else server.replies_to(asked)
    return next(iter(answers), None)


async def _quiet(passed: Passed) -> None:
    """Wait until the house has done nothing new for a while; what happens after an answer belongs to it."""
    before = -1
    for _ in range(int(_LONGEST_S / _QUIET_S)):
        if before == (before := passed.statements + passed.hops + len(passed.functions)):
            return
        await asyncio.sleep(_QUIET_S)


@contextmanager
def _counted(passed: Passed) -> Iterator[None]:
    """Count in all threads that begin from now on, and in all connections to SQLite that are opened."""
    submit = ThreadPoolExecutor.submit

    def connected(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        if isinstance(connection, sqlite3.Connection):
            connection.set_trace_callback(_units_of_one(passed))

    def submitted(
        self: ThreadPoolExecutor, work: Callable[..., object], /, *arguments: object, **options: object
    ) -> Future[object]:
        passed.hops += passed.on and _is_of_the_product(sys._getframe())  # noqa: SLF001 (its documented name)
        return submit(self, work, *arguments, **options)

    event.listen(Pool, "connect", connected)
    setattr(ThreadPoolExecutor, "submit", submitted)  # noqa: B010 (mypy takes no method in another's place)
    threading.setprofile(passed.called)
    sys.setprofile(passed.called)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        event.remove(Pool, "connect", connected)
        setattr(ThreadPoolExecutor, "submit", submit)  # noqa: B010


def _units_of_one(passed: Passed) -> Callable[[str], None]:
    """Return what hears each statement of one connection."""
    inside = False

    def heard(statement: str) -> None:
        nonlocal inside
        words = statement.lstrip().upper()
        begins = words.startswith("BEGIN")
        ends = words.startswith(_ENDS)
        if passed.on and not ends and not words.startswith("PRAGMA"):
            writes = words.startswith(_WRITES)
            passed.writes += writes and not inside
            passed.reads += not writes and not inside
            passed.statements += not begins
        inside = (inside or begins) and not ends

    return heard


def _is_of_the_product(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith(_PRODUCT):
            return True
        frame = frame.f_back
    return False


if __name__ == "__main__":
    sys.exit(main())
