"""What an organiser should know about the bot's rights: kept until one of them uses a command, then said once."""

from collections.abc import Hashable


class OrganiserNotices:
    """The sentences for the organisers of each server or workspace, each said once in the life of this process."""

    def __init__(self) -> None:
        self._all: dict[Hashable, list[str]] = {}
        self._told: set[tuple[Hashable, str]] = set()

    def add(self, sentence: str, *, of: Hashable = None) -> None:
        """Keep a sentence for the organisers of a server; without one, for those of every server."""
        self._all.setdefault(of, []).append(sentence)

    def has(self, of: Hashable) -> bool:
        """Whether the organisers of a server have not been told everything yet."""
        return any((of, each) not in self._told for each in (*self._all.get(None, []), *self._all.get(of, [])))

    def take(self, of: Hashable) -> list[str]:
        """Return what the organisers of a server have not been told yet; from now on they have."""
        sentences = dict.fromkeys([*self._all.get(None, []), *self._all.get(of, [])])
        new = [each for each in sentences if (of, each) not in self._told]
        self._told.update((of, each) for each in new)
        return new
