"""How likely a line of a thread asks the bot something: its signals, weighed by numbers fitted on labelled threads.

The weights are in `fitted_talk.json`, which `benchmarks.listening_fit` writes.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from core.domain.conversation import Line
from core.understanding.talk_signals import signals


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkScore:
    """What each signal adds to the log-odds that the bot is asked, and the lines that chances are held against.

    From `likely` on a line is answered. Between `perhaps` and `sure` somebody who understands it may know better.
    """

    base: float
    weights: Mapping[str, float]
    perhaps: float
    likely: float
    sure: float

    def chance(self, found: Mapping[str, float]) -> float:
        """Return the chance, 0 to 1, that a line with these signals asks the bot something."""
        log_odds = self.base + sum(weight * found[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-log_odds))

    def reasons(self, found: Mapping[str, float], *, most: int = 3) -> tuple[str, ...]:
        """Return the signals that weigh most, the heaviest first; those that speak against begin with `not:`."""
        weighed = sorted(
            ((weight * found[name], name) for name, weight in self.weights.items()), key=lambda one: -abs(one[0])
        )
        return tuple(f"not: {name}" if weight < 0 else name for weight, name in weighed[:most] if weight)


def chance_of(line: Line, before: Sequence[Line]) -> tuple[float, tuple[str, ...]]:
    """Return how likely a line asks the bot something, and what weighs most in that."""
    found, score = signals(line, before), fitted_score()
    return score.chance(found), score.reasons(found)


@cache
def fitted_score() -> TalkScore:
    """Return the score that ships."""
    return read_talk_score(files("core.understanding").joinpath("fitted_talk.json").read_text(encoding="utf-8"))


def read_talk_score(text: str) -> TalkScore:
    """Return a score from its file's text."""
    told = json.loads(text)
    lines = told["lines"]
    return TalkScore(
        base=told["base"],
        weights=told["weights"],
        perhaps=lines["perhaps"],
        likely=lines["likely"],
        sure=lines["sure"],
    )
