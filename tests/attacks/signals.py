"""What a member sees of a turn, and three simple classifiers that try to tell two kinds of turns apart by it."""

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import Final

from core.language.words import words

_FOLDS: Final = 5
_FOLDINGS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A reply and the reactions on the way to it; turns of one `group` are never both learned from and guessed."""

    text: str
    reactions: tuple[str, ...]
    group: int


Rule = Callable[[Seen], bool]
"""Guesses whether a turn is of the second kind."""

Learner = Callable[[Sequence[Seen], Sequence[Seen]], Rule]
"""Learns a rule from turns of the first kind and of the second."""


def by_length(first: Sequence[Seen], second: Sequence[Seen]) -> Rule:
    """Cut at the number of words that tells them apart best, whichever side is the longer."""
    wrong, right = ([len(seen.text.split()) for seen in kind] for kind in (first, second))

    def hits(cut: int, longer: bool) -> float:
        share, mistaken = (sum((length >= cut) is longer for length in kind) / len(kind) for kind in (right, wrong))
        return share - mistaken

    cuts = sorted({*wrong, *right})
    cut, longer = max(((cut, longer) for cut in cuts for longer in (True, False)), key=lambda rule: hits(*rule))
    return lambda seen: (len(seen.text.split()) >= cut) is longer


_words = cache(words)
"""The words of a reply, which is learned from in most of the folds."""


def by_words(first: Sequence[Seen], second: Sequence[Seen]) -> Rule:
    """Naive Bayes over bags of words, with add-one smoothing."""
    bags = [Counter(word for seen in kind for word in _words(seen.text)) for kind in (first, second)]
    vocabulary = len(set().union(*bags)) + 1
    totals = [sum(bag.values()) + vocabulary for bag in bags]

    def rule(seen: Seen) -> bool:
        scores = [
            sum(math.log((bag[word] + 1) / total) for word in _words(seen.text))
            for bag, total in zip(bags, totals, strict=True)
        ]
        return scores[1] > scores[0]

    return rule


def by_reactions(first: Sequence[Seen], second: Sequence[Seen]) -> Rule:
    """Guess whichever kind had a sequence of reactions the more often."""
    counts = [Counter(seen.reactions for seen in kind) for kind in (first, second)]
    return lambda seen: counts[1][seen.reactions] / len(second) > counts[0][seen.reactions] / len(first)


LEARNERS: Mapping[str, Learner] = {"length": by_length, "words": by_words, "reactions": by_reactions}


def balanced_accuracy(learner: Learner, first: Sequence[Seen], second: Sequence[Seen]) -> float:
    """Return how well a learner tells unseen turns of two kinds apart, 0.5 for not at all.

    By folds over groups, and as the mean over several ways to fold, since one way alone is luck.
    """
    groups = sorted({seen.group for seen in (*first, *second)})
    return fmean(_folded(learner, first, second, _folds(groups, seed)) for seed in range(_FOLDINGS))


def _folds(groups: Sequence[int], seed: int) -> dict[int, int]:
    shuffled = list(groups)
    random.Random(seed).shuffle(shuffled)
    return {group: at % _FOLDS for at, group in enumerate(shuffled)}


def _folded(learner: Learner, first: Sequence[Seen], second: Sequence[Seen], fold_of: Mapping[int, int]) -> float:
    right: dict[bool, list[bool]] = {False: [], True: []}
    for fold in range(_FOLDS):
        learned = [[seen for seen in kind if fold_of[seen.group] != fold] for kind in (first, second)]
        rule = learner(*learned)
        for is_second, kind in ((False, first), (True, second)):
            right[is_second] += [rule(seen) is is_second for seen in kind if fold_of[seen.group] == fold]
    return fmean(sum(hits) / len(hits) for hits in right.values())
