"""The quoting answer in place of a model's: one that cannot be reached (spec 7), or whose draft failed (spec 4)."""

from collections.abc import Sequence

from core.agent.citations import CitedSentence
from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quotations import Quotation, choose_quotations
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.app.search import SearchBooksUseCase
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.domain.tool_use import PromptMessage
from core.ports.books import BookRepository


class QuoteInstead:
    """Answers with quotations only, and keeps nothing."""

    def __init__(self, *, search_books: SearchBooksUseCase, books: BookRepository) -> None:
        self._search_books = search_books
        self._books = books

    async def execute(
        self,
        book_id: str,
        question: str,
        *,
        position: Position,
        cited: Sequence[CitedSentence] = (),
        searched: Sequence[SearchResult] = (),
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Return the quotations that fit; without sources where none does.

        First what `cited` sentences of a draft rest on, then what fits the question of what a search for it finds and
        of what was `searched` for it before.
        """

        async def search(query: str, top_k: int) -> list[SearchResult]:
            found = await self._search_books.execute(book_id, query, position=position, top_k=top_k)
            return list({passage.chunk_id: passage for passage in (*found, *searched)}.values())

        first = await self._beneath(book_id, position, cited)
        prompt = [PromptMessage(role="user", content=question)]
        return await QuotingRetrievalStrategy(first=first).run(NoChatProvider(), prompt, [], search, on_event)

    async def _beneath(self, book_id: str, position: Position, cited: Sequence[CitedSentence]) -> list[Quotation]:
        """Return for each cited sentence what stands on its page, through the gate: of an unread page, nothing."""
        if not cited:
            return []
        span = readable(await self._books.get(book_id), position)
        pages = {sentence.page for sentence in cited}
        wanted = [chunk.chunk_id for chunk in await self._books.chunks(book_id) if chunk.start_page in pages]
        passages = [chunk.found() for chunk in await self._books.readable_chunks(span, wanted)]
        return [
            quotation
            for sentence in cited
            for quotation in choose_quotations(
                sentence.text, [passage for passage in passages if passage.start_page == sentence.page]
            )[:1]
        ]
