"""Book indexes as NumPy files, one folder per text, beside the database."""

import contextlib
import logging
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.lib.format import write_array

from core.ports.index_files import Arrays, IndexFiles, IndexName

_log = logging.getLogger(__name__)

_VERSION: Final = "version"
_PART: Final = ".part"
_DAMAGES: Final = (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError)


class NpzIndexFiles(IndexFiles):
    """Reads files whole, not memory-mapped: each array has a checksum, and a truncated file crashes no process.

    Without pickles, so that a file can contain only numbers.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, name: IndexName) -> Arrays | None:
        """Return the stored arrays; None if there are none of this version, or they are damaged."""
        path = self._path(name)
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                if kept[_VERSION].tobytes() != name.version.encode():
                    return None
                return {key: kept[key] for key in kept.files if key != _VERSION}
        except FileNotFoundError:
            return None
        except (OSError, *_DAMAGES) as error:
            _log.warning("%s cannot be read (%s); it is built again.", path, error)
            return None

    def save(self, name: IndexName, arrays: Arrays) -> None:
        """Store arrays: written to a temporary file, then renamed. A failure is logged, and nothing is stored."""
        path = self._path(name)
        written: str | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, written = tempfile.mkstemp(dir=path.parent, suffix=_PART)
            with os.fdopen(handle, "wb") as file:
                _write(file, {**arrays, _VERSION: np.frombuffer(name.version.encode(), dtype=np.uint8)})
            Path(written).replace(path)
        except OSError as error:
            _log.warning("%s cannot be written: %s", path, error)
            if written is not None:
                with contextlib.suppress(OSError):
                    Path(written).unlink()

    def keep_only(self, content_hashes: Collection[str]) -> None:
        """Delete the folders of all other texts, and temporary files of killed processes.

        A process that is writing loses its file, and continues without.
        """
        try:
            for folder in self._folder.iterdir() if self._folder.is_dir() else ():
                if folder.name not in content_hashes:
                    shutil.rmtree(folder, ignore_errors=True)
                for left in folder.glob(f"*{_PART}"):
                    left.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("%s cannot be cleaned up: %s", self._folder, error)

    def _path(self, name: IndexName) -> Path:
        return self._folder / name.content_hash / f"{name.kind}.npz"


def _write(file: IO[bytes], arrays: Arrays) -> None:
    """Write the format of `numpy.load`; `numpy.savez` does not allow every name."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as member:
                write_array(member, array, allow_pickle=False)
