"""Fit what tells messages apart on labelled wordings, and measure it on wordings of people who were left out.

    python -m benchmarks.understanding [THREADS.jsonl ...]           # leave one pass out, and the blind test set
    python -m benchmarks.understanding [THREADS.jsonl ...] --write   # fit on all passes, write the model that ships

`benchmarks/wordings/pass*.jsonl` were written in separate passes, each by another hand, blind to other lines and to any
rule; `test.jsonl` and `test2.jsonl` by two more. Whether the bot is spoken to is also learned from labelled threads:
those of fixtures/listening, `benchmarks/wordings/threads.jsonl`, and others that are named.
Needs the extra `bench` (scikit-learn).
"""

import sys
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from bot.evaluation.listening import LabelledLine, labelled_threads
from bot.evaluation.understanding import Labelled, UnderstandingReport, labelled_lines, report_on
from core.domain.conversation import Line
from core.domain.reading import Listen
from core.domain.understanding import Intent
from core.understanding import features
from core.understanding.classifier import Classifier, Linear
from core.understanding.features import BUCKETS, dense, hashed, in_short, words_and_letters
from core.understanding.slots import TAG_BUCKETS, TAGS, token_features, tokens
from core.understanding.talk import in_its_talk
from core.understanding.understand import by_form

_ROOT = Path(__file__).resolve().parent.parent
_WORDINGS = _ROOT / "benchmarks" / "wordings"
_THREADS = [_ROOT / "fixtures" / "listening" / "threads.jsonl", _WORDINGS / "threads.jsonl"]
_MODEL = _ROOT / "core" / "understanding" / "model.npz"
_PENALTY_OF_INTENTS, _PENALTY_OF_TAGS, _PENALTY_TO_BOT = 1.0, 1.0, 0.05
_RARELY = 2
_WEIGHT_OF_THREADS = 4.0
_PARTS = 4
_ROUNDS = 150
_LIMITS = (0.85, 0.55, 0.35)
"""Chances from which a message is surely, likely and perhaps for the bot."""


def fitted(lines: Sequence[Labelled], threads: Sequence[Labelled]) -> Classifier:
    """Return a model fitted on labelled lines, and on those of threads for whether the bot is spoken to."""
    asked = [each for each in lines if each.addressed != "no" or each.intent is Intent.SMALL_TALK]
    rarity = _rarity(asked)
    rows, intents = _matrix(asked, rarity), np.array([list(Intent).index(each.intent) for each in asked])
    to_all = _linear(rows, intents, _PENALTY_OF_INTENTS)
    told = [each for each in lines if each.addressed != "maybe" and not _is_plain(each)]
    held_out = _chances_held_out(rows, intents, told, asked, rarity)
    wanted = np.concatenate([held_out, _chances(to_all, _matrix(threads, rarity))])
    return Classifier(
        rarity=rarity,
        intents=to_all,
        to_bot=_linear(
            _matrix([*told, *threads], rarity, wanted),
            [int(each.addressed == "yes") for each in (*told, *threads)],
            _PENALTY_TO_BOT,
            weights=[1.0] * len(told) + [_WEIGHT_OF_THREADS] * len(threads),
        ),
        tags=_tagger(asked),
        sure=_LIMITS[0],
        likely=_LIMITS[1],
        perhaps=_LIMITS[2],
    )


def _chances_held_out(
    rows: csr_matrix,
    intents: NDArray[np.int64],
    told: Sequence[Labelled],
    asked: Sequence[Labelled],
    rarity: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return how likely each intent of some lines is, by models that have not seen the line."""
    parts, own = np.arange(len(asked)) % _PARTS, {id(each): at for at, each in enumerate(asked)}
    models = [_linear(rows[parts != part], intents[parts != part], _PENALTY_OF_INTENTS) for part in range(_PARTS)]
    told_rows = _matrix(told, rarity)
    by_each = np.array([_chances(model, told_rows) for model in models])
    part_of = np.array([own.get(id(each), at) % _PARTS for at, each in enumerate(told)])
    found: NDArray[np.float32] = by_each[part_of, np.arange(len(told))]
    return found


def _chances(model: Linear, rows: csr_matrix) -> NDArray[np.float32]:
    scores = rows @ np.vstack([model.sparse, model.dense]) + model.base
    shares: NDArray[np.float32] = np.exp(scores - scores.max(1, keepdims=True))
    shares /= shares.sum(1, keepdims=True)
    return shares


def _of_threads(files: Sequence[Path]) -> list[list[Labelled]]:
    """Return the lines of labelled threads that no form settles, a list a thread."""
    return [
        [found for each in thread.labelled() if not _is_plain(found := _in_thread(each, thread.before(each)))]
        for thread in labelled_threads(files)
    ]


def _in_thread(said: LabelledLine, before: Sequence[Line]) -> Labelled:
    return Labelled(
        line=said.line,
        before=tuple(before),
        direct=False,
        addressed="yes" if said.asks else "no",
        intent=Intent.SMALL_TALK,
        slots={},
        in_scope=True,
    )


def _is_plain(labelled: Labelled) -> bool:
    """Whether a line's form alone says who it is for."""
    return by_form(labelled.line, listen=Listen.QUESTIONS, direct=labelled.direct) is not None


def _rarity(lines: Sequence[Labelled]) -> NDArray[np.float32]:
    ones = np.ones(BUCKETS, np.float32)
    seen = np.zeros(BUCKETS)
    for each in lines:
        seen[words_and_letters(each.line.text, ones)[0]] += 1
    rarity = np.log((1 + len(lines)) / (1 + seen)) + 1
    rarity[seen < _RARELY] = 0
    return rarity.astype(np.float32)


def _matrix(
    lines: Sequence[Labelled], rarity: NDArray[np.float32], wanted: NDArray[np.float32] | None = None
) -> csr_matrix:
    """Return the features of lines; with what is likely `wanted` in each, those that tell whether the bot is asked."""
    rows = [words_and_letters(each.line.text, rarity) for each in lines]
    ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    values, columns = np.concatenate([row[1] for row in rows]), np.concatenate([row[0] for row in rows])
    if wanted is None:
        other = [dense(each.line, each.before[-2:], direct=each.direct) for each in lines]
    else:
        both = zip(lines, wanted, strict=True)
        other = [in_its_talk(each.line, each.before, chances, direct=each.direct) for each, chances in both]
    sparse = csr_matrix((values, columns, ends), shape=(len(rows), BUCKETS))
    return hstack([sparse, csr_matrix(np.array(other))]).tocsr()


def _linear(
    matrix: csr_matrix,
    classes: Sequence[int] | NDArray[np.int64],
    penalty: float,
    *,
    buckets: int = BUCKETS,
    weights: Sequence[float] | None = None,
) -> Linear:
    model = LogisticRegression(C=penalty, max_iter=_ROUNDS, tol=1e-3).fit(matrix, classes, sample_weight=weights)
    columns = model.coef_.T.astype(np.float32)
    return Linear(sparse=columns[:buckets], dense=columns[buckets:], base=model.intercept_.astype(np.float32))


def _tagger(lines: Sequence[Labelled]) -> Linear:
    rows, classes = [], []
    for each in lines:
        text = in_short(each.line.text)
        for speaking, tag in zip(token_features(text, each.before, each.intent), _tags(text, each), strict=True):
            rows.append(list(hashed(speaking, TAG_BUCKETS)))
            classes.append(TAGS.index(tag))
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate(rows)
    matrix = csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(rows), TAG_BUCKETS))
    return _linear(matrix, classes, _PENALTY_OF_TAGS, buckets=TAG_BUCKETS)


def _tags(text: str, labelled: Labelled) -> list[str]:
    """Return the tag of each token of a text by its labels."""
    tags = [""] * len(tokens(text))
    for slot, value in labelled.slots.items():
        tag = "name" if slot == "other_name" else slot
        start = text.casefold().find(str(value).casefold().replace("’", "'")) if tag in TAGS else -1
        for at, token in enumerate(tokens(text)):
            if start >= 0 and token.start < start + len(str(value)) and token.end > start and not tags[at]:
                tags[at] = tag
    return tags


def main() -> None:
    """Print what is measured, or write the model."""
    passes = {path.stem: labelled_lines([path]) for path in sorted(_WORDINGS.glob("pass*.jsonl"))}
    tests = {path.stem: labelled_lines([path]) for path in sorted(_WORDINGS.glob("test*.jsonl"))}
    features.vector = cache(features.vector.__wrapped__)  # each line is fitted on many times
    every = [each for lines in passes.values() for each in lines]
    threads = _of_threads([*_THREADS, *(Path(name) for name in sys.argv[1:] if not name.startswith("--"))])
    if "--write" in sys.argv:
        write(fitted(every, [*chain(*threads)]))
        return
    print(f"{len(every)} lines of {len(passes)} passes, {sum(map(len, tests.values()))} of the tests")
    for name, lines in passes.items():
        others = [each for other, kept in passes.items() if other != name for each in kept]
        print(name, "left out:", _in_short(report_on(lines, known=fitted(others, [*chain(*threads)]))))
    for part in range(_PARTS):
        known = fitted(every, [*chain(*(each for at, each in enumerate(threads) if at % _PARTS != part))])
        print("threads left out:", _in_short(report_on([*chain(*threads[part::_PARTS])], known=known)))
    known = fitted(every, [*chain(*threads)])
    for name, lines in tests.items():
        print(name, _in_short(report_on(lines, known=known)))


def _in_short(one: UnderstandingReport) -> str:
    return ", ".join(f"{name} {share:.2f}" for name, share in one.totals().items() if share is not None)


def write(model: Classifier) -> None:
    """Write a model to the file that ships, in half precision; what weighs next to nothing is dropped."""
    kept: dict[str, NDArray[np.float32]] = {
        "rarity": model.rarity,
        "limits": np.array([model.sure, model.likely, model.perhaps], np.float32),
    }
    for name in ("to_bot", "intents", "tags"):
        linear: Linear = getattr(model, name)
        kept |= {f"{name}_sparse": linear.sparse, f"{name}_dense": linear.dense, f"{name}_base": linear.base}
    np.savez_compressed(_MODEL, **{name: values.astype(np.float16) for name, values in kept.items()})  # type: ignore[arg-type]
    print(f"{_MODEL.name}: {_MODEL.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
