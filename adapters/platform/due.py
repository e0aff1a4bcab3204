"""Helpers for scheduled posts: translates platform errors for core, and shows times where one person sits."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.platform.surface import OutOfReachError, RefusedError
from core.club.timers.due import NotSentError
from core.domain.moments import shown, written_out


@asynccontextmanager
async def sending() -> AsyncIterator[None]:
    """Translate platform errors in the block.

    Raises:
        NotSentError: it could not be posted; `for_good` says whether it never can be.
    """
    try:
        yield
    except OutOfReachError as error:
        raise NotSentError(str(error), for_good=False) from error
    except RefusedError as error:
        raise NotSentError(str(error), for_good=True) from error


def in_own_time(text: str) -> str:
    """Return the text with its times in this machine's time zone."""
    return shown(text, lambda moment: f"{written_out(moment.astimezone())} {moment.astimezone():%Z}")
