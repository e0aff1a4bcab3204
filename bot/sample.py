"""The novel that comes with the program."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleBook:
    """The sample's file, and what its meta.json says of it."""

    path: Path
    title: str
    author: str


def sample_book(folder: Path) -> SampleBook:
    """Read the sample's meta.json."""
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    return SampleBook(path=folder / "novel.txt", title=meta["title"], author=meta["author"])
