"""The entry point of `thusfar` and `python -m bot`: a signal while it loads ends it without a message."""

import atexit
import gc
import os
import signal
import sys
from typing import Final

_INTERRUPTED: Final = 130
_TERMINATED: Final = 143
_OBJECTS_BETWEEN_COLLECTIONS: Final = 500_000


def main() -> None:
    """Load and run the command line."""
    if os.getpid() == 1:
        # A container's first process gets only signals that it handles: SIGTERM would be lost and a stop would hang.
        signal.signal(signal.SIGTERM, lambda *_: os._exit(_TERMINATED))
    _collect_seldom()
    try:
        from bot.cli import main as run  # noqa: PLC0415 (this import is slow)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


def _collect_seldom() -> None:
    """Run the garbage collector rarely, and not at exit.

    Nearly all objects made at start belong to libraries and stay. Collecting repeatedly, and again at exit, takes a
    fifth of a short command's time. A long-running process collects more often once it is warm.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)


if __name__ == "__main__":
    main()
