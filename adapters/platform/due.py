"""What falls due, as platforms share it: what went wrong in core's words, and moments where one person sits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.platform.surface import OutOfReachError, RefusedError
from core.club.timers.due import NotSentError
from core.domain.moments import shown, written_out


@asynccontextmanager
async def sending() -> AsyncIterator[None]:
    """Translate what goes wrong in the block.

    Raises:
        NotSentError: it could not be posted, now or ever.
    """
    try:
        yield
    except OutOfReachError as error:
        raise NotSentError(str(error), for_good=False) from error
    except RefusedError as error:
        raise NotSentError(str(error), for_good=True) from error


def in_own_time(text: str) -> str:
    """Return a text with its moments in the machine's time zone, which is its user's."""
    return shown(text, lambda moment: f"{written_out(moment.astimezone())} {moment.astimezone():%Z}")
