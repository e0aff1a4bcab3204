"""Port: the aliases of a reading, as organisers set them."""

from typing import Protocol

from core.domain.alias import Alias


class AliasRepository(Protocol):
    """Stores aliases. They are deleted with their reading. Names are compared by `Alias.key`."""

    async def of_reading(self, reading_id: str) -> list[Alias]:
        """Return all aliases of a reading, regardless of the page they were set at."""

    async def put(self, reading_id: str, alias: Alias) -> None:
        """Store an alias; it replaces one of the same name at the same page.

        Raises:
            BookError: NOT_FOUND, the reading is gone.
        """

    async def remove(self, reading_id: str, name: str, *, up_to: int) -> None:
        """Delete the aliases of a name that were set at a page up to `up_to`, if there are any."""
