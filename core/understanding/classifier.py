"""The fitted model: how likely a message is for the bot, and what is wanted.

Both are logistic regressions over the features of a message (`features.py`). The weights ship beside this module;
`python -m benchmarks.understanding --write` fits them again.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from core.domain.conversation import Line
from core.domain.understanding import Intent
from core.understanding.features import Sparse, dense, encoder, words_and_letters
from core.understanding.talk import in_its_talk

_LOADING: Final = Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """One logistic regression: a row of weights a column, sparse ones first, a column a class."""

    sparse: NDArray[np.float32]
    dense: NDArray[np.float32]
    base: NDArray[np.float32]

    def scores(self, sparse: Sparse, values: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the score of each class."""
        columns, weights = sparse
        found: NDArray[np.float32] = weights @ self.sparse[columns] + values @ self.dense + self.base
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """What tells messages apart. `rarity` weighs words; `sure`, `likely` and `perhaps` are chances to speak from."""

    rarity: NDArray[np.float32]
    to_bot: Linear
    intents: Linear
    tags: Linear
    sure: float
    likely: float
    perhaps: float

    def chance_of_bot(
        self, line: Line, before: Sequence[Line], intents: Mapping[Intent, float], *, direct: bool
    ) -> float:
        """Return how likely a message with such `intents` is for the bot, from 0 to 1; the last dozen lines count."""
        wanted = np.fromiter(intents.values(), np.float32, len(intents))
        features = in_its_talk(line, before, wanted, direct=direct)
        score = self.to_bot.scores(words_and_letters(line.text, self.rarity), features)
        return float(1 / (1 + np.exp(-score[0])))

    def chances(self, line: Line, before: Sequence[Line], *, direct: bool) -> dict[Intent, float]:
        """Return how likely each intent is; together 1."""
        features = dense(line, before[-2:], direct=direct)
        scores = self.intents.scores(words_and_letters(line.text, self.rarity), features)
        shares = np.exp(scores - scores.max())
        return dict(zip(Intent, (shares / shares.sum()).tolist(), strict=True))


def classifier() -> Classifier:
    """Return the model that ships, with its encoder; the first call takes about 2 s and 120 MB."""
    with _LOADING:  # a second thread waits, and doesn't load it again
        return _loaded()


async def ready() -> None:
    """Load the model that ships, unless it is there; the event loop stays free."""
    if not _loaded.cache_info().currsize:
        await asyncio.to_thread(classifier)


@cache
def _loaded() -> Classifier:
    encoder()
    return read_classifier(files("core.understanding").joinpath("model.npz").read_bytes())


def read_classifier(data: bytes) -> Classifier:
    """Read a model from its file's bytes."""
    with np.load(BytesIO(data)) as stored:
        kept = {name: stored[name].astype(np.float32) for name in stored.files}
    sure, likely, perhaps = kept["limits"].tolist()
    return Classifier(
        rarity=kept["rarity"],
        to_bot=_linear(kept, "to_bot"),
        intents=_linear(kept, "intents"),
        tags=_linear(kept, "tags"),
        sure=sure,
        likely=likely,
        perhaps=perhaps,
    )


def _linear(kept: dict[str, NDArray[np.float32]], name: str) -> Linear:
    return Linear(sparse=kept[f"{name}_sparse"], dense=kept[f"{name}_dense"], base=kept[f"{name}_base"])
