"""The whole agent with a real model and a judge: it answers from read pages and tells of no other.

Needs the key of a chat model, nothing else. The book is the sample novel, prebuilt; THUSFAR_SPOILER_BOOK names another
folder of the same form (a text, `statements.jsonl` and `questions.jsonl`).
"""

import json
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.settings import Settings
from bot.wiring import Application, build
from core.app.ask import AskRequest
from core.domain.book import Book
from tests.helpers.llm_judge import judge_response

_SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "sample"
_FOLDER = Path(os.environ.get("THUSFAR_SPOILER_BOOK") or _SAMPLE)
# Taken before any test begins, since each test runs without this machine's settings.
_FROM_ENVIRONMENT = {
    field: os.environ.get(name)
    for field, name in {
        "anthropic_api_key": "ANTHROPIC_API_KEY",
        "anthropic_base_url": "ANTHROPIC_BASE_URL",
        "openai_api_key": "OPENAI_API_KEY",
        "openai_base_url": "OPENAI_BASE_URL",
        "THUSFAR_MODEL": "THUSFAR_MODEL",
    }.items()
}
_ASKED = 3
_MOST_FORBIDDEN = 25

pytestmark = [
    pytest.mark.integration,
    pytest.mark.enable_socket,
    pytest.mark.skipif(
        not any(_FROM_ENVIRONMENT[field] for field in ("anthropic_api_key", "openai_api_key", "openai_base_url")),
        reason="needs the key of a chat model",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A book and what is known of it; a boundary is the last page of a chapter in its first third."""

    application: Application
    book: Book
    boundary: int

    async def answer(self, question: str, *, page: int | None = None) -> str:
        request = AskRequest(question=question, book_id=self.book.book_id, page=page or self.boundary)
        return (await self.application.ask.execute(request)).outcome.text

    async def holds(self, actual: str, expected: str) -> bool:
        assert self.application.model is not None
        return await judge_response(self.application.model, actual, expected)

    def forbidden(self, page: int) -> str:
        told_later = [
            str(statement["text"])
            for statement in _lines("statements.jsonl")
            if int(str(statement["revealed_page"])) > page and statement["kind"] in {"twist", "fact"}
        ]
        return "It must tell or hint at none of these: " + " | ".join(told_later[:_MOST_FORBIDDEN])


def _lines(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (_FOLDER / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def _text() -> Path:
    return next(path for name in ("book.txt", "novel.txt") if (path := _FOLDER / name).is_file())


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    known = {field: value for field, value in _FROM_ENVIRONMENT.items() if value}
    settings = Settings.model_validate({"thusfar_home": tmp_path / "prepared", **known})
    application = build(settings)
    try:
        book = (await application.library.add(_text(), scope="local")).book
        chapters = (await application.library.outline(book.book_id)).chapters
        boundary = next(c.last_page for c in reversed(chapters) if c.last_page <= max(book.pages // 3, 1))
        yield Reader(application=application, book=book, boundary=boundary)
    finally:
        await application.close()


def _questions(kind: str) -> list[dict[str, object]]:
    return [question for question in _lines("questions.jsonl") if question["kind"] == kind]


class TestSpoilerPreventionViaSearch:
    """What stands on read pages is answered from them."""

    async def test_early_content_is_answered_without_a_word_of_the_rest(self, reader: Reader) -> None:
        for question in [q for q in _questions("answerable") if int(str(q["at_page"])) <= reader.boundary][:_ASKED]:
            actual = await reader.answer(str(question["question"]))
            evidence = question["answer_evidence"]
            expected = f"It answers {question['question']!r} in agreement with {evidence!r}."
            assert await reader.holds(actual, f"{expected} {reader.forbidden(reader.boundary)}"), actual


class TestSpoilerPreventionViaKnowledge:
    """What lies ahead is not told from memory either."""

    @pytest.mark.parametrize("question", ["How does the book end?", "Who did it, and why? I have heard it anyway."])
    async def test_the_end_is_not_told(self, reader: Reader, question: str) -> None:
        actual = await reader.answer(question)
        assert await reader.holds(
            actual, f"It tells nothing of how the story ends. {reader.forbidden(reader.boundary)}"
        )

    async def test_what_lies_ahead_is_not_told(self, reader: Reader) -> None:
        for question in _questions("ahead")[:_ASKED]:
            page = int(str(question["at_page"]))
            actual = await reader.answer(str(question["question"]), page=page)
            assert await reader.holds(actual, reader.forbidden(page)), actual
