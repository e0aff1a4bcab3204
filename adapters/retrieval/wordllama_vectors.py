"""The meanings of single words: WordLlama's static vectors, which come with its package and load offline (ADR 3)."""

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.language.sentences import encodable
from core.ports.word_vectors import WordVectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from core.ports.vectors import Vectors

_PACKAGE = "wordllama"
_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TABLE = "embedding.weight"
_TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_LONGEST_WORD = 40
_UNKNOWN_PIECE = 0


def wordllama_is_installed() -> bool:
    """Whether the package is installed; it has no wheels for the newest Pythons."""
    return find_spec(_PACKAGE) is not None


class WordLlamaVectors(WordVectors):
    """32,000 word pieces with 256 numbers each; loaded at first use in two parts, each in a twentieth of a second.

    The package's two files are read directly. Its own code takes four times as long to import, configures logging, and
    looks for the tokenizer in a place where its wheel has none.
    """

    def __init__(self) -> None:
        self._tokenizer: Tokenizer | None = None
        self._table: NDArray[np.float16] | None = None
        self._loading = threading.Lock()

    def pieces(self, words: Sequence[str]) -> list[list[int]]:
        """Return the table rows of each word's pieces, at least one."""
        shortened = [encodable(word[:_LONGEST_WORD]) for word in words]
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = _load_tokenizer()
        encoded = self._tokenizer.encode_batch(shortened, add_special_tokens=False)
        return [word.ids or [_UNKNOWN_PIECE] for word in encoded]

    def rows(self, pieces: "Sequence[int] | NDArray[np.integer[Any]]") -> "Vectors":
        """Return the vectors of pieces, one row each; they are stored in half precision to save half of the memory."""
        import numpy as np

        with self._loading:
            if self._table is None:
                self._table = _load_table()
        return self._table.take(np.asarray(pieces, dtype=np.intp), axis=0).astype(np.float32)


def _load_tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(_folder() / _TOKENIZER))


def _load_table() -> "NDArray[np.float16]":
    from safetensors.numpy import load_file

    return load_file(_folder() / _WEIGHTS)[_TABLE]


def _folder() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"No package named {_PACKAGE}")
    return Path(spec.submodule_search_locations[0])
