"""What falls due, posted by a platform: where it stands there, and what went wrong in core's words."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from adapters.platform.surface import OutOfReachError, RefusedError
from core.app.due import NotSentError


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
