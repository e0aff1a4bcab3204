"""The talk as the browser shows it: what was said and what came of it, and the tabs that are told of every change."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from cachetools import FIFOCache

from core.club.commands.values import Choice
from core.domain.position import Position

_MOST_ENTRIES: Final = 200
_MOST_BEHIND: Final = 500
"""A tab that takes nothing for so many events is let go; it comes back and looks again."""


class PartKind(StrEnum):
    """What a part of an entry is: an answer, a line that all would read, what is for one alone, a refusal."""

    ANSWER = "answer"
    LINE = "line"
    PRIVATE = "private"
    REFUSAL = "refusal"


class Where(StrEnum):
    """The page on which something was said or pressed, and is answered."""

    TALK = "talk"
    BOOKS = "books"


@dataclass(slots=True, kw_only=True)
class EntryPart:
    """Markdown with what stands under it; a reader who has read less than to `reaches` does not see it."""

    kind: PartKind
    text: str
    reaches: int
    footer: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(slots=True, kw_only=True)
class TalkEntry:
    """What was said at a page (nothing, where something was moved or pressed), its states so far, what came of it.

    A `pair` stands side by side. `reading_id` is what it was said about.
    """

    entry_id: str
    said: str
    asked_at: int
    reading_id: str | None
    where: Where = Where.TALK
    is_pair: bool = False
    states: list[str] = field(default_factory=list)
    parts: list[EntryPart] = field(default_factory=list)

    def is_hidden(self, position: Position) -> bool:
        """Whether what was said is put away: it was said further on than one stands now."""
        return self.asked_at > (position or 0)

    def seen(self, position: Position) -> list[EntryPart]:
        """Return the parts that may be seen at a position."""
        return [part for part in self.parts if part.reaches <= (position or 0)]

    def put_away(self, position: Position) -> int:
        """Return the page up to which the parts tell that are put away; 0 where none are."""
        return max((part.reaches for part in self.parts if part.reaches > (position or 0)), default=0)

    def reach(self) -> frozenset[int]:
        """Return the pages from which on something more of it is seen."""
        return frozenset({self.asked_at, *(part.reaches for part in self.parts)})


class Talk:
    """Entries in their order, held in memory; `epoch` tells one process from the next."""

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        self.version = 0
        self._entries: FIFOCache[str, TalkEntry] = FIFOCache(maxsize=_MOST_ENTRIES)
        self._made = 0
        self._tabs: set[asyncio.Queue[tuple[str, Mapping[str, object]] | None]] = set()
        self._is_closed = False

    def entry(
        self, *, said: str, asked_at: int, reading_id: str | None, where: Where, is_pair: bool = False
    ) -> TalkEntry:
        """Return a new entry, which is not in the talk yet."""
        self._made += 1
        return TalkEntry(
            entry_id=f"{self.epoch}-{self._made}",
            said=said,
            asked_at=asked_at,
            reading_id=reading_id,
            where=where,
            is_pair=is_pair,
        )

    def add(self, entry: TalkEntry) -> None:
        """Take an entry into the talk; the oldest one is forgotten where there are too many."""
        self._entries[entry.entry_id] = entry

    def drop(self, entry: TalkEntry) -> None:
        """Take an entry away."""
        if self._entries.pop(entry.entry_id, None) is not None:
            self.publish("gone", {"id": entry.entry_id})

    def get(self, entry_id: str) -> TalkEntry | None:
        """Return an entry; None where it is not there any more."""
        return self._entries.get(entry_id)

    def about(self, reading_id: str | None, where: Where = Where.TALK) -> list[TalkEntry]:
        """Return the entries about a reading, the latest last."""
        return [one for one in self._entries.values() if (one.reading_id, one.where) == (reading_id, where)]

    def everything(self, where: Where) -> list[TalkEntry]:
        """Return the entries of one page, whatever they are about."""
        return [one for one in self._entries.values() if one.where is where]

    def across(self, low: int, high: int) -> list[TalkEntry]:
        """Return the entries of which something is seen from `high` on that is not seen at `low`."""
        return [one for one in self._entries.values() if any(low < page <= high for page in one.reach())]

    def publish(self, event: str, data: Mapping[str, object]) -> None:
        """Tell all tabs; one that has long taken nothing is let go."""
        self.version += 1
        for tab in list(self._tabs):
            if tab.qsize() >= _MOST_BEHIND:
                self._tabs.discard(tab)
                tab.put_nowait(None)
            else:
                tab.put_nowait((event, {**data, "version": self.version}))

    @contextmanager
    def tab(self) -> Iterator[asyncio.Queue[tuple[str, Mapping[str, object]] | None]]:
        """Listen while the block runs; None says that there is nothing more to come."""
        queue: asyncio.Queue[tuple[str, Mapping[str, object]] | None] = asyncio.Queue()
        if self._is_closed:
            queue.put_nowait(None)
        self._tabs.add(queue)
        try:
            yield queue
        finally:
            self._tabs.discard(queue)

    async def events(self, *, pause: float) -> AsyncIterator[tuple[str, Mapping[str, object]] | None]:
        """Yield what happens, and None after each `pause` in which nothing did."""
        with self.tab() as queue:
            yield "hello", {"epoch": self.epoch, "version": self.version}
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), pause)
                except TimeoutError:
                    yield None
                    continue
                if event is None:
                    return
                yield event

    def close(self) -> None:
        """Tell all tabs that the end has come."""
        self._is_closed = True
        for tab in self._tabs:
            tab.put_nowait(None)
