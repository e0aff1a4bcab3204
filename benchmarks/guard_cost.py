"""What the guard costs on a long book: its indexes, the memory they hold, judging a reply and looking at a question.

    python -m benchmarks.guard_cost [TEXT] [--pages N]

TEXT has its pages divided by form feeds; without it, the sample novel is repeated with other numbers until it has N
pages (600). Its notes are made up: six a page, of fifteen of its words. Time is CPU time of this process, memory what
Python and numpy hold more than before.
"""

import argparse
import gc
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.labelled import SAMPLE
from core.domain.book import Page
from core.guard.book_index import index_book, index_notes
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score

_REPLIES = 200
_SENTENCES = 4
_WORDS_A_SENTENCE = 18
_NOTES_A_PAGE = 6
_WORDS_A_NOTE = 15
_EXEMPT = Exempt.of("Short Weight", None, None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", type=Path)
    parser.add_argument("--pages", type=int, default=600)
    given = parser.parse_args()
    pages = pages_of(given.text, given.pages)
    fitted_score()
    index_book(pages[:2])  # loads stemmer and sentence rules
    index = index_book(pages)
    print(f"{len(pages)} pages, {len(index.token_word)} words, {index.sentences} sentences")
    show_index("index", lambda: index_book(pages))
    noted = notes_on(pages)
    show_index(f"index of {len(noted)} notes", lambda: index_notes(noted, index))
    judge = Judge(index=index, last_page=len(pages) // 2, fitted=fitted_score())
    drafts = replies(pages)
    show(f"a reply of {_SENTENCES} sentences", judge.verdicts, drafts)
    with_notes = replace(judge, notes=index_notes(noted, index))
    show(f"a reply of {_SENTENCES} sentences, with notes", with_notes.verdicts, drafts)
    questions = [draft.partition(".")[0] + "?" for draft in drafts]
    show(f"a question of {_WORDS_A_SENTENCE} words, by the rules alone", judge.revealed_page, questions)


def show_index(what: str, build: Callable[[], object]) -> None:
    gc.collect()
    tracemalloc.start()
    held = build()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del held
    began = time.process_time()
    build()
    print(f"  {what}: built in {time.process_time() - began:.2f} s of CPU, holds {size / 1e6:.1f} MB")


def show(what: str, look: Callable[[str, Exempt], object], texts: Sequence[str]) -> None:
    times = []
    for text in texts:
        began = time.process_time()
        look(text, _EXEMPT)
        times.append((time.process_time() - began) * 1_000)
    print(f"  {what}: {np.median(times):.2f} ms, p95 {np.percentile(times, 95):.2f} ms of CPU")


def pages_of(text: Path | None, count: int) -> list[Page]:
    if text is not None:
        parts = text.read_text(encoding="utf-8").split("\f")
    else:
        novel = (SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")
        parts = [f"{novel[at % len(novel)]}\n\nTicket {at} of the series." for at in range(count)]
    return [Page(number=number, text=part) for number, part in enumerate(parts, start=1)]


def notes_on(pages: list[Page]) -> list[tuple[int, str]]:
    drawn = np.random.default_rng(1)
    return [
        (page.number, f"The {' '.join(drawn.choice(page.text.split(), size=_WORDS_A_NOTE)).lower().replace('.', '')}.")
        for page in pages
        for _ in range(_NOTES_A_PAGE)
    ]


def replies(pages: list[Page]) -> list[str]:
    """Sentences of words from anywhere in the book: each has something to look up, none stands there."""
    words = [word for page in pages for word in page.text.split()]
    drawn = np.random.default_rng(1)
    return [
        " ".join(
            f"The {' '.join(drawn.choice(words, size=_WORDS_A_SENTENCE)).lower().replace('.', '')}."
            for _ in range(_SENTENCES)
        )
        for _ in range(_REPLIES)
    ]


if __name__ == "__main__":
    main()
