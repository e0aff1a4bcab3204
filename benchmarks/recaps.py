"""How many labelled events the recap without a model tells, without reading notes and with them.

    python -m benchmarks.recaps [FOLDER ...] [--show]

Folders are labelled books with `notes.jsonl`, or hold some; without any, the practice books beside the repository.
The recap is asked for at a quarter, half, three quarters and the end of each book. An event is a labelled fact, twist
or paraphrase of the pages that the recap covers. It is told if a line cites its page or one beside it, and holds 35 %
of the weight of the event's words (rarer words weigh more). "In any note" counts the events that some read note tells
by the same measure. `--show` prints the recaps.
"""

import argparse
import asyncio
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from benchmarks.labelled import folders, throwaway_house
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.domain.note import Note
from core.language.words import content_stems

_SHARES = (0.25, 0.5, 0.75, 1.0)
_KINDS = ("fact", "twist", "paraphrase")
_HELD = 0.35
_LINE = re.compile(r"([^()]+) \(p\. (\d+)\)")
_COVERS = re.compile(r"^- \*\*.*?\(pp?\. (\d+)", re.MULTILINE)

Line = tuple[int, Collection[str]]
Event = dict[str, object]


class _Weights:
    """How rare the words are in a book's notes."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = len(notes)
        self._counts = Counter(stem for note in notes for stem in content_stems(note.text))

    def of(self, stems: Iterable[str]) -> float:
        return math.fsum(math.log(1 + self._notes / (1 + self._counts[stem])) for stem in stems)


def _is_told(event: Event, lines: Sequence[Line], weights: _Weights) -> bool:
    stems, page = content_stems(str(event["text"])), int(str(event["revealed_page"]))
    least = _HELD * weights.of(stems)
    return any(abs(each - page) <= 1 and weights.of(stems & set(held)) >= least for each, held in lines)


async def _recap(house: Application, book_id: str, page: int) -> str:
    asked = AskRequest(question="What has happened so far?", book_id=book_id, page=page)
    return (await house.ask.execute(asked)).text


async def _measure(folder: Path, *, show: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    labels = [json.loads(line) for line in (folder / "statements.jsonl").read_text(encoding="utf-8").splitlines()]
    async with throwaway_house() as house:
        book = (await house.library.add(folder / "book.txt", scope="local", title=folder.name)).book
        pages = [max(int(book.pages * share), 1) for share in _SHARES]
        before = [await _recap(house, book.book_id, page) for page in pages]
        await house.noted().notes.take((folder / "notes.jsonl").read_text(encoding="utf-8"), book=book)
        after = [await _recap(house, book.book_id, page) for page in pages]
        for page, *recaps in zip(pages, before, after, strict=True):
            noted = [note for number in range(1, page + 1) for note in await house.noted().notes.on_page(book, number)]
            weights = _Weights(noted)
            first = min(map(int, _COVERS.findall(recaps[0])), default=page)
            events = [each for each in labels if each["kind"] in _KINDS and first <= each["revealed_page"] <= page]
            found["events"] += len(events)
            every = [(note.page, content_stems(note.text)) for note in noted]
            found["in any note"] += sum(_is_told(each, every, weights) for each in events)
            for name, text in zip(("without", "with"), recaps, strict=True):
                lines = [(int(at), content_stems(told)) for told, at in _LINE.findall(text)]
                found[name] += sum(_is_told(each, lines, weights) for each in events)
                if show:
                    print(f"\n### {folder.name}, p. {page}, {name} notes\n{text}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    total: Counter[str] = Counter()
    print(f"{'book':20} events  in any note  told without notes  with")
    for folder in folders(given.folders):
        if (folder / "notes.jsonl").is_file() and (folder / "book.txt").is_file():
            found = asyncio.run(_measure(folder, show=given.show))
            total += found
            print(f"{folder.name:20} {_row(found)}")
    print(f"{'all':20} {_row(total)}")


def _row(found: Counter[str]) -> str:
    return f"{found['events']:6}  {found['in any note']:11}  {found['without']:18}  {found['with']:4}"


if __name__ == "__main__":
    main()
