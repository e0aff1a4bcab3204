"""Gradient boosting of small decision trees, in numpy alone: the same numbers give the same trees, bit for bit.

After Friedman, "Greedy Function Approximation: A Gradient Boosting Machine", 2001, and "Stochastic Gradient Boosting",
2002. Nothing here depends on how many threads there are, on the hashes of strings or on the version of a fitting
library; sums are taken in the order of the rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.guard.score import Trees

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_DEPTH = 3
_BINS = 64
_NO_SPLIT = 1e30
_TIED = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """How trees are grown: so many for each seed, each adding `rate` of its answer.

    A tree sees a `share_of_rows`, and each of its splits a `share_of_features`, both drawn; no leaf has fewer than
    `least` of the rows that it sees.
    """

    seeds: tuple[int, ...] = (1, 2)
    trees: int = 250
    rate: float = 0.05
    share_of_rows: float = 0.6
    share_of_features: float = 0.3
    least: int = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class _Binned:
    """Values as numbers of bins, and the upper edge of each bin (a row a feature)."""

    codes: Ints
    edges: Floats


def boosted(names: tuple[str, ...], values: Floats, wanted: Bools, growth: Growth) -> Trees:
    """Fit the log-odds of `wanted` on `values`, a row a case and a column a feature; all seeds make one model."""
    binned = _bins(values)
    base = float(np.log(wanted.mean() / (1 - wanted.mean())))
    grown = [tree for seed in growth.seeds for tree in _grown(binned, wanted, base, growth, seed)]
    rate = growth.rate / len(growth.seeds)
    return Trees(
        features=names,
        base=_digits(base),
        split=np.array([tree.split for tree in grown]),
        thresholds=np.array([tree.thresholds for tree in grown]),
        leaves=np.array([[_digits(leaf * rate) for leaf in tree.leaves.tolist()] for tree in grown]),
    )


def _digits(value: float) -> float:
    """Keep five digits of a number: it is written so."""
    return float(f"{value:.5g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    split: Ints
    thresholds: Floats
    leaves: Floats


def _bins(values: Floats) -> _Binned:
    """Cut each feature where as many rows lie on both sides, at values that occur: ties never part."""
    edges = np.full((values.shape[1], _BINS), _NO_SPLIT)
    codes = np.zeros(values.shape, dtype=np.intp)
    shares = np.arange(1, _BINS) / _BINS
    for at, column in enumerate(values.T):
        cuts = np.unique(np.quantile(column, shares, method="lower"))
        cuts = cuts[cuts < column.max()]
        edges[at, : len(cuts)] = cuts
        codes[:, at] = np.searchsorted(cuts, column, side="left")
    return _Binned(codes=codes, edges=edges)


def _grown(binned: _Binned, wanted: Bools, base: float, growth: Growth, seed: int) -> list[_Tree]:
    drawn = np.random.default_rng(seed)
    count = len(wanted)
    odds = np.full(count, base)
    trees = []
    for _ in range(growth.trees):
        chance = 1 / (1 + np.exp(-odds))
        rows = np.sort(drawn.permutation(count)[: int(growth.share_of_rows * count)])
        tree, leaf = _tree(binned, wanted - chance, chance * (1 - chance), rows, growth, drawn)
        odds += growth.rate * tree.leaves[leaf]
        trees.append(tree)
    return trees


def _tree(
    binned: _Binned, pull: Floats, certainty: Floats, rows: Ints, growth: Growth, drawn: np.random.Generator
) -> tuple[_Tree, Ints]:
    """Grow a tree on `rows`; return it, and in which of its leaves each row of all lies."""
    features = binned.codes.shape[1]
    split = np.zeros(2**_DEPTH - 1, dtype=np.intp)
    thresholds = np.full(2**_DEPTH - 1, _NO_SPLIT)
    node = np.zeros(len(pull), dtype=np.intp)
    for depth in range(_DEPTH):
        nodes = 2**depth
        looked_at = _looked_at(nodes, features, growth, drawn)
        gains = _gains(binned.codes[rows], node[rows], pull[rows], nodes, growth.least)
        gains[~looked_at] = 0.0
        best = gains.reshape(nodes, -1).argmax(axis=1)
        chosen, cut = np.divmod(best, _BINS)
        has_gain = gains.reshape(nodes, -1)[np.arange(nodes), best] > 0
        at = slice(nodes - 1, 2 * nodes - 1)
        split[at] = np.where(has_gain, chosen, 0)
        thresholds[at] = np.where(has_gain, binned.edges[chosen, cut], _NO_SPLIT)
        goes_right = has_gain[node] & (binned.codes[np.arange(len(node)), chosen[node]] > cut[node])
        node = 2 * node + goes_right
    leaves = 2**_DEPTH
    pulled = np.bincount(node[rows], weights=pull[rows], minlength=leaves)
    weight = np.bincount(node[rows], weights=certainty[rows], minlength=leaves)
    answers = np.divide(pulled, weight, out=np.zeros(leaves), where=weight > 0)
    return _Tree(split=split, thresholds=thresholds, leaves=answers), node


def _looked_at(nodes: int, features: int, growth: Growth, drawn: np.random.Generator) -> Bools:
    """Draw the features that each split may look at."""
    looked_at = np.zeros((nodes, features), dtype=bool)
    some = max(1, int(growth.share_of_features * features))
    for row in looked_at:
        row[drawn.permutation(features)[:some]] = True
    return looked_at


def _gains(codes: Ints, node: Ints, pull: Floats, nodes: int, least: int) -> Floats:
    """Return what each split gains: by node, feature, and the last bin that goes left."""
    features = codes.shape[1]
    places = ((node[:, None] * features + np.arange(features)) * _BINS + codes).ravel()
    size, shape = nodes * features * _BINS, (nodes, features, _BINS)
    counts = np.bincount(places, minlength=size).reshape(shape).cumsum(axis=2)
    sums = np.bincount(places, weights=np.repeat(pull, features), minlength=size).reshape(shape).cumsum(axis=2)
    others, rest = counts[:, :, -1:] - counts, sums[:, :, -1:] - sums
    is_split = (counts >= least) & (others >= least)
    apart = sums / np.maximum(counts, 1) - rest / np.maximum(others, 1)
    gains = np.where(is_split, counts * others / np.maximum(counts + others, 1) * apart**2, 0.0)
    return np.asarray(
        np.round(gains, _TIED)
    )  # of splits that part the rows alike the first is taken, whatever the last bits say
