"""Where `thusfar` and `python -m bot` begin: what ends it while it is still being loaded ends it without a word."""

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
    """Load the command line, and run it."""
    if os.getpid() == 1:
        # A container's first process gets no signal that it does not ask for: SIGTERM would be lost, and the stop wait.
        signal.signal(signal.SIGTERM, lambda *_: os._exit(_TERMINATED))
    _collect_seldom()
    try:
        from bot.cli import main as run  # noqa: PLC0415 (what takes the time is this)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


def _collect_seldom() -> None:
    """Look for dead circles of objects seldom, and at the end not at all.

    Nearly all that a start makes is the libraries' and stays: to look through it again and again, and once more before
    it goes, is a fifth of what a short command takes. What goes on for long is looked through more often once it is
    warm.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)


if __name__ == "__main__":
    main()
