"""What an organiser should know about the bot's rights: kept until one of them uses a command, then said once."""

from typing import Final

NO_CONTENT: Final = (
    "I only hear messages that name me: the Message Content intent is off. Whoever runs me can switch it on."
)
_EVERYWHERE: Final = 0


class Notes:
    """The sentences for the organisers of each server, each said once in the life of this process."""

    def __init__(self) -> None:
        self._all: dict[int, list[str]] = {}
        self._told: set[tuple[int, str]] = set()

    def add(self, sentence: str, *, guild_id: int = _EVERYWHERE) -> None:
        """Keep a sentence for a server; without one, for every server."""
        self._all.setdefault(guild_id, []).append(sentence)

    def take(self, guild_id: int) -> list[str]:
        """Return what the organisers of a server have not been told yet; from now on they have."""
        sentences = dict.fromkeys([*self._all.get(_EVERYWHERE, []), *self._all.get(guild_id, [])])
        new = [each for each in sentences if (guild_id, each) not in self._told]
        self._told.update((guild_id, each) for each in new)
        return new
