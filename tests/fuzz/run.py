"""Reads mutated files of one format and tells what came of them; a long run by hand, a short one in the suite.

    python -m tests.fuzz.run pdf --first 0 --count 20000

Every outcome must be a book that keeps its promises, or one sentence. Each file that is about to be read is named on
stderr first, so that a crash of the process shows which one it was. The last line on stdout is the sum as JSON.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

from adapters.readers.choose import reader_for
from core.domain.book import BookText
from core.domain.errors import BookError
from core.language.chunking import chunk_pages
from tests.fuzz.mutations import case, kinds

_MARKS = frozenset("\ue000\ue001\ue002\ue003\ue004\f")


def outcome(path: Path) -> str:
    """Return `book` or `refused`. Raises AssertionError or whatever else should not happen."""
    try:
        book = reader_for(path).read(path)
    except BookError as error:
        message = str(error)
        assert message.endswith("."), message
        assert message.isprintable(), message
        assert path.name in message, message
        return "refused"
    _check(book)
    return "book"


def _check(book: BookText) -> None:
    count = len(book.pages)
    assert [page.number for page in book.pages] == list(range(1, count + 1))
    joined = "\f".join(page.text for page in book.pages)
    assert all(joined[page.start_offset :].startswith(page.text) for page in book.pages)
    assert all(before.start_offset < behind.start_offset for before, behind in pairwise(book.pages))
    assert not _MARKS & set("".join(page.text for page in book.pages))
    assert joined.encode()
    assert book.title
    assert 1 <= book.first_story_page <= (book.last_story_page or count) <= count
    assert [one.number for one in book.chapters] == list(range(1, len(book.chapters) + 1))
    assert all(1 <= one.first_page <= one.last_page <= count for one in book.chapters)
    assert all(one.title.isprintable() for one in book.chapters)
    assert chunk_pages(book.pages, book.chapters)


def main() -> None:
    """Run the cases that the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=kinds())
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=200, help="how many seeds")
    asked = parser.parse_args()
    outcomes: Counter[str] = Counter()
    slowest = (0.0, asked.first)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.first, asked.first + asked.count):
            ending, content = case(asked.kind, seed)
            path = Path(folder) / f"seed-{seed}{ending}"
            path.write_bytes(content)
            print(seed, file=sys.stderr, flush=True)  # noqa: T201
            began = time.process_time()
            outcomes[outcome(path)] += 1
            slowest = max(slowest, (time.process_time() - began, seed))
            path.unlink()
    seconds, seed = slowest
    print(json.dumps({**outcomes, "slowest_seconds": round(seconds, 3), "slowest_seed": seed}))  # noqa: T201


if __name__ == "__main__":
    main()
