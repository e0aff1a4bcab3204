"""Whether the previous process crashed: a crash is noted in a file as the process dies."""

import faulthandler
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)


@contextmanager
def noting_crashes(path: Path) -> Iterator[bool]:
    """Yield whether the previous process with this file crashed; note this process's crash there.

    Faults of the process itself (a segmentation fault, an abort) are noted; kills from outside, or for lack of memory,
    cannot be.
    """
    left = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if left:
        _log.error("The previous process crashed. %s", " ".join(left.split()))
    with path.open("wb", buffering=0) as file:
        faulthandler.enable(file)
        try:
            yield bool(left)
        finally:
            faulthandler.disable()
