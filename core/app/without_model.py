"""What a member sees where a model gave no answer: one friendly sentence, and quotations where some fit."""

import logging

from core.app.quote_instead import QuoteInstead
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError
from core.domain.position import Position
from core.domain.words import describe

_log = logging.getLogger(__name__)


class WithoutModel:
    """Says kindly what is wrong; nothing of it is stored as an answer, and the cause goes to the log."""

    def __init__(self, *, quote_instead: QuoteInstead) -> None:
        self._quote_instead = quote_instead

    async def execute(self, error: LLMError, book_id: str, question: str, *, position: Position) -> TurnOutcome:
        """Return the sentence, and read sentences that fit the question with the passages they are from."""
        _log.warning("No answer from the model: %s", error)
        quoted = await self.quoted(book_id, question, position=position)
        text = f"{describe(error)}\n\n{quoted.text}" if quoted.sources else describe(error)
        return TurnOutcome(text=text, sources=quoted.sources, quotes_only=True)

    async def quoted(self, book_id: str, question: str, *, position: Position) -> TurnOutcome:
        """Return the quotations that fit, or the one fixed sentence."""
        return await self._quote_instead.execute(book_id, question, position=position)
