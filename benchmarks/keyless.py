"""How often the answers without a model show the labelled words whole, and how often with *More passages*.

    python -m benchmarks.keyless [FOLDER ...] [--show N]

Folders are labelled books, or hold some; without any, the sample novel and the practice books beside the repository.
`--show` prints the first answers of each book as a member sees them. Of questions whose answer lies ahead it says how
many get the fixed sentence; CPU is per answer, import and first question apart.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.labelled import Question, evidence_of, folded, folders, import_labelled, throwaway_house
from bot.wiring import Application
from core.answering.ask import AskRequest
from core.answering.extracts.places import SHOWN


@dataclass(slots=True)
class Tally:
    """What came of one book's questions; CPU in milliseconds."""

    asked: int = 0
    first: int = 0
    two: int = 0
    refused: int = 0
    ahead: int = 0
    ahead_refused: int = 0
    cpu: list[float] = field(default_factory=list)


async def _answers(house: Application, question: Question) -> tuple[list[str], bool, float]:
    """Return the answer and the next passages, whether anything was found, and what the answer took."""
    began = time.process_time()
    response = await house.ask.execute(
        AskRequest(question=question.text, book_id=question.book_id, page=question.at_page)
    )
    took = 1_000 * (time.process_time() - began)
    texts = [response.text]
    if response.outcome.has_more:
        book = await house.library.get(question.book_id)
        searched = response.outcome.rewritten_query or question.text
        other = await house.quoting.more_passages(searched, book=book, position=question.at_page, skipping=SHOWN)
        texts.append(other.text)
    return [folded(text.replace("**", "")) for text in texts], bool(response.outcome.sources), took


async def _measure(chosen: Sequence[Path], show: int) -> dict[str, Tally]:
    evidence, tallies = evidence_of(chosen), defaultdict[str, Tally](Tally)
    async with throwaway_house() as house:
        for question in await import_labelled(house, chosen):
            tally = tallies[question.folder]
            texts, is_found, took = await _answers(house, question)
            tally.cpu.append(took)
            if question.kind == "ahead":
                tally.ahead += 1
                tally.ahead_refused += not is_found
            if question.kind != "answerable":
                continue
            labelled = evidence[question.folder, question.text]
            holds = [any(each in text for each in labelled) for text in texts]
            tally.asked += 1
            tally.first += holds[0]
            tally.two += any(holds)
            tally.refused += not is_found
            if tally.asked <= show:
                print(f"\n### {question.folder}, p. {question.at_page}: {question.text}\n{texts[0]}")
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    tallies = asyncio.run(_measure(folders(given.folders), given.show))
    print("\nbook                 asked  whole  with more  refused  ahead refused  CPU ms")
    for name, tally in tallies.items():
        print(
            f"{name:20} {tally.asked:5}  {tally.first:5}  {tally.two:9}  {tally.refused:7}  "
            f"{tally.ahead_refused:6} of {tally.ahead:3}  {median(tally.cpu):6.1f}"
        )
    asked = sum(tally.asked for tally in tallies.values())
    first, two = [sum(each) / max(asked, 1) for each in zip(*((t.first, t.two) for t in tallies.values()), strict=True)]
    print(f"of {asked}: {first:.0%} whole, {two:.0%} with more")


if __name__ == "__main__":
    main()
