"""`thusfar work`: answers what `thusfar serve --gateway` has heard; any number of such processes share it."""

from typing import Annotated

import typer

from bot.commands.running import SERVING_PATIENCE_S, run
from bot.commands.serve import Platform


def work(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; what is configured without it.")] = None,
    at_once: Annotated[int, typer.Option(help="How many questions at once.", min=1, max=200)] = 16,
    lease: Annotated[
        int,
        typer.Option(
            help="After how many seconds others take over what a process that died had begun.", min=2, max=600
        ),
    ] = 20,
) -> None:
    """Answer what `thusfar serve --gateway` has heard, beside others. SIGTERM lets the answers under way end.

    All of them share one database (PostgreSQL, for more than one machine).

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
