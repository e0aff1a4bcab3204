"""The same question at several pages, so that one sees what a page more tells; none of them beyond where one stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from core.app.ask import AskQuestion, AskRequest
from core.app.positions import PositionService
from core.app.printed_pages import with_labels
from core.domain.chat_event import EventSink
from core.domain.errors import PositionError
from core.domain.position import footer, page_names
from core.domain.reading import PositionOwner
from core.ports.books import BookRepository

_MOST: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAtPage:
    """What is answered to whoever has read up to a page, with the footer that says so."""

    page: int
    text: str
    footer: str


class AnswersAtPages:
    """Asks at several pages of what a thread reads; nothing is kept of it."""

    def __init__(self, *, ask: AskQuestion, positions: PositionService, books: BookRepository) -> None:
        self._ask = ask
        self._positions = positions
        self._books = books

    async def execute(
        self, owner: PositionOwner, question: str, pages: Sequence[int], on_event: EventSink | None = None
    ) -> list[AnswerAtPage]:
        """Return the answers, in the order of the pages.

        Raises:
            PositionError: there is no question, or a page is not read yet.
            LLMError: the model gave no answer.
        """
        if not question.strip():
            raise PositionError("Write a question first; then I answer it at each of the pages.")
        read = await self._positions.of_owner(owner) or 0
        if len(pages) > _MOST or not all(0 <= page <= read for page in pages):
            raise PositionError("I can compare pages that you have read; move your page first.")
        name = page_names(await self._books.outline(owner.book_id))
        answers = []
        for page in pages:
            request = AskRequest(question=question, book_id=owner.book_id, page=page)
            asked = await self._ask.execute(request, on_event)
            shown = with_labels(asked.text, name)
            answers.append(AnswerAtPage(page=page, text=shown, footer=footer(page, name=name)))
        return answers
