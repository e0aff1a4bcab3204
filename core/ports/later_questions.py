"""Port: questions that members save for later."""

from typing import Protocol

from core.domain.later import LaterQuestion


class LaterQuestions(Protocol):
    """Stores members' questions. They are deleted with the reading or the member."""

    async def keep(self, question: LaterQuestion, *, most: int) -> bool:
        """Store a question, the same one only once; False if its member has `most` questions in this reading already.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """

    async def of_reading(self, reading_id: str) -> list[LaterQuestion]:
        """Return the questions of all members, oldest first."""

    async def get(self, later_id: int) -> LaterQuestion | None:
        """Return a question; None if it is gone."""

    async def drop(self, later_id: int, member_id: str) -> None:
        """Delete a question of this member, if there is one."""
