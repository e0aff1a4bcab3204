"""Port: who stands for whom in a reading, as organisers said it."""

from typing import Protocol

from core.domain.alias import Alias


class AliasRepository(Protocol):
    """Aliases of readings; they go with their reading. Names are told apart as `Alias.key` does."""

    async def of_reading(self, reading_id: str) -> list[Alias]:
        """Return all of them, whatever page they were said at."""

    async def put(self, reading_id: str, alias: Alias) -> None:
        """Keep an alias, in place of what was said of this name at this page.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """

    async def remove(self, reading_id: str, name: str, *, up_to: int) -> None:
        """Drop what was said of a name at a page up to this one; there need be nothing."""
