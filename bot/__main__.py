"""Where `thusfar` and `python -m bot` begin: what ends it while it is still being loaded ends it without a word."""

import os
import signal
import sys
from typing import Final

_INTERRUPTED: Final = 130
_TERMINATED: Final = 143


def main() -> None:
    """Load the command line, and run it."""
    if os.getpid() == 1:
        # A container's first process gets no signal that it does not ask for: SIGTERM would be lost, and the stop wait.
        signal.signal(signal.SIGTERM, lambda *_: os._exit(_TERMINATED))
    try:
        from bot.cli import main as run  # noqa: PLC0415 (what takes the time is this)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
