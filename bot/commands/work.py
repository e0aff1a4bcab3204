"""`thusfar work`: answer the questions from `thusfar serve --gateway`; any number of processes share the work."""

from typing import Annotated

import typer

from bot.commands.running import SERVING_PATIENCE_S, run
from bot.commands.serve import Platform


def work(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; without it, all configured ones.")] = None,
    at_once: Annotated[int, typer.Option(help="How many questions to answer at once.", min=1, max=200)] = 16,
    lease: Annotated[
        int,
        typer.Option(help="Seconds until others take over the questions of a dead process.", min=2, max=600),
    ] = 20,
) -> None:
    """Answer questions from `thusfar serve --gateway`. On SIGTERM it finishes current answers.

    All workers share one database (PostgreSQL, for more than one machine).

    Example: thusfar work discord --at-once 16
    """
    from adapters.platform.worker import Shift
    from bot.platforms import configured
    from bot.wiring import Application
    from bot.working import work as work_for

    async def begin(thusfar: Application) -> None:
        names = configured(thusfar.settings) if platform is None else [platform.value]
        await work_for(thusfar, names, Shift(at_once=at_once, lease=lease))

    run(begin, stays=True, patience=SERVING_PATIENCE_S)
