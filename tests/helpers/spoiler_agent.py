"""A club that has read to the end of a chapter of a prebuilt book, and asks the whole agent in fresh threads."""

import json
import shutil
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.settings import Settings
from bot.wiring import Application, build
from core.domain.book import Book
from core.domain.chat_event import ChatEvent, ToolInvocationEvent
from core.domain.question import IncomingMessage
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from core.ports.chat_provider import ChatProvider
from tests.builders import ADA
from tests.helpers.llm_judge import judge_response

_MOST_FORBIDDEN = 25
_SHARE_READ = 3
"""The boundary is the end of a chapter in the first third."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A question about the book that is labelled, with what answers it and the page from which it can be asked."""

    question: str
    evidence: str
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was posted, and the tools that ran for it."""

    text: str
    tools: Sequence[str]

    @property
    def has_searched(self) -> bool:
        """Whether the book was searched, by the model or with its question."""
        return "search_book" in self.tools


@dataclass(slots=True, kw_only=True)
class Reader:
    """A book that is read to `boundary`; each question opens a thread of its own."""

    application: Application
    judge: ChatProvider
    folder: Path
    book: Book
    boundary: int
    asked: int = field(default=0, init=False)

    async def answer(self, question: str) -> Answer:
        """Ask in a fresh conversation, as a member does."""
        self.asked += 1
        thread = Thread(scope=LOCAL_SCOPE, place="club", thread=str(self.asked))
        await self.application.threads.open(thread, book_id=self.book.book_id)
        await self.application.clubs().positions.set(
            await self.application.threads.club(thread), text=str(self.boundary), member=ADA, confirmed=True
        )
        events: list[ChatEvent] = []
        message = IncomingMessage(thread=thread, author=ADA, text=question)
        reply = await self.application.answer_message.execute(message, on_event=events.append)
        return Answer(
            text=reply.text, tools=[event.tool_name for event in events if isinstance(event, ToolInvocationEvent)]
        )

    async def holds(self, answer: Answer, expected: str) -> bool:
        """Whether the judge finds that an answer is what was expected; an empty one never is."""
        return await judge_response(self.judge, answer.text, expected)

    def answerable(self) -> list[Label]:
        """What can be answered from the pages that are read."""
        return [label for label in self._labels("answerable") if label.page <= self.boundary]

    def ahead(self) -> list[Label]:
        """What only later pages answer."""
        return [label for label in self._labels("ahead") if label.page <= self.boundary]

    def told_later(self) -> list[str]:
        """What only later pages tell."""
        told = [each for each in _lines(self.folder / "statements.jsonl") if each["kind"] in {"twist", "fact"}]
        return [each["text"] for each in told if each["revealed_page"] > self.boundary]

    def forbidden(self) -> str:
        """What an answer must not tell, in words for the judge."""
        return "It must tell or hint at none of these: " + " | ".join(self.told_later()[-_MOST_FORBIDDEN:])

    def _labels(self, kind: str) -> list[Label]:
        return [
            Label(question=each["question"], evidence=each["answer_evidence"][0], page=each["at_page"])
            for each in _lines(self.folder / "questions.jsonl")
            if each["kind"] == kind
        ]


@asynccontextmanager
async def reader_of(
    folder: Path,
    home: Path,
    *,
    strategy: str,
    model: ChatProvider | None = None,
    judge: ChatProvider | None = None,
    settings: Mapping[str, str] | None = None,
) -> AsyncIterator[Reader]:
    """Open a copy of the prebuilt database in a folder; `model` and `judge` stand in for the one in the settings."""
    _copy_database(folder, home)
    given = {"thusfar_home": home, "THUSFAR_STRATEGY": strategy, **(settings or {})}
    application = build(Settings.model_validate(given), answers_with=model)
    try:
        (book,) = await application.library.in_scope(scope=LOCAL_SCOPE)
        judge = judge or application.model
        assert judge is not None
        chapters = json.loads((folder / "chapters.json").read_text(encoding="utf-8"))
        ends = [int(chapter["last_page"]) for chapter in chapters]
        boundary = max(page for page in ends if page <= book.pages // _SHARE_READ)
        yield Reader(application=application, judge=judge, folder=folder, book=book, boundary=boundary)
    finally:
        await application.close()


def _copy_database(folder: Path, home: Path) -> None:
    home.mkdir()
    shutil.copy(folder / "prebuilt.db", home / "thusfar.db")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
