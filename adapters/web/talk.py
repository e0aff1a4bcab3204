"""The talk as the browser shows it: entries with their outcomes, and the tabs that get every change."""

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
_MOST_QUEUED: Final = 500
"""A tab that is this many events behind is disconnected; it reconnects and reloads."""


class PartKind(StrEnum):
    """The kinds of parts: an answer, a public line, a private text, a refusal."""

    ANSWER = "answer"
    LINE = "line"
    PRIVATE = "private"
    REFUSAL = "refusal"


class Where(StrEnum):
    """The page of the site on which something was said or pressed, and is answered."""

    TALK = "talk"
    BOOKS = "books"


@dataclass(slots=True, kw_only=True)
class EntryPart:
    """Markdown with its footer and buttons; hidden from a reader who has read less than `reaches`."""

    kind: PartKind
    text: str
    reaches: int
    footer: str = ""
    choices: tuple[Choice, ...] = ()


@dataclass(slots=True, kw_only=True)
class TalkEntry:
    """A line said at a page ("" for a move or a button), with its states and parts.

    The parts of a `pair` are shown side by side. `reading_id` is the reading that it is about.
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
        """Whether the line is hidden: it was said at a later page than the current one."""
        return self.asked_at > (position or 0)

    def seen(self, position: Position) -> list[EntryPart]:
        """Return the parts that may be seen at a position."""
        return [part for part in self.parts if part.reaches <= (position or 0)]

    def put_away(self, position: Position) -> int:
        """Return the page up to which the hidden parts tell; 0 if none are hidden."""
        return max((part.reaches for part in self.parts if part.reaches > (position or 0)), default=0)

    def reach(self) -> frozenset[int]:
        """Return the pages from which on more of it is seen."""
        return frozenset({self.asked_at, *(part.reaches for part in self.parts)})


class Talk:
    """The entries in order, held in memory; `epoch` distinguishes one process from the next."""

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
        """Return a new entry, not yet added to the talk."""
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
        """Add an entry; the oldest is dropped if there are too many."""
        self._entries[entry.entry_id] = entry

    def drop(self, entry: TalkEntry) -> None:
        """Remove an entry."""
        if self._entries.pop(entry.entry_id, None) is not None:
            self.publish("gone", {"id": entry.entry_id})

    def get(self, entry_id: str) -> TalkEntry | None:
        """Return an entry, or None."""
        return self._entries.get(entry_id)

    def about(self, reading_id: str | None, where: Where = Where.TALK) -> list[TalkEntry]:
        """Return the entries about a reading, latest last."""
        return [one for one in self._entries.values() if (one.reading_id, one.where) == (reading_id, where)]

    def everything(self, where: Where) -> list[TalkEntry]:
        """Return the entries of one page of the site."""
        return [one for one in self._entries.values() if one.where is where]

    def across(self, low: int, high: int) -> list[TalkEntry]:
        """Return the entries that show more at `high` than at `low`."""
        return [one for one in self._entries.values() if any(low < page <= high for page in one.reach())]

    def publish(self, event: str, data: Mapping[str, object]) -> None:
        """Send an event to all tabs, and disconnect tabs that are too far behind."""
        self.version += 1
        for tab in list(self._tabs):
            if tab.qsize() >= _MOST_QUEUED:
                self._tabs.discard(tab)
                tab.put_nowait(None)
            else:
                tab.put_nowait((event, {**data, "version": self.version}))

    @contextmanager
    def tab(self) -> Iterator[asyncio.Queue[tuple[str, Mapping[str, object]] | None]]:
        """Register a tab while the block runs; the queue ends with None."""
        queue: asyncio.Queue[tuple[str, Mapping[str, object]] | None] = asyncio.Queue()
        if self._is_closed:
            queue.put_nowait(None)
        self._tabs.add(queue)
        try:
            yield queue
        finally:
            self._tabs.discard(queue)

    async def events(self, *, pause: float) -> AsyncIterator[tuple[str, Mapping[str, object]] | None]:
        """Yield events, and None after each `pause` seconds without one."""
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
        """End the streams of all tabs."""
        self._is_closed = True
        for tab in self._tabs:
            tab.put_nowait(None)
