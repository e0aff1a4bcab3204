"""Index files: damaged ones are ignored, and a removed text leaves nothing behind."""

from pathlib import Path

import numpy as np
import pytest

from adapters.persistence.index_files import NpzIndexFiles
from core.ports.index_files import Arrays, IndexName

_NAME = IndexName(content_hash="0" * 64, kind="guard", version="1")
_ARRAYS: Arrays = {"runs": np.arange(5_000, dtype=np.uint64), "themes": np.ones((40, 8), dtype=np.float32)}


@pytest.fixture
def files(tmp_path: Path) -> NpzIndexFiles:
    files = NpzIndexFiles(tmp_path / "indexes")
    files.save(_NAME, _ARRAYS)
    return files


def _file(folder: Path) -> Path:
    (file,) = (folder / "indexes").rglob("*.npz")
    return file


@pytest.mark.parametrize("at", [0.001, 0.3, 0.6, 0.9, 0.97])
def test_a_flipped_bit_is_seen(files: NpzIndexFiles, tmp_path: Path, at: float) -> None:
    file = _file(tmp_path)
    content = bytearray(file.read_bytes())
    content[int(len(content) * at)] ^= 0x10
    file.write_bytes(content)
    kept = files.load(_NAME)
    assert kept is None or all(np.array_equal(kept[name], _ARRAYS[name]) for name in _ARRAYS)
    files.save(_NAME, _ARRAYS)
    assert files.load(_NAME) is not None


@pytest.mark.parametrize("length", [0, 10, 5_000, -1])
def test_a_truncated_file_is_ignored(files: NpzIndexFiles, tmp_path: Path, length: int) -> None:
    file = _file(tmp_path)
    file.write_bytes(file.read_bytes()[:length])
    assert files.load(_NAME) is None


def test_objects_are_never_read(files: NpzIndexFiles, tmp_path: Path) -> None:
    version = np.frombuffer(b"1", dtype=np.uint8)
    np.savez(_file(tmp_path), allow_pickle=True, runs=np.array([object()], dtype=object), version=version)
    assert files.load(_NAME) is None


def test_nothing_half_written_stays(files: NpzIndexFiles, tmp_path: Path) -> None:
    files.save(_NAME, _ARRAYS)
    left = _file(tmp_path).with_suffix(".part")
    left.write_bytes(b"of a process that was killed")
    files.keep_only([_NAME.content_hash])
    assert [path.suffix for path in (tmp_path / "indexes").rglob("*") if path.is_file()] == [".npz"]
    files.keep_only([])
    assert list((tmp_path / "indexes").iterdir()) == []
