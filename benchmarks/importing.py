"""Importing a 600-page novel: seconds, peak memory, and the longest stall of the event loop meanwhile.

    python -m benchmarks.importing [FILE]

Without a file (of any kind) a text is made from the sample, repeated with other names and without its page breaks. A
page is imported first, since a bot that serves has its libraries loaded. A full collection of garbage stops the loop
for as long as it takes, so it is shown beside the stall. Goals: searchable in under 15 s on 2 cores, memory under 1 GB,
no stall above 100 ms.
"""

import asyncio
import gc
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.labelled import SAMPLE, throwaway_house

_PAGES = 600
_WORDS_A_PAGE = 300
_BEAT_S = 0.005


class _Collections:
    """Listens how long the collections of garbage take."""

    def __init__(self) -> None:
        self.longest = self._began = 0.0

    def __call__(self, phase: str, _facts: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._began = now
        else:
            self.longest = max(self.longest, now - self._began)


async def _longest_stall(stop: asyncio.Event) -> float:
    longest = 0.0
    while not stop.is_set():
        began = time.perf_counter()
        await asyncio.sleep(_BEAT_S)
        longest = max(longest, time.perf_counter() - began - _BEAT_S)
    return longest


async def _measure(path: Path) -> None:
    async with throwaway_house() as house:
        with tempfile.TemporaryDirectory() as folder:
            warm_up = Path(folder) / "one-page.txt"
            warm_up.write_text("The tide had gone out and left the boats on the mud.", encoding="utf-8")
            await house.library.add(warm_up, scope="local")
            gc.freeze()  # as `serve` does once all is loaded
        stop, collections = asyncio.Event(), _Collections()
        gc.callbacks.append(collections)
        watch = asyncio.create_task(_longest_stall(stop))
        began = time.perf_counter()
        imported = await house.library.add(path, scope="local", title="Long Novel")
        seconds = time.perf_counter() - began
        began = time.perf_counter()
        found = await house.search.execute(imported.book.book_id, "the weighbridge", position=imported.book.pages)
        first_search = time.perf_counter() - began
        stop.set()
        stall = await watch
        gc.callbacks.remove(collections)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{imported.book.pages} pages, {imported.book.chunks} chunks, {imported.book.status}")
        print(f"imported and embedded in  {seconds:6.2f} s (goal: under 15)")
        print(f"first search              {first_search:6.2f} s, {len(found)} passages")
        print(f"peak memory               {peak:6.0f} MB (goal: under 1000)")
        print(f"longest stall of the loop {stall * 1000:6.0f} ms (goal: under 100)")
        print(f"longest collection        {collections.longest * 1000:6.0f} ms")


def _long_novel() -> str:
    sample = (SAMPLE / "novel.txt").read_text(encoding="utf-8").replace("\f", "\n\n")
    wanted = _PAGES * _WORDS_A_PAGE
    copies = -(-wanted // len(sample.split()))
    return "\n\n".join(sample.replace("Tasker", f"Tasker{copy}") for copy in range(copies))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(sys.argv[1]) if sys.argv[1:] else Path(folder) / "long.txt"
        if not sys.argv[1:]:
            path.write_text(_long_novel(), encoding="utf-8")
        asyncio.run(_measure(path))


if __name__ == "__main__":
    main()
