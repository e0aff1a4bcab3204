"""How well search finds the page that answers, beside a yardstick on the same questions at the same positions."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.evaluation.intervals import Estimate, mean, paired_difference, share
from bot.evaluation.labels import LabelledQuestion
from core.domain.passage import SearchResult

DEPTH = 20
_CUTS = (1, 5, DEPTH)
_MRR_DEPTH = 10

Find = Callable[[LabelledQuestion], Awaitable[Sequence[tuple[int, int]]]]
"""Finds first and last page of up to `DEPTH` results, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The rank, from 1, of the first result that covers a page of the answer; None beyond the depth. On both sides."""

    ours: int | None
    yardstick: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Figures by name (`hit@1`, `mrr@10`, ...): ours, the yardstick's, and the paired difference."""

    questions: int
    ours: Mapping[str, Estimate]
    yardstick: Mapping[str, Estimate]
    difference: Mapping[str, Estimate]


async def score(questions: Sequence[LabelledQuestion], *, ours: Find, yardstick: Find) -> list[Score]:
    """Ask both sides every question."""
    return [
        Score(
            ours=_rank(await ours(question), question.answer_pages),
            yardstick=_rank(await yardstick(question), question.answer_pages),
        )
        for question in questions
    ]


def pages_of(results: Sequence[SearchResult]) -> list[tuple[int, int]]:
    """Return what a result covers."""
    return [(result.start_page, result.end_page) for result in results]


def report(scores: Sequence[Score]) -> Report:
    """Sum the scores up; there is at least one."""
    ours, yardstick = [one.ours for one in scores], [one.yardstick for one in scores]
    return Report(
        questions=len(scores),
        ours=_figures(ours),
        yardstick=_figures(yardstick),
        difference={
            name: paired_difference(mine, theirs)
            for (name, mine), theirs in zip(_values(ours).items(), _values(yardstick).values(), strict=True)
        },
    )


def _figures(ranks: Sequence[int | None]) -> dict[str, Estimate]:
    return {
        name: share([bool(value) for value in values]) if name.startswith("hit") else mean(values)
        for name, values in _values(ranks).items()
    }


def _values(ranks: Sequence[int | None]) -> dict[str, list[float]]:
    hits = {f"hit@{cut}": [float(rank is not None and rank <= cut) for rank in ranks] for cut in _CUTS}
    reciprocal = [1 / rank if rank is not None and rank <= _MRR_DEPTH else 0.0 for rank in ranks]
    return {**hits, f"mrr@{_MRR_DEPTH}": reciprocal}


def _rank(found: Sequence[tuple[int, int]], wanted: frozenset[int]) -> int | None:
    covering = (
        rank
        for rank, (first, last) in enumerate(found[:DEPTH], start=1)
        if any(first <= page <= last for page in wanted)
    )
    return next(covering, None)
