"""How people are introduced, to be judged by reading, and what `who`, `cast` and `recap` take.

    python -m benchmarks.people [FOLDER ...] [--most N]

Folders are labelled books; without any, the sample novel and the practice books beside the repository, where present.
Of each book the people who come up most are asked for at a quarter, at half and at the end; an introduction is printed
once for the positions at which it is the same. CPU is in milliseconds over 600 pages put together from all the books:
first call, and the median of five more.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from adapters.readers.choose import reader_for
from benchmarks.labelled import folders
from core.answering.extracts.cast import cast, places
from core.answering.extracts.character_card import portrait
from core.answering.extracts.introductions import introduction
from core.answering.extracts.people import find_known
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.story import recap
from core.domain.book import BookText, Chapter, Page

_SHARES = (0.25, 0.5, 1.0)
_PAGES = 600
_OF_CHAPTER = 15


def _read(text: BookText, position: int) -> ReadText:
    return ReadText(text.pages[:position], [each for each in text.chapters if each.first_page <= position])


def _show(folder: Path, text: BookText, most: int) -> None:
    print(f"\n### {folder.name}")
    for somebody in cast(_read(text, len(text.pages)), most=most):
        shown: list[str] = []
        for share in _SHARES:
            position = int(len(text.pages) * share)
            read = _read(text, position)
            mentions = find_known(read, somebody.name)
            told = " ".join(each.text for each in introduction(read, mentions)) if mentions else "(not met)"
            if told not in shown:
                print(f"{somebody.name}, to p. {position}: {told}")
                shown.append(told)


def _time(what: str, call: Callable[[], object]) -> None:
    took = []
    for _ in range(6):
        began = time.process_time()
        call()
        took.append(1_000 * (time.process_time() - began))
    print(f"{what:28} {took[0]:6.1f} {median(took[1:]):6.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--most", type=int, default=10)
    given = parser.parse_args()
    texts: list[BookText] = []
    for folder in folders(given.folders):
        file = next(path for name in ("book.txt", "novel.txt") if (path := folder / name).is_file())
        texts.append(reader_for(file).read(file))
        _show(folder, texts[-1], given.most)
    every: list[Page] = [page for text in texts for page in text.pages]
    pages = [replace(page, number=number) for number, page in enumerate(every[-_PAGES:], start=1)]
    starts = range(1, len(pages) + 1, _OF_CHAPTER)
    chapters = [
        Chapter(number=number, title=f"Chapter {number}", first_page=first, last_page=first + _OF_CHAPTER - 1)
        for number, first in enumerate(starts, start=1)
    ]
    read = ReadText(pages, chapters)
    print(f"\n{len(pages)} pages                   first   then (CPU ms)")
    _time("cast and places", lambda: (cast(read, most=12), places(read, most=6)))
    for somebody in cast(read, most=3):
        mentions = find_known(read, somebody.name)
        if mentions is not None:
            _time(f"who {somebody.name}", lambda found=mentions: portrait(read, found))  # type: ignore[misc]
    _time("who Nobody", lambda: find_known(read, "Nobody"))
    _time("recap", lambda: recap(read))


if __name__ == "__main__":
    main()
