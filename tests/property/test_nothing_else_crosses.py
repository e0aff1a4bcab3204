"""Nothing crosses from one club to another but, where two read as one, the book, the page and the schedule (ADR 45).

Every command is used in one club of four over one home, in some of its forms, and questions are asked in it. After
each, every row of every table that belongs to another club is compared with what it was; what the other clubs are shown
is searched for the words and the names of whoever spoke.
"""

import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_asyncio
from sqlalchemy import select
from sqlmodel import Session, SQLModel

from adapters.persistence.club_links import SqlClubLinks
from bot.settings import Settings
from bot.wiring import Application, build
from core.club.commands.values import CommandRequest, CommandResponse
from core.club.timers.due import DueMessage, ServedPlatform
from core.domain.club_link import Code, new_secret
from core.domain.conversation import Author
from core.domain.errors import ThusfarError
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from tests.adapters.platforms import LIGHTHOUSE

Row = Mapping[str, Any]
Rows = dict[tuple[str, str], Row]
"""The rows of one club, by their table and key."""

_OURS = Thread(scope="discord:1", place="7", thread="")
_LINKED = Thread(scope="slack:T1", place="C1", thread="")
_NEXT_DOOR = Thread(scope="discord:1", place="8", thread="")
_AWAY = Thread(scope="slack:T2", place="C2", thread="")
_CLUBS = (_OURS, _LINKED, _NEXT_DOOR, _AWAY)
_WORD = "xylograph"
_MEMBERS = (
    Author(member_id="discord:90471180", display_name="Quillon"),
    Author(member_id="discord:90471281", display_name="Wyverna"),
)
_THEM = Author(member_id="slack:0815", display_name="Bea")
_TELLTALE = (_WORD, "90471180", "90471281", "Quillon", "Wyverna", "t-ours", "role-ours")
"""What gives our club away wherever it stands; the numbers are too long to stand by chance in a time or an id."""
_USES = 54
_TRIED = 2_700
_OTHER = LIGHTHOUSE.replace("Marrable", "Osbert").replace("lighthouse", "windmill")

_TYPED: dict[str, Sequence[str]] = {
    "setpage": ("1", "2", "3", "end", "0", "reset", "undo", "ch 1 done"),
    "mypage": ("2", "4", "reset"),
    "ask": (f"Who is {_WORD}?", "Who lit the lamp?"),
    "who": ("Marrable", _WORD),
    "cast": ("", f"{_WORD} = Marrable", "lamp = Marrable"),
    "recap": ("", "ch 1", "since", "here"),
    "discuss": ("", "add Why does Marrable mend it?", f"add Why {_WORD}?"),
    "later": ("", f"Who is {_WORD}?"),
    "quote": ("storm broke the window of the tower", "rowed out to the wreck and found", "weekly on"),
    "predict": (f"The {_WORD} did it until p. 3", f"{_WORD} until end"),
    "listen": ("all", "mentions", "questions"),
    "pace": ("slowest", "thread"),
    "pagecontrol": ("organisers", "anyone"),
    "edition": ("312 first 7", "club 312 first 7", "reset"),
    "calibrate": ("the storm broke the window of the tower",),
    "suggest": (f"{_WORD} by Somebody", ""),
    "poll": ("next", "close"),
    "schedule make": ("2 weeks Sundays 19:00 Europe/Berlin", "1 week Mondays 9:00 UTC"),
    "schedule shift": ("+1 week", "-2 days"),
    "schedule remind": ("on", "on @role-ours", "off"),
    "schedule show": ("", "here"),
    "section open": ("1", "2"),
    "book use": ("The Lamp", "The Mill"),
    "progress": ("", "here"),
    "watch": ("on", "off"),
    "club": ("", "link", "link 1-2222-2222-2222"),
    "forget me": ("",),
}
_LEFT_OUT = {"help", "book add", "book remove", "book notes", "forget club", "forget thread", "chat", "stop"}
"""What shows nothing of a club, or ends what is tried here; forgetting and removing have tests of their own."""
_SHOWS = ("where", "quotes", "predictions", "progress", "statistics", "usage", "later", "cast", "schedule show", "club")

_OF_BOTH: dict[str, set[str]] = {
    "reading": {"current_page", "last_used_at"},
    "position_change": {"undone"},
    "schedule": {"at", "zone", "weeks", "reminds"},
    "section": {"first_page", "last_page", "day"},
    "club_link": {"after_change"},
    "club": {"removed_title"},
}
"""What of a row may be another one in the club that reads as one with ours."""
_MAY_COME: dict[str, Callable[[Row], bool]] = {
    "reading": lambda row: row["edition"] is None and row["pace"] == "thread",
    "position_change": lambda row: row["conversation_id"] is None and row["member_id"] == "",
    "schedule": lambda row: (row["reminds_in"], row["role"], row["wanted_by"]) == ("", "", ""),
    "section": lambda row: row["thread"] == "",
    "timer": lambda row: (
        row["kind"] == "club"
        and row["member_id"] == ""
        and set(row["payload"]) <= {"what", "scope", "from", "to", "change", "silent"}
    ),
}
"""Which rows may come there."""
_MAY_GO = {"schedule", "section", "timer"}


@dataclass(kw_only=True)
class _Told(ServedPlatform):
    """Keeps what falls due and is told anywhere."""

    said: list[DueMessage] = field(default_factory=list)

    def timer_scopes(self) -> Sequence[str]:
        return ("discord:", "slack:")

    async def send(self, message: DueMessage, *, ref: str, since: datetime | None) -> None:
        self.said.append(message)

    async def is_posted(self, message: DueMessage, *, ref: str, since: datetime) -> bool:
        return False


@dataclass(kw_only=True)
class _Town:
    """Four clubs over one home: two that read as one, one in the next channel, one on another server."""

    house: Application
    drawn: random.Random = field(default_factory=lambda: random.Random(23))
    told: _Told = field(default_factory=_Told)
    buttons: list[tuple[str, str]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    tried: int = 0
    carried: int = 0

    async def use(self, club: Thread, words: str, text: str = "", *, by: Author, organiser: bool = True) -> str:
        """Use a command; return all that is told of it."""
        inside = "t-ours" if club == _OURS else "t-theirs"
        thread = Thread(scope=club.scope, place=club.place, thread=self.drawn.choice(["", inside]))
        request = CommandRequest(
            thread=thread, member=by, is_organiser=organiser, text=text, role_of=_role_of, ref=None
        )
        try:
            response = await self.house.clubs().registry().run(words, request)
        except ThusfarError as error:
            return str(error)
        if club == _OURS:
            self.buttons = [(one.command, one.text) for one in response.choices] or self.buttons
        return _all_of(response)

    async def something(self) -> str:
        """Do something in our club, as a member or an organiser; return what it was."""
        by, organiser = self.drawn.choice(_MEMBERS), self.drawn.random() < 0.7
        if self.drawn.random() < 0.1:
            thread = Thread(scope=_OURS.scope, place=_OURS.place, thread="t-ours")
            asked = IncomingMessage(thread=thread, author=by, text=f"Who mended the {_WORD} window?")
            await self.house.answer_message.execute(asked)
            return "asked"
        if self.buttons and self.drawn.random() < 0.4:
            command, text = self.drawn.choice(self.buttons)
            if command not in {".forget-club", ".ask-forget-club", ".remove"}:
                await self.use(_OURS, command, text, by=by, organiser=organiser)
                return f"{command} {text}"
        if not self.unused:
            self.unused = [one.words for one in self.house.clubs().registry().listed() if one.words not in _LEFT_OUT]
            self.drawn.shuffle(self.unused)
        words = self.unused.pop()
        text = self.drawn.choice(_TYPED.get(words, ("",)))
        await self.use(_OURS, words, text, by=by, organiser=organiser)
        return f"{words} {text}"

    async def rows(self) -> dict[Thread, Rows]:
        """Return what belongs to each club but ours, and under its scope the books there are."""
        found = await self.house.database.read(_by_club)
        return {place: rows for place, rows in found.items() if place != _OURS}

    async def compared(self, before: dict[Thread, Rows], what: str) -> dict[Thread, Rows]:
        """Hold all that is not ours against what it was."""
        after = await self.rows()
        for place in _CLUBS[1:]:
            differing = list(_differences(before[place], after[place]))
            self.tried += len(after[place])
            if place != _LINKED:
                assert differing == [], what
            for table, old, new in differing:
                self.carried += 1
                assert _may_cross(table, old, new), (what, table, old, new)
            assert not _telling(str(after[place])), what
        return after


async def test_nothing_but_book_page_and_schedule_crosses(town: _Town) -> None:
    before = await town.rows()
    for number in range(_USES):
        what = await town.something()
        before = await town.compared(before, what)
        ours, theirs = [await town.house.threads.place(one) for one in (_OURS, _LINKED)]
        assert ours is not None
        assert theirs is not None
        assert ours.book.content_hash == theirs.book.content_hash, what
        assert ours.standing.reading.current_page == theirs.standing.reading.current_page, what
        if number % 10 == 0:
            await town.house.clubs().times.due.run_due(town.told)
            for club in _CLUBS[1:]:
                shown = await town.use(club, town.drawn.choice(_SHOWS), by=_THEM)
                assert not _telling(shown), (what, shown)
            before = await town.rows()
    for message in town.told.said:
        if message.thread.scope != _OURS.scope or message.thread.place != _OURS.place:
            assert not _telling(str(message))
    assert town.tried > _TRIED, "too little was tried"
    assert town.carried > _USES / 20, "too little crossed that may"


async def test_once_they_part_nothing_crosses_at_all(town: _Town) -> None:
    await town.use(_OURS, "club", "unlink", by=_MEMBERS[0])
    await town.house.clubs().times.due.run_due(town.told)
    before = await town.rows()
    for _ in range(_USES // 3):
        what = await town.something()
        after = await town.rows()
        for place in _CLUBS[1:]:
            assert list(_differences(before[place], after[place])) == [], what


@pytest_asyncio.fixture
async def town(own_home: Path, tmp_path: Path) -> AsyncIterator[_Town]:
    house = build(Settings(thusfar_home=own_home, THUSFAR_QUESTIONS_A_MINUTE=100_000))
    try:
        made = _Town(house=house)
        for place in _CLUBS:
            for title, text in (("The Mill", _OTHER), ("The Lamp", LIGHTHOUSE)):
                path = tmp_path / f"{title}.txt"
                path.write_text(text, encoding="utf-8")
                if title == "The Lamp" or place == _OURS:
                    book = (await house.library.add(path, scope=place.scope, title=title)).book
                    await house.threads.use(place, book_id=book.book_id)
            await made.use(place, "setpage", "1", by=_MEMBERS[0] if place == _OURS else _THEM)
            if place != _OURS:
                await _live(made, place)
        await _join(house)
        await house.clubs().times.due.run_due(made.told)
        yield made
    finally:
        await house.close()


async def _live(town: _Town, club: Thread) -> None:
    """Let another club have something of everything."""
    for words, text in (
        ("mypage", "2"),
        ("quote", "lit the lamp of the lighthouse every evening"),
        ("predict", "She did it until p. 4"),
        ("later", "Who was it?"),
        ("suggest", "Emma by Jane Austen"),
        ("cast", "lamp = Marrable"),
        ("ask", "Who lit the lamp?"),
    ):
        await town.use(club, words, text, by=_THEM)
    thread = Thread(scope=club.scope, place=club.place, thread="t-theirs")
    await town.house.answer_message.execute(IncomingMessage(thread=thread, author=_THEM, text="Who lit the lamp?"))


async def _join(house: Application) -> None:
    links, now, secret = SqlClubLinks(house.database), datetime.now(UTC), new_secret()
    hashed = Code(offer_id=0, secret=secret).hashed
    number = await links.offer(_OURS, made_by=_MEMBERS[0].member_id, secret_hash=hashed, now=now)
    offer = await links.take(_LINKED, Code(offer_id=number, secret=secret), now=now)
    assert offer is not None
    assert offer.terms is not None
    assert await links.agree(_LINKED, number, mark=offer.terms.mark, now=now)
    assert await links.join(_OURS, number, mark=offer.terms.mark, member_id=_MEMBERS[0].member_id, now=now)


async def _role_of(text: str) -> str | None:
    return text.removeprefix("@")


def _all_of(response: CommandResponse) -> str:
    labels = [one.label for one in response.choices]
    return " ".join((response.text, response.announcement, response.opens, *labels, *response.names))


def _telling(text: str) -> list[str]:
    return [one for one in _TELLTALE if one.casefold() in text.casefold()]


def _by_club(session: Session) -> dict[Thread, Rows]:
    """Return the rows of each club: those that hang on it by whatever foreign key, and the books of its scope."""
    owners: dict[tuple[str, str, Any], Thread] = {}
    found: dict[Thread, Rows] = {place: {} for place in _CLUBS}
    for table in SQLModel.metadata.sorted_tables:
        if table.name in {"page", "chunk", "chapter"}:
            continue
        for row in session.execute(select(table)).mappings():
            owner = _owner(table, dict(row), owners)
            if owner is None:
                continue
            keys = tuple(row[column.name] for column in table.primary_key)
            for column in table.primary_key:
                owners.setdefault((table.name, column.name, row[column.name]), owner)
            found.setdefault(owner, {})[table.name, str(keys)] = dict(row)
    return found


def _owner(table: Any, row: Row, owners: Mapping[tuple[str, str, Any], Thread]) -> Thread | None:
    """Return whose a row is; books belong to all clubs of their scope, and are told apart by their ids."""
    if table.name == "club":
        return Thread(scope=row["scope"], place=row["place"], thread="")
    for key in sorted(table.foreign_keys, key=lambda one: (one.column.table.name == "book", one.parent.name)):
        target = (key.column.table.name, key.column.name, row[key.parent.name])
        if target in owners:
            return owners[target]
    return None


def _differences(before: Rows, after: Rows) -> "list[tuple[str, Row | None, Row | None]]":
    return [(key[0], before.get(key), after.get(key)) for key in {*before, *after} if before.get(key) != after.get(key)]


def _may_cross(table: str, old: Row | None, new: Row | None) -> bool:
    if new is None:
        return table in _MAY_GO
    if old is None or table == "timer":  # one piece of news in place of another may have its number
        return table in _MAY_COME and _MAY_COME[table](new)
    return {name for name in new if new[name] != old[name]} <= _OF_BOTH.get(table, set())
