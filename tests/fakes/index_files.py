"""Files of indexes that are none."""

from collections.abc import Collection

from core.ports.index_files import Arrays, IndexFiles, IndexName


class InMemoryIndexFiles(IndexFiles):
    """Keeps what is saved, and which names were asked for and found."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], tuple[str, Arrays]] = {}
        self.found: list[IndexName] = []

    def load(self, name: IndexName) -> Arrays | None:
        version, arrays = self.kept.get((name.content_hash, name.kind), ("", {}))
        if version != name.version:
            return None
        self.found.append(name)
        return arrays

    def save(self, name: IndexName, arrays: Arrays) -> None:
        self.kept[name.content_hash, name.kind] = name.version, {key: each.copy() for key, each in arrays.items()}

    def keep_only(self, content_hashes: Collection[str]) -> None:
        self.kept = {key: value for key, value in self.kept.items() if key[0] in content_hashes}
