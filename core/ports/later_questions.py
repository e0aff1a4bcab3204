"""Port: the questions that members keep for later."""

from typing import Protocol

from core.domain.later import LaterQuestion


class LaterQuestions(Protocol):
    """Questions of members in readings; they go with the reading, and when the member is forgotten."""

    async def keep(self, question: LaterQuestion, *, most: int) -> bool:
        """Keep a question; False where its member keeps so many in this reading already. The same one is kept once.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """

    async def of_reading(self, reading_id: str) -> list[LaterQuestion]:
        """Return the questions of all members, the earliest kept first."""

    async def get(self, later_id: int) -> LaterQuestion | None:
        """Return a question; None where it is gone."""

    async def drop(self, later_id: int, member_id: str) -> None:
        """Forget a question of this member's; nothing where there is none."""
