"""Questions about the book as a thing are answered by its cover, or not at all."""

from dataclasses import replace

import pytest

from core.domain.messages import CANNOT_SAY
from core.understanding.about_the_book import asks_how_long, told_of_book, told_of_length
from tests.builders import a_book_text, chunks_of
from tests.memory import memory_books


async def _told(question: str, *, author: str | None = "Ann Other", pages: int = 83) -> str | None:
    text = replace(a_book_text(), title="The Lamp", author=author)
    book, _ = await memory_books().add(scope="local", content_hash="1", text=text, chunks=chunks_of(text))
    return told_of_length(book, pages=pages) if asks_how_long(question) else told_of_book(question, book)


@pytest.mark.parametrize("question", ["who wrote this book?", "Who's the author?", "so who is it by", "the author?"])
async def test_its_author_is_named(question: str) -> None:
    assert await _told(question) == "The Lamp is by Ann Other."
    assert await _told(question, author=None) == CANNOT_SAY


@pytest.mark.parametrize(
    "question", ["How long is the book?", "how many pages does it have", "how many pages has it?", "how many pages?"]
)
async def test_its_length_is_told_in_pages(question: str) -> None:
    assert await _told(question) == "The Lamp has 83 pages."
    assert await _told(question, pages=1) == "The Lamp has 1 page."


@pytest.mark.parametrize(
    "question",
    ["when was it written?", "is there a sequel?", "What genre is this?", "how many chapters are there?"],
)
async def test_what_no_cover_tells_is_not_said(question: str) -> None:
    assert await _told(question) == CANNOT_SAY


@pytest.mark.parametrize(
    "question",
    ["who wrote the letter?", "when was the letter written?", "is there a key?", "how long is the wall?", "who is it?"],
)
async def test_questions_about_the_story_are_others(question: str) -> None:
    assert await _told(question) is None
