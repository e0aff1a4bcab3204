"""The quoting answer: the embedded default where no model is configured. It cannot spoil and never invents."""

from collections.abc import Sequence
from typing import Final

from core.agent.strategies.base import ThinRetrievalStrategy, question_of
from core.agent.strategies.quotations import Quotation, choose_quotations, together
from core.agent.tools.search_book import SEARCH_BOOK
from core.domain.chat_event import EventSink, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import TurnOutcome
from core.domain.deadline import Deadline
from core.domain.passage import SearchFn
from core.domain.tool_use import PromptMessage, ToolDefinition
from core.domain.words import CANNOT_SAY, HERE_FOR_THE_BOOK
from core.ports.chat_provider import ChatProvider
from core.text.small_talk import is_small_talk

_PASSAGES: Final = 12


class QuotingRetrievalStrategy(ThinRetrievalStrategy):
    """Searches for the question and gives the most fitting read sentences verbatim with their pages.

    Args:
        first: quotations that are given in any case, before what fits the question.
    """

    reads_whole_pages = False

    def __init__(self, *, first: Sequence[Quotation] = ()) -> None:
        super().__init__()
        self._first = first

    async def run(
        self,
        chat_provider: ChatProvider,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        search_fn: SearchFn,
        on_event: EventSink | None = None,
        *,
        deadline: Deadline | None = None,
    ) -> TurnOutcome:
        """Answer the last user message; where nothing fits, with the one sentence for all that cannot be said."""
        question = question_of(messages)
        if is_small_talk(question):
            return TurnOutcome(text=HERE_FOR_THE_BOOK, quotes_only=True, provider=chat_provider.name)
        emit = on_event or (lambda _event: None)
        emit(ToolInvocationEvent(tool_name=SEARCH_BOOK, arguments={"query": question, "top_k": _PASSAGES}))
        quotations = together(self._first, choose_quotations(question, await search_fn(question, _PASSAGES)))
        sources = tuple({quotation.passage.chunk_id: quotation.passage for quotation in quotations}.values())
        emit(ToolResultEvent(query=question, result_count=len(sources), results=list(sources)))
        return TurnOutcome(
            text="\n\n".join(_rendered(quotation) for quotation in quotations) or CANNOT_SAY,
            sources=sources,
            retrieval_attempts=1,
            quotes_only=True,
            provider=chat_provider.name,
        )


def _rendered(quotation: Quotation) -> str:
    return f"> {quotation.text} (p. {quotation.page})"
