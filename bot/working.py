"""Answers questions received by another process, until stopped; any number of processes may share the work."""

import asyncio
from collections.abc import Sequence

from adapters.platform.worker import Shift
from bot.logs import say_to_operator
from bot.monitoring import monitored
from bot.platforms import worker_on
from bot.service_manager import told_to_systemd
from bot.serving import LAST_TURNS_S, told_to_stop, warm_up
from bot.supervise import Backoff, supervise
from bot.wiring import Application


async def work(thusfar: Application, platforms: Sequence[str], shift: Shift) -> None:
    """Work for these platforms until SIGTERM or SIGINT, then finish current turns.

    Raises:
        SettingsError: a token is missing or wrong, or the metrics port is taken.
    """
    places = {name: worker_on(name, thusfar, shift) for name in platforms}
    async with monitored(thusfar, places), told_to_systemd(), told_to_stop() as stopping:
        say_to_operator(f"Working for {' and '.join(name.capitalize() for name in platforms)}. Ctrl-C ends it.")
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
