"""Whether the process before this one ended by its own fault: what a broken library did to it is noted as it dies."""

import faulthandler
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_log = logging.getLogger(__name__)


@contextmanager
def noting_crashes(path: Path) -> Iterator[bool]:
    """Tell whether the process that noted in this file before has crashed; inside, this one notes there.

    A signal that a process raises by its own fault (a segmentation fault, an abort) is noted; a kill from outside, or
    for want of memory, is not: nobody can.
    """
    left = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    if left:
        _log.error("The process before this one crashed. %s", " ".join(left.split()))
    with path.open("wb", buffering=0) as file:
        faulthandler.enable(file)
        try:
            yield bool(left)
        finally:
            faulthandler.disable()
