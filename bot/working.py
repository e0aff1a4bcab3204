"""Answers what another process has heard, until told to stop: any number of such processes may share the work."""

import asyncio
from collections.abc import Sequence

from adapters.platform.worker import Shift
from bot.platforms import workplace_on
from bot.serving import LAST_TURNS_S, told_to_stop, warm_up
from bot.supervise import Backoff, supervise
from bot.wiring import Application


async def work(thusfar: Application, platforms: Sequence[str], shift: Shift) -> None:
    """Work for these platforms until SIGTERM or SIGINT, then let the turns under way end.

    Raises:
        SettingsError: a token is missing or wrong.
    """
    places = {name: workplace_on(name, thusfar, shift) for name in platforms}
    async with told_to_stop() as stopping:
        await warm_up(thusfar)
        working = [
            asyncio.create_task(supervise(name, place.attempt, stopping=stopping, backoff=Backoff()))
            for name, place in places.items()
        ]
        told = asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait([*working, told], return_when=asyncio.FIRST_COMPLETED)
            ended = [task for task in working if task.done()]
            await asyncio.gather(*(place.finish(within=LAST_TURNS_S) for place in places.values()))
        finally:
            told.cancel()
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)
        for task in ended:
            task.result()
