"""Work on texts whose length nobody limits, kept from holding the event loop; called by the guard and by its judge."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

_AT_ONCE = 1_000


async def off_loop(text: str, work: Callable[Given, Result], *given: Given.args, **options: Given.kwargs) -> Result:
    """Return what `work` makes of what it's given: done in a thread where `text` is long, else at once."""
    if len(text) <= _AT_ONCE:
        return work(*given, **options)
    return await asyncio.to_thread(work, *given, **options)
