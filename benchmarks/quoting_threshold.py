"""Fit the quoting answer's threshold for "nothing fits", and print both error rates at every step.

    python -m benchmarks.quoting_threshold [FOLDER ...]

Folders are labelled books; without any, the sample novel and the practice books beside the repository, where present.
Chosen is the highest threshold at which at most one answerable question in ten is wrongly refused.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from benchmarks.labelled import Question, folders, import_labelled, throwaway_house
from core.agent.strategies.quotations import best_sentences, choose_quotations

_PASSAGES = 12
_MOST_REFUSED = 0.10
_STEPS = [step / 50 for step in range(1, 31)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question, the best fit of any read sentence, and whether the page of its answer is among those quoted."""

    question: Question
    fit: float
    quotes_answer: bool


async def _cases(chosen: Sequence[Path]) -> list[Case]:
    async with throwaway_house() as house:
        cases = []
        for question in await import_labelled(house, chosen):
            passages = await house.search.execute(
                question.book_id, question.text, position=question.at_page, top_k=_PASSAGES
            )
            quoted = choose_quotations(question.text, passages, threshold=0)
            cases.append(
                Case(
                    question=question,
                    fit=max((best.fit for best in best_sentences(question.text, passages) if best), default=0.0),
                    quotes_answer=any(quotation.page in question.answer_pages for quotation in quoted),
                )
            )
        return cases


def _share_answered(cases: Sequence[Case], kind: str, threshold: float) -> float:
    of_kind = [case for case in cases if case.question.kind == kind]
    return sum(case.fit >= threshold for case in of_kind) / len(of_kind)


def main() -> None:
    cases = asyncio.run(_cases(folders(sys.argv[1:])))
    for folder, group in groupby(cases, key=lambda case: case.question.folder):
        answerable = [case for case in group if case.question.kind == "answerable"]
        quoted = sum(case.quotes_answer for case in answerable)
        print(f"{folder}: {quoted} of {len(answerable)} answerable questions have the page of their answer quoted")
    print("\nthreshold  answerable refused  ahead answered")
    for step in _STEPS:
        refused, ahead = 1 - _share_answered(cases, "answerable", step), _share_answered(cases, "ahead", step)
        print(f"{step:9.2f}  {refused:18.2f}  {ahead:14.2f}")
    chosen = max(step for step in _STEPS if 1 - _share_answered(cases, "answerable", step) <= _MOST_REFUSED)
    print(f"\nchosen: {chosen:.2f}")


if __name__ == "__main__":
    main()
