"""What the guard costs on a long book: its index, the memory that holds, judging a reply and looking at a question.

    python -m benchmarks.guard_cost [TEXT] [--pages N]

TEXT has its pages divided by form feeds; without it, the sample novel is repeated with other numbers until it has N
pages (600). Time is CPU time of this process, memory what Python and numpy hold more than before.
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
from core.guard.book_index import index_book
from core.guard.judge import Exempt, Judge, JudgedText
from core.guard.score import fitted_score

_REPLIES = 200
_SENTENCES = 4
_WORDS_A_SENTENCE = 18


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("text", nargs="?", type=Path)
    parser.add_argument("--pages", type=int, default=600)
    given = parser.parse_args()
    pages = pages_of(given.text, given.pages)
    fitted_score()
    index_book(pages[:2])  # loads stemmer and sentence rules
    gc.collect()
    tracemalloc.start()
    index = index_book(pages)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    began = time.process_time()
    index_book(pages)
    print(f"{len(pages)} pages, {len(index.token_word)} words, {index.sentences} sentences")
    print(f"  index: built in {time.process_time() - began:.2f} s of CPU, holds {held / 1e6:.1f} MB")
    judge = Judge(index=index, last_page=len(pages) // 2, fitted=fitted_score())
    drafts = replies(pages)
    show(f"a reply of {_SENTENCES} sentences", judge.verdicts, drafts)
    questions = [replace(draft, text=draft.text.partition(".")[0] + "?") for draft in drafts]
    show(f"a question of {_WORDS_A_SENTENCE} words, by the rules alone", judge.revealed_page, questions)


def show(what: str, look: Callable[[JudgedText], object], texts: Sequence[JudgedText]) -> None:
    times = []
    for text in texts:
        began = time.process_time()
        look(text)
        times.append((time.process_time() - began) * 1_000)
    print(f"  {what}: {np.median(times):.2f} ms, p95 {np.percentile(times, 95):.2f} ms of CPU")


def pages_of(text: Path | None, count: int) -> list[Page]:
    if text is not None:
        parts = text.read_text(encoding="utf-8").split("\f")
    else:
        novel = (SAMPLE / "novel.txt").read_text(encoding="utf-8").split("\f")
        parts = [f"{novel[at % len(novel)]}\n\nTicket {at} of the series." for at in range(count)]
    return [Page(number=number, text=part) for number, part in enumerate(parts, start=1)]


def replies(pages: list[Page]) -> list[JudgedText]:
    """Sentences of words from anywhere in the book: each has something to look up, none stands there."""
    words = [word for page in pages for word in page.text.split()]
    drawn = np.random.default_rng(1)
    return [
        JudgedText(
            text=" ".join(
                f"The {' '.join(drawn.choice(words, size=_WORDS_A_SENTENCE)).lower().replace('.', '')}."
                for _ in range(_SENTENCES)
            ),
            exempt=Exempt.of("Short Weight", None, None),
        )
        for _ in range(_REPLIES)
    ]


if __name__ == "__main__":
    main()
