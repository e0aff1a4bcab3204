"""Several processes on one database, and one that is killed in the middle of an import."""

import asyncio
import multiprocessing
import sqlite3
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

from core.domain.conversation import Turn
from core.domain.errors import StorageError
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.ports.turn_record import BegunTurn
from tests.adapters.persistence.shelves import Store, processes, store
from tests.bot.running import thusfar
from tests.builders import ADA
from tests.tiny_minilm import make_tiny_minilm

_ROOT = Path(__file__).resolve().parents[3]
_EACH = 10


def _talk(url: str, barrier: Barrier, results: "multiprocessing.SimpleQueue[object]") -> None:
    async def begin(opened: Store, text: str) -> Turn:
        thread = Thread(scope="local", place="p", thread="one")
        asked = IncomingMessage(thread=thread, author=ADA, text=text)
        begun: object = None
        while begun is None:
            with suppress(StorageError):  # others may hold the lock for seconds; a platform retries, too
                begun = await opened.record.begin(asked, now=datetime.now(UTC), latest=9)
        assert isinstance(begun, BegunTurn)
        assert begun.turn is not None
        return begun.turn

    async def main() -> list[tuple[str, int]]:
        opened = store(url)
        barrier.wait(timeout=60)
        turns = await asyncio.gather(*(begin(opened, f"{n}?") for n in range(_EACH)))
        opened.database.close()
        return [(turn.conversation_id, turn.turn_number) for turn in turns]

    results.put(asyncio.run(main()))


async def test_two_processes_share_one_conversation_and_never_a_turn_number(shelf: Store, shelf_url: str) -> None:
    book = await shelf.add(["one"])
    reading = await shelf.readings.get_or_create(scope="local", place="p", book_id=book.book_id)
    await shelf.readings.move(reading, 1, member_id="m")
    context = processes()
    results, barrier = context.SimpleQueue(), context.Barrier(2)
    talkers = [context.Process(target=_talk, args=(shelf_url, barrier, results)) for _ in range(2)]
    for talker in talkers:
        talker.start()
    begun = [turn for _ in talkers for turn in await asyncio.to_thread(results.get)]
    for talker in talkers:
        talker.join(timeout=60)
    assert len({conversation for conversation, _ in begun}) == 1
    assert sorted(number for _, number in begun) == list(range(1, 2 * _EACH + 1))


_IMPORT_THAT_STOPS = """
import sys
from pathlib import Path

import bot.cli
from adapters.persistence.{module} import {name}

whole = {name}.{method}
calls = 0

async def stop(self, *args, **kwargs):
    global calls
    calls += 1
    if calls > {after}:
        print("READY", flush=True)
        sys.stdin.read()
    return await whole(self, *args, **kwargs)

{name}.{method} = stop
sys.argv = ["thusfar", "books", "add", sys.argv[1]]
bot.cli.main()
"""
_IN_THE_TRANSACTION = """
import sys
import bot.cli
from adapters.persistence import books

whole = books.insert_contents

def stop(*args):
    whole(*args)
    print("READY", flush=True)
    sys.stdin.read()

books.insert_contents = stop
sys.argv = ["thusfar", "books", "add", sys.argv[1]]
bot.cli.main()
"""


def _killed_once_ready(script: str, book: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(book)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "READY\n"
    process.kill()
    process.communicate(timeout=30)


def _long_book(folder: Path) -> Path:
    path = folder / "long.txt"
    path.write_text("\f".join(f"Page {n}. " + "The sea was grey and cold. " * 60 for n in range(1, 101)), "utf-8")
    return path


def test_an_import_killed_before_the_commit_leaves_nothing(own_home: Path, tmp_path: Path) -> None:
    book = _long_book(tmp_path)
    _killed_once_ready(_IN_THE_TRANSACTION, book)
    assert _counts(own_home) == {"book": 0, "page": 0, "chunk": 0, "chunk_vector": 0}
    thusfar("books", "add", str(book))
    assert thusfar("books", "list", "--json").json[0]["status"] == "complete"


def test_an_import_killed_while_embedding_is_searchable_and_can_be_finished(own_home: Path, tmp_path: Path) -> None:
    book = _long_book(tmp_path)
    make_tiny_minilm(tmp_path / "minilm", [book.read_text("utf-8")])
    script = _IMPORT_THAT_STOPS.format(module="vectors", name="SqlVectorRepository", method="save", after=1)
    _killed_once_ready(script, book)
    counts = _counts(own_home)
    assert (counts["book"], counts["page"]) == (1, 100)
    assert 0 < counts["chunk_vector"] < counts["chunk"]
    assert thusfar("books", "list", "--json").json[0]["status"] == "searchable"
    found = thusfar("search", "sea", "--book", "long", "--page", "100", "--top-k", "1000", "--json").json
    assert len(found) == counts["chunk"]
    assert thusfar("books", "reindex", "--wait", "--json").json[0]["status"] == "complete"
    assert _counts(own_home)["chunk_vector"] == 2 * counts["chunk"]  # the built-in vectors and MiniLM's


def _counts(home: Path) -> dict[str, int]:
    connection = sqlite3.connect(home / "thusfar.db")
    tables = ("book", "page", "chunk", "chunk_vector")
    counts = {
        name: int(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0])  # noqa: S608 (a table's name)
        for name in tables
    }
    connection.close()
    return counts
