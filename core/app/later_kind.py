"""What falls due of the questions that members keep: each is brought back to whoever keeps it, alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.app.commands.later import LATER_ID, LATER_KIND, choices_of, told_of
from core.app.due import DueMessage, TimerKind
from core.domain.position import page_names
from core.domain.timer import Timer
from core.ports.books import BookRepository
from core.ports.later_questions import LaterQuestions
from core.ports.readings import ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterKind(TimerKind):
    """Brings a question back to whoever kept it, where they keep it still."""

    questions: LaterQuestions
    readings: ReadingRepository
    books: BookRepository
    name: str = LATER_KIND

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the question with what can be done about it; nothing where it was asked or dropped meanwhile."""
        question = await self.questions.get(int(timer.payload[LATER_ID]))
        if question is None:
            return ()
        reading = await self.readings.get(question.reading_id)
        told = told_of(question, page_names(await self.books.outline(reading.book_id)))
        text = f"{told} More has been read since."
        return (DueMessage(thread=timer.thread, text=text, member_id=question.member_id, choices=choices_of(question)),)

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Say nothing: it is kept still, and comes back at the next page at which it would."""
        return ()
