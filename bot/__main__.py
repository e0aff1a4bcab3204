"""Where `thusfar` and `python -m bot` begin: Ctrl-C while the program is still being loaded ends it without a word."""

import sys
from typing import Final

_INTERRUPTED: Final = 130


def main() -> None:
    """Load the command line, and run it."""
    try:
        from bot.cli import main as run  # noqa: PLC0415 (what takes the time is this)
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
