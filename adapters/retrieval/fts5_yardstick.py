"""A baseline for benchmarks: SQLite's full-text search with stemming over whole pages."""

import re
import sqlite3
from collections.abc import Sequence

from core.domain.book import Page

_WORD = re.compile(r"\w+")


class Fts5Yardstick:
    """Pages ranked by bm25, with the query's words quoted and joined by OR."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("CREATE VIRTUAL TABLE page USING fts5(text, tokenize = 'porter unicode61')")
        self._database.executemany(
            "INSERT INTO page (rowid, text) VALUES (?, ?)", [(page.number, page.text) for page in pages]
        )

    def search(self, query: str, *, last_page: int, limit: int) -> list[int]:
        """Return the numbers of the best pages up to `last_page`."""
        return [number for number, _ in self._best(query, last_page, limit)]

    def snippets(self, query: str, *, last_page: int, limit: int) -> list[str]:
        """Return the best pages up to `last_page`, each clipped to 64 words around the query's words."""
        return [text for _, text in self._best(query, last_page, limit)]

    def _best(self, query: str, last_page: int, limit: int) -> list[tuple[int, str]]:
        words = _WORD.findall(query)
        if not words:
            return []
        found = self._database.execute(
            "SELECT rowid, snippet(page, 0, '', '', '', 64) FROM page WHERE page MATCH ? AND rowid <= ? "
            "ORDER BY bm25(page) LIMIT ?",
            (" OR ".join(f'"{word}"' for word in words), last_page, limit),
        )
        return found.fetchall()

    def close(self) -> None:
        """Close the database."""
        self._database.close()
