"""Plays a dialogue through the wired house over one wire, and compares what came of it with what the file says."""

import json
import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.readers.text import TextBookReader
from bot.settings import load_settings
from bot.wiring import Application, build
from core.answering.tools.search_book import LIMITED_SOURCES
from core.answering.tools.tool_registry import TOOL_NAMES
from core.domain.book import BookText
from core.domain.chat_event import (
    ChatEvent,
    SpoilerBlockedEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnFailedEvent,
)
from core.domain.conversation import JUDGED, Author, Conversation
from core.domain.question import IncomingMessage, Reply
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from tests.builders import ADA, BO
from tests.platform_servers.markup import as_read
from tests.scenarios.dialogues import AUTHOR, BOOK, TITLE, DialogueTurn, Record, Stored
from tests.scenarios.outbound import Unread
from tests.scenarios.wires import THE_TOOL, Wire
from tests.servers.scripted import ReceivedRequest

THREAD = Thread(scope=LOCAL_SCOPE, place="club", thread="t1")
_LABEL = re.compile(r"\[p\. (\d+)\]")
_MEMBERS: dict[str, Author] = {"Ada": ADA, "Bo": BO}


async def import_book() -> None:
    """Put the dialogues' book into the home, which every play then begins with a copy of."""
    thusfar = build(load_settings())
    try:
        await thusfar.library.add(BOOK, scope=LOCAL_SCOPE, title=TITLE, author=AUTHOR)
    finally:
        await thusfar.close()


@dataclass(kw_only=True)
class Player:
    """One house over one wire, turn after turn. `watched`: whether somebody listens to the events."""

    thusfar: Application
    wire: Wire
    home: Path
    conversation: Conversation
    watched: bool = True
    position: int = 0
    _checked: int = 0
    book: BookText = field(default_factory=lambda: TextBookReader().read(BOOK, title=TITLE, author=AUTHOR))

    async def set_page(self, page: str) -> None:
        """Set the thread's page."""
        await self.thusfar.clubs().positions.set(
            await self.thusfar.threads.club(THREAD), text=page, member=ADA, confirmed=True
        )

    async def turn(self, turn: DialogueTurn) -> list[ReceivedRequest]:
        """Play one turn; return the requests that it made."""
        if turn.page is not None:
            await self.set_page(turn.page)
        self.position = (await self.thusfar.threads.club(THREAD)).page_of_all or 0
        self.script(turn)
        stored, requests, events = len(self._messages()), len(self.wire.server.requests), list[ChatEvent]()
        reply = await self.thusfar.answer_message.execute(
            IncomingMessage(thread=THREAD, author=_MEMBERS[turn.by], text=turn.said),
            on_event=events.append if self.watched else None,
        )
        made = self.wire.server.requests[requests:]
        assert not self.wire.server.refusals
        assert not self.wire.checks.left()
        self._check_reply(turn, reply)
        assert [_told(event) for event in events if isinstance(event, ListedEvent)] == list(
            turn.then.events if self.watched else ()
        )
        assert self._stored(self._messages()[stored:], turn.by) == list(turn.then.stored)
        self._check_record(turn, reply)
        self._check_requests(turn, made)
        return made

    def script(self, turn: DialogueTurn) -> None:
        """Let the model say what it says in a turn."""
        for step in turn.model:
            self.wire.script(step)
        for step in turn.verifier:
            self.wire.script(step, "verifier")
        for step in turn.judge:
            self.wire.script(step, "judge")

    def _check_reply(self, turn: DialogueTurn, reply: Reply) -> None:
        assert as_read(reply.text) == turn.then.answer
        assert sorted({source.start_page for source in reply.sources}) == list(turn.then.sources)
        assert reply.failed == (turn.then.record is not None and turn.then.record.status == "failed")

    def _check_record(self, turn: DialogueTurn, reply: Reply) -> None:
        rows = self._rows("SELECT * FROM turn ORDER BY turn_number")
        if turn.then.record is None:
            assert not rows
            return
        row = rows[-1]
        answered = row["status"] == "answered"
        assert (row["turn_number"], row["position"], row["user_query"]) == (len(rows), self.position, turn.said)
        assert (row["agent_response"], row["turn_id"]) == (
            (turn.then.answer, reply.turn_id) if answered else (None, row["turn_id"])
        )
        if answered:
            assert sorted({source["start_page"] for source in json.loads(row["sources"])}) == list(turn.then.sources)
            assert row["provider"] == self.wire.provider
        assert row["duration_ms"] >= 0
        assert _record(row) == turn.then.record

    def _check_requests(self, turn: DialogueTurn, made: Sequence[ReceivedRequest]) -> None:
        """What every request of every dialogue must keep to, and what this one says of its own."""
        assert len(made) == len(turn.model)
        unread = Unread(self.book, position=self.position)
        exempt = [turn.said, TITLE, AUTHOR, *(words for step in turn.model for words in step.own_words())]
        for request in self.wire.checks.asked[self._checked :]:
            assert unread.in_bytes(request.body, exempt=exempt) == []
        self._checked = len(self.wire.checks.asked)
        for request in made:
            headers = [f"{name}: {value}".encode() for name, value in request.headers.items()]
            assert unread.in_bytes(request.body, *headers, exempt=exempt) == []
            assert [tool["name"] for tool in self.wire.offered(request)] == list(TOOL_NAMES)
            assert self.wire.offered(request)[0] == THE_TOOL
        assert [self.wire.choice(request) for request in made] == list(turn.then.choices or ["auto"] * len(made))
        sent = "\n".join(json.dumps(request.json(), ensure_ascii=False) for request in made)
        assert [phrase for phrase in turn.then.sends if json.dumps(phrase, ensure_ascii=False)[1:-1] not in sent] == []
        assert [phrase for phrase in turn.then.never_sends if phrase.casefold() in sent.casefold()] == []

    def _stored(self, rows: Sequence[sqlite3.Row], by: str) -> list[Stored]:
        for row in rows:
            assert row["position"] == self.position
            assert row["author_name"] == (by if row["role"] == "user" else None)
        return [self._as_stored(row) for row in rows]

    def _as_stored(self, row: sqlite3.Row) -> Stored:
        if row["role"] != "tool_result":
            return Stored.model_validate({row["role"]: row["content"], "reveals": row["reveals_page"]})
        found = self._pages_found(row["content"])
        return Stored(
            result_of=row["invocation_id"],
            call=f"{row['tool_name']} {_plain(json.loads(row['tool_arguments']))}",
            found=found,
            says=None if found else row["content"],
            error=bool(row["is_error"]),
            reveals=row["reveals_page"],
        )

    def _pages_found(self, content: str) -> tuple[int, ...] | None:
        """The pages whose labels or whole labelled chunks this is, in this order; None where it is anything else."""
        if content and all(map(_LABEL.fullmatch, content.splitlines())):
            return tuple(map(int, _LABEL.findall(content)))
        chunks = {f"[p. {row['start_page']}]\n{row['text']}": row["start_page"]
                  for row in self._rows("SELECT * FROM chunk")}  # fmt: skip
        parts = content.removesuffix(f"\n\n{LIMITED_SOURCES}").split("\n\n[p. ")
        labelled = [parts[0], *(f"[p. {part}" for part in parts[1:])]
        return tuple(chunks[part] for part in labelled) if set(labelled) <= set(chunks) else None

    def _messages(self) -> list[sqlite3.Row]:
        return self._rows("SELECT * FROM message ORDER BY message_id")

    def _rows(self, query: str) -> list[sqlite3.Row]:
        connection = sqlite3.connect(self.home / "thusfar.db")
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()


ListedEvent = (
    ToolInvocationEvent | ToolResultEvent | TokenUsageEvent | SpoilerBlockedEvent | TurnAnsweredEvent | TurnFailedEvent
)
"""The events that a dialogue lists."""


async def player_of(wire: Wire, *, home: Path, watched: bool = True) -> Player:
    """Wire a house over the settings of the environment, with a thread on the dialogues' book."""
    thusfar = build(load_settings())
    (book,) = await thusfar.library.in_scope(scope=LOCAL_SCOPE)
    conversation = await thusfar.threads.open(THREAD, book_id=book.book_id)
    return Player(thusfar=thusfar, wire=wire, home=home, conversation=conversation, watched=watched)


def _record(row: sqlite3.Row) -> Record:
    return Record(
        status=row["status"],
        tokens=(row["input_tokens"], row["output_tokens"], row["cache_read_tokens"], row["cache_write_tokens"]),
        steps=tuple(step for step in json.loads(row["reasoning_steps"]) if f": {JUDGED} " not in step),
        error=row["error_code"],
    )


def _told(event: ListedEvent) -> str:
    match event:
        case ToolInvocationEvent():
            return f"{event.tool_name} {_plain(event.arguments)}"
        case ToolResultEvent():
            assert event.result_count == len(event.results)
            return f"found {[result.start_page for result in event.results]} for {event.query}".strip()
        case TokenUsageEvent():
            return f"{event.input_tokens} in, {event.output_tokens} out"
        case SpoilerBlockedEvent():
            return f"held back: {_plain(dict(event.rules))}"
        case TurnAnsweredEvent():
            return "answered"
        case TurnFailedEvent():
            return f"failed: {event.code}"


def _plain(arguments: dict[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True)
