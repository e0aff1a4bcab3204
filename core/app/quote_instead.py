"""The quoting answer in place of a model that cannot be reached (spec section 7)."""

from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.app.search import SearchBooksUseCase
from core.domain.conversation import TurnOutcome
from core.domain.passage import SearchResult
from core.domain.position import Position
from core.domain.tool_use import PromptMessage


class QuoteInstead:
    """Answers with quotations only, and keeps nothing."""

    def __init__(self, *, search_books: SearchBooksUseCase) -> None:
        self._search_books = search_books
        self._strategy = QuotingRetrievalStrategy()

    async def execute(self, book_id: str, question: str, *, position: Position) -> TurnOutcome:
        """Return the quotations that fit; without sources where none does."""

        async def search(query: str, top_k: int) -> list[SearchResult]:
            return await self._search_books.execute(book_id, query, position=position, top_k=top_k)

        prompt = [PromptMessage(role="user", content=question)]
        return await self._strategy.run(NoChatProvider(), prompt, [], search)
