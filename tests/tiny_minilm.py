"""A folder of the form of Chroma's all-MiniLM-L6-v2, with a model of a few kilobytes that knows words, not sentences.

A token's hidden state is a made-up vector of its word, so that texts of the same words lie near each other. The file
is ONNX as the real one is (github.com/onnx/onnx, onnx/onnx.proto), written by hand: nothing else here writes it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Whitespace

_DIMENSIONS = 384
_NARROW = 24
_FLOAT, _INT64 = 1, 7
_UNKNOWN = "[UNK]"


def make_tiny_minilm(folder: Path, texts: Iterable[str], *, alike: Mapping[str, str] | None = None) -> Path:
    """Write model and tokenizer into a folder, which is made; it knows the words of these texts, and no others.

    The first word of each pair in `alike` means the same as the second.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokens = Whitespace()
    known = dict.fromkeys(word for text in texts for word, _ in tokens.pre_tokenize_str(text.lower()))
    vocabulary = {word: number for number, word in enumerate([_UNKNOWN, *known])}
    rows = list(range(len(vocabulary)))
    for word, other in (alike or {}).items():
        rows.append(vocabulary[other])
        vocabulary[word] = len(vocabulary)
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token=_UNKNOWN))
    tokenizer.normalizer = Lowercase()
    tokenizer.pre_tokenizer = tokens
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(_model(rows))
    return folder


def _model(rows: Sequence[int]) -> bytes:
    chance = np.random.default_rng(7)
    table = chance.normal(size=(len(rows), _NARROW)).astype(np.float32)[rows]
    table[0] = 0.0
    wider = chance.normal(size=(_NARROW, _DIMENSIONS)).astype(np.float32)
    graph = b"".join(
        [
            _field(1, _node("Gather", ["words", "input_ids"], "narrow")),
            _field(1, _node("MatMul", ["narrow", "wider"], "last_hidden_state")),
            _field(2, b"tiny"),
            _field(5, _tensor("words", table)),
            _field(5, _tensor("wider", wider)),
            *(
                _field(11, _value(name, _INT64, "batch", "sequence"))
                for name in ("input_ids", "attention_mask", "token_type_ids")
            ),
            _field(12, _value("last_hidden_state", _FLOAT, "batch", "sequence", _DIMENSIONS)),
        ]
    )
    return _number(1, 8) + _field(7, graph) + _field(8, _number(2, 13))


def _node(operator: str, inputs: list[str], output: str) -> bytes:
    return (
        b"".join(_field(1, name.encode()) for name in inputs)
        + _field(2, output.encode())
        + _field(4, operator.encode())
    )


def _tensor(name: str, values: NDArray[np.float32]) -> bytes:
    sizes = b"".join(_number(1, size) for size in values.shape)
    return sizes + _number(2, _FLOAT) + _field(8, name.encode()) + _field(9, values.tobytes())


def _value(name: str, kind: int, *sizes: str | int) -> bytes:
    shape = b"".join(
        _field(1, _number(1, size) if isinstance(size, int) else _field(2, size.encode())) for size in sizes
    )
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, kind) + _field(2, shape)))


def _field(number: int, content: bytes) -> bytes:
    return bytes(_varint(number << 3 | 2)) + bytes(_varint(len(content))) + content


def _number(number: int, value: int) -> bytes:
    return bytes(_varint(number << 3)) + bytes(_varint(value))


def _varint(value: int) -> Iterator[int]:
    while value > 0x7F:
        yield value & 0x7F | 0x80
        value >>= 7
    yield value
