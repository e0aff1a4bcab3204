"""The spoiler guard: judges each sentence of a text against what is read and what is not (spec section 4)."""

import asyncio
from typing import Literal

from core.caching.book_cache import BookCache
from core.domain.book import Book
from core.domain.passage import readable
from core.domain.position import Position
from core.domain.verdict import Judgement
from core.guard.book_index import BookIndex, index_book
from core.guard.judge import Exempt, Judge, Reply
from core.guard.score import Weights, fitted_weights
from core.ports.books import BookRepository
from core.ports.guard import Guard

GuardLevel = Literal["balanced", "strict"]
_HELD_BOOKS = 16


class SpoilerGuard(Guard):
    """Called with every draft before anything is posted. Works without a model; loads a book at its first use.

    `strict`: a sentence that does not rest on read text leaks.
    """

    def __init__(
        self, *, books: BookRepository, level: GuardLevel = "balanced", weights: Weights | None = None
    ) -> None:
        self._books = books
        self._strict = level == "strict"
        self._weights = weights
        self._held = BookCache(self._build, capacity=_HELD_BOOKS)

    async def judge(self, text: str, *, book: Book, position: Position, question: str | None = None) -> Judgement:
        """Return a verdict for each sentence of a draft; `question` is what it answers.

        Raises:
            BookError: the position lies outside the book.
        """
        judge = await self._judge(book, position)
        reply = Reply(text=text, question=question, exempt=Exempt.of(book.title, book.author, question))
        return await asyncio.to_thread(judge.verdicts, reply)

    async def revealed_page(self, text: str, *, book: Book, position: Position) -> int | None:
        """Return the highest unread page that a member's own message is known to reveal, by the rules alone.

        Raises:
            BookError: the position lies outside the book.
        """
        judge = await self._judge(book, position)
        reply = Reply(text=text, exempt=Exempt.of(book.title, book.author, None))
        return await asyncio.to_thread(judge.revealed_page, reply)

    async def _judge(self, book: Book, position: Position) -> Judge:
        last_page = readable(book, position).last_page
        weights = self._weights or fitted_weights()
        return Judge(
            index=await self._held.get(book.book_id, book.import_id),
            last_page=last_page,
            weights=weights,
            strict=self._strict,
        )

    async def _build(self, book_id: str) -> BookIndex:
        book = await self._books.get(book_id)
        pages = await self._books.pages(readable(book, book.pages))
        return await asyncio.to_thread(index_book, pages)
