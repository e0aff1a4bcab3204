"""The quoting answer in place of a model's: one that cannot be reached (spec 7), or whose draft failed (spec 4)."""

import logging
from collections.abc import Sequence

from core.agent.citations import CitedSentence
from core.agent.no_provider import NoChatProvider
from core.agent.strategies.quotations import Quotation, choose_quotations
from core.agent.strategies.quoting import QuotingRetrievalStrategy
from core.app.turn_search import TurnSearches
from core.domain.chat_event import EventSink
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.passage import SearchResult, readable
from core.domain.position import Position
from core.domain.question import Question
from core.domain.tool_use import PromptMessage
from core.domain.words import describe
from core.ports.books import BookRepository

_log = logging.getLogger(__name__)


class Quoting:
    """Answers with quotations only, and keeps nothing."""

    def __init__(self, *, searches: TurnSearches, books: BookRepository) -> None:
        self._searches = searches
        self._books = books

    async def beside(self, error: LLMError, question: Question, *, position: Position) -> TurnOutcome:
        """Say kindly what is wrong with the model, and quote read sentences that fit; the cause goes to the log."""
        _log.warning("No answer from the model: %s", error)
        quoted = await self.instead(question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return TurnOutcome(text=text, sources=quoted.sources, quotes_only=True)

    async def instead(
        self,
        question: Question,
        *,
        position: Position,
        cited: Sequence[CitedSentence] = (),
        searched: Sequence[SearchResult] = (),
        on_event: EventSink | None = None,
    ) -> TurnOutcome:
        """Return the quotations that fit, or the one fixed sentence, without sources.

        First what `cited` sentences of a draft rest on, then what fits the question of what a search for it finds and
        of what was `searched` for it before.
        """
        find = self._searches.of_pieces(question.book, position)

        async def search(query: str, top_k: int) -> list[SearchResult]:
            found = await find(query, top_k)
            return list({passage.chunk_id: passage for passage in (*found, *searched)}.values())

        first = await self._beneath(question, position, cited)
        prompt = [PromptMessage(role="user", content=question.text)]
        return await QuotingRetrievalStrategy(first=first).run(NoChatProvider(), prompt, [], search, on_event)

    async def _beneath(self, question: Question, position: Position, cited: Sequence[CitedSentence]) -> list[Quotation]:
        """Return for each cited sentence what stands on its page, through the gate: of an unread page, nothing."""
        pages = sorted({sentence.page for sentence in cited if sentence.page is not None})
        if not pages:
            return []
        chunks = await self._books.chunks_of_pages(readable(question.book, position), pages)
        passages = [chunk.found() for chunk in chunks]
        return [
            quotation
            for sentence in cited
            for quotation in choose_quotations(
                sentence.text, [passage for passage in passages if passage.start_page == sentence.page]
            )[:1]
        ]
