"""Questions that members keep until more has been read: kept, brought back to the member alone, asked or dropped.

They are never held against unread pages: that one comes back says only that its member has read further.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from core.answering.positions import PositionService
from core.club.commands.open_books import own_position
from core.club.commands.values import Choice
from core.club.schedule.schedules import Schedules
from core.domain.later import MOST_KEPT, LaterQuestion, comes_back
from core.domain.position import Position
from core.domain.reading import PositionOwner
from core.domain.thread import Thread
from core.domain.timer import Timer
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.later_questions import LaterQuestions
from core.ports.timers import TimerTable

ASK_NOW: Final = ".later-ask"
KEEP_ON: Final = ".later-keep"
DROP: Final = ".later-drop"
LATER_KIND: Final = "later"
LATER_ID: Final = "later_id"
_WORTH_TELLING: Final = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Later:
    """Keeps questions, and has those told that have come to their page."""

    questions: LaterQuestions
    positions: PositionService
    clubs: ClubRepository
    books: BookRepository
    timers: TimerTable
    schedules: Schedules
    clock: Clock

    async def keep(self, owner: PositionOwner, member_id: str, text: str) -> bool:
        """Keep a question at where its member stands now; False where they keep too many already."""
        position = await self._position(owner, member_id) or 0
        question = LaterQuestion(
            reading_id=owner.reading_id,
            member_id=member_id,
            text=text,
            asked_page=position,
            told_page=position,
        )
        return await self.questions.keep(question, most=MOST_KEPT)

    async def has_own(self, owner: PositionOwner, member_id: str) -> bool:
        """Whether a member's questions go by a page of their own."""
        return await self.clubs.member_position(owner.reading_id, member_id) is not None

    async def of_member(self, owner: PositionOwner, member_id: str) -> list[LaterQuestion]:
        """Return what a member keeps."""
        kept = await self.questions.of_reading(owner.reading_id)
        return [each for each in kept if each.member_id == member_id]

    async def moved(self, owner: PositionOwner, thread: Thread) -> None:
        """Have those questions told whose members have read so much since, by a move of this owner or their own."""
        kept = await self.questions.of_reading(owner.reading_id)
        if not kept:
            return
        story_end = (await self.books.outline(owner.book_id)).story_end
        section_ends = await self._section_ends(owner)
        stands = {each: await self._position(owner, each) or 0 for each in {one.member_id for one in kept}}
        for question in kept:
            position = stands[question.member_id]
            if comes_back(question.told_page, position, story_end=story_end, section_ends=section_ends):
                await self.timers.keep(self._timer(question, thread))
                await self.questions.told(question.later_id, page=position)

    async def _section_ends(self, owner: PositionOwner) -> list[int]:
        """Return the last pages of the sections that the club reads in; none where it keeps no schedule."""
        kept = await self.schedules.get(owner.reading_id)
        return [] if kept is None else [section.last_page for section in kept.sections]

    def _timer(self, question: LaterQuestion, thread: Thread) -> Timer:
        """Return what has a question told now; by its name it is told once after each time that it was."""
        return Timer(
            kind=LATER_KIND,
            name=f"{question.later_id}:{question.told_page}",
            thread=thread,
            due=self.clock.now(),
            late=_WORTH_TELLING,
            reading_id=question.reading_id,
            member_id=question.member_id,
            payload={LATER_ID: str(question.later_id)},
        )

    async def _position(self, owner: PositionOwner, member_id: str) -> Position:
        return await own_position(owner, member_id, clubs=self.clubs, positions=self.positions)


def told_of(question: LaterQuestion, name: Callable[[int], str]) -> str:
    """Return the line that tells a member what they asked, by the page as it is printed."""
    where = f"on p. {name(question.asked_page)}" if question.asked_page else "before the first page"
    return f"You asked {where}: “{question.text}”"


def choices_of(question: LaterQuestion) -> tuple[Choice, ...]:
    """Return what can be done about a question."""
    words = ((ASK_NOW, "Ask now"), (KEEP_ON, "Keep"), (DROP, "Drop"))
    return tuple(Choice(label=label, command=command, text=str(question.later_id)) for command, label in words)
