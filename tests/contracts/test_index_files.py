"""What every keeper of indexes does."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from adapters.persistence.index_files import NpzIndexFiles
from core.ports.index_files import Arrays, IndexFiles, IndexName
from tests.fakes.index_files import InMemoryIndexFiles

_NAME = IndexName(content_hash="0" * 64, kind="guard", version="1")
_ARRAYS: Arrays = {
    "words.text": np.frombuffer("naïve".encode(), dtype=np.uint8),
    "pages": np.array(7),
    "themes": np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4),
    "none": np.zeros(0, dtype=np.int32),
    "runs": np.array([2**64 - 1], dtype=np.uint64),
}


@pytest.fixture(params=[lambda _: InMemoryIndexFiles(), NpzIndexFiles], ids=["fake", "npz"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> IndexFiles:
    made: Callable[[Path], IndexFiles] = request.param
    return made(tmp_path / "indexes")


def test_what_was_kept_comes_back_to_the_last_bit(files: IndexFiles) -> None:
    files.save(_NAME, _ARRAYS)
    kept = files.load(_NAME)
    assert kept is not None
    assert set(kept) == set(_ARRAYS)
    for name, array in _ARRAYS.items():
        assert kept[name].dtype == array.dtype
        np.testing.assert_array_equal(kept[name], array)


@pytest.mark.parametrize(
    "other",
    [replace(_NAME, version="2"), replace(_NAME, kind="words"), replace(_NAME, content_hash="1" * 64)],
    ids=["version", "kind", "text"],
)
def test_nothing_else_comes_back(files: IndexFiles, other: IndexName) -> None:
    assert files.load(_NAME) is None
    files.save(_NAME, _ARRAYS)
    assert files.load(other) is None


def test_another_version_takes_its_place(files: IndexFiles) -> None:
    files.save(_NAME, _ARRAYS)
    files.save(replace(_NAME, version="2"), {})
    assert files.load(_NAME) is None
    assert files.load(replace(_NAME, version="2")) == {}


def test_what_is_made_of_texts_that_are_gone_is_erased(files: IndexFiles) -> None:
    other = replace(_NAME, content_hash="1" * 64)
    files.keep_only([])
    files.save(_NAME, _ARRAYS)
    files.save(other, _ARRAYS)
    files.keep_only([_NAME.content_hash])
    assert files.load(_NAME) is not None
    assert files.load(other) is None
