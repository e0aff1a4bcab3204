"""How many posts of a club's members that give something away are told to their writers, and how many innocent ones.

    python -m benchmarks.watch [--all] [--talk]

Over the labelled posts of fixtures/watch: first the half that the watch was built on, then the half that was held out
until it was. Those on the practice books stay out where these are missing. Nobody who has read no further than their
thread is ever told anything; how many of them gave something away is said for itself. With `--all` every post is shown
with its signal, else what was told wrongly alone. `--talk` looks besides at what members of clubs say about other
books (fixtures/listening), as if it were said in a thread about each book that is there, by somebody further.
"""

import asyncio
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.labelled import PRACTICE, ROOT, SAMPLE, throwaway_house
from bot.wiring import Application
from core.club.watch.watching import said_openly
from core.domain.book import Book
from core.domain.verdict import Signal

_POSTS = ROOT / "fixtures" / "watch" / "messages.jsonl"
_TALK = ROOT / "fixtures" / "listening" / "threads.jsonl"
_HALVES = {"written-on": "built on", "held-out": "held out"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What a member posts who has read to `own_page`, in a thread at `page`.

    `reveals` is the page on which the book first tells what it gives away, None where it gives nothing away.
    """

    id: str
    half: str
    book: str
    page: int
    own_page: int
    reveals: int | None
    text: str

    @property
    def is_further(self) -> bool:
        """Whether its writer has read further than the thread."""
        return self.own_page > self.page


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A post, and what was certain about it."""

    post: Post
    signal: Signal | None


def read_posts() -> list[Post]:
    """Return the labelled posts."""
    return [Post(**json.loads(line)) for line in _POSTS.read_text(encoding="utf-8").splitlines()]


async def look(posts: Sequence[Post]) -> list[Looked]:
    """Look at the posts on those books that are there, as a club's watch does."""
    async with throwaway_house() as house:
        books = {name: await _imported(house, name) for name in sorted({post.book for post in posts})}
        looked = []
        for post in posts:
            book, signal = books[post.book], None
            if book is not None and post.is_further:
                signal = await house.guard.gives_away(
                    said_openly(post.text), book=book, position=post.page, own_page=post.own_page
                )
            if book is not None:
                looked.append(Looked(post=post, signal=signal))
        return looked


def figures(looked: Sequence[Looked]) -> list[str]:
    """Return the figures of some posts, a line each."""
    leaks = [each for each in looked if each.post.reveals is not None and each.post.is_further]
    innocent = [each for each in looked if each.post.reveals is None]
    others = [each for each in looked if each.post.reveals is not None and not each.post.is_further]
    return [
        f"  give something away: {_told(leaks)}",
        f"  innocent:            {_told(innocent)}",
        f"  give something away, by members who are no further: {_told(others)}",
    ]


def _told(looked: Sequence[Looked]) -> str:
    by_signal = Counter(each.signal for each in looked if each.signal is not None)
    parts = ", ".join(f"{signal} {by_signal[signal]}" for signal in Signal if by_signal[signal])
    return f"{by_signal.total()} of {len(looked)} told{f' ({parts})' if parts else ''}"


async def look_at_talk() -> tuple[int, list[str]]:
    """Return how many lines about other books were looked at, and those that were told."""
    drawn, looked, told = random.Random(3), 0, []
    threads = [json.loads(line) for line in _TALK.read_text(encoding="utf-8").splitlines()]
    lines = [(thread["book"], line["text"]) for thread in threads for line in thread["lines"] if line["by"] != "bot"]
    async with throwaway_house() as house:
        for name in [SAMPLE.name, *sorted(path.name for path in PRACTICE.glob("*"))]:
            book = await _imported(house, name)
            if book is None:
                continue
            its_own = "short-weight" if name == SAMPLE.name else name
            for text in [text for about, text in lines if its_own not in about]:
                page = drawn.randrange(1, book.pages // 2)
                for own_page in (page + (book.pages - page) // 2, book.pages):
                    looked += 1
                    said = said_openly(text)
                    if await house.guard.gives_away(said, book=book, position=page, own_page=own_page) is not None:
                        told.append(f"{name} p. {page}, read to p. {own_page}: {text}")
    return looked, told


async def _imported(house: Application, name: str) -> Book | None:
    folder = SAMPLE if name == SAMPLE.name else PRACTICE / name
    text = next((path for one in ("novel.txt", "book.txt") if (path := folder / one).is_file()), None)
    if text is None:
        return None
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    imported = await house.library.add(text, scope="local", title=meta["title"], author=meta["author"])
    return imported.book


def main(arguments: Sequence[str]) -> int:
    looked = asyncio.run(look(read_posts()))
    for half, name in _HALVES.items():
        here = [each for each in looked if each.post.half == half]
        print(
            f"{name}, {len(here)} posts on {len({each.post.book for each in here})} book(s)", *figures(here), sep="\n"
        )
    for each in looked:
        is_wrong = each.signal is not None and each.post.reveals is None
        if is_wrong or "--all" in arguments:
            what = "WRONG" if is_wrong else "leak " if each.post.reveals is not None else "     "
            print(f"{what} {each.post.id} {each.signal or '-':5} {' / '.join(each.post.text.splitlines())}")
    if "--talk" in arguments:
        count, told = asyncio.run(look_at_talk())
        print(f"talk about other books: {len(told)} of {count} told", *told, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
