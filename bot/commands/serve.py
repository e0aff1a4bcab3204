"""`thusfar serve`: answers on the platforms that are configured, until it is told to stop."""

from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.running import SERVING_PATIENCE_S, run
from core.domain.errors import ThusfarError

if TYPE_CHECKING:
    from bot.wiring import Application


class Platform(StrEnum):
    """Where to serve."""

    DISCORD = "discord"
    SLACK = "slack"


def serve(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; what is configured without it.")] = None,
    gateway: Annotated[
        bool, typer.Option("--gateway", help="Only listen: processes of `thusfar work` answer.")
    ] = False,
) -> None:
    """Serve Discord and Slack, as far as they are configured. SIGTERM lets the answers under way end.

    Example: thusfar serve slack
    """
    run(lambda thusfar: _serve(replace(thusfar, hands_on=gateway), platform), stays=True, patience=SERVING_PATIENCE_S)


async def _serve(thusfar: "Application", platform: Platform | None) -> None:
    """Serve as the only one of this home: two would both answer what is unfinished, and both run each command."""
    from filelock import FileLock, Timeout

    from bot.crashes import noting_crashes
    from bot.home import refuse_damaged_files
    from bot.platforms import configured
    from bot.serving import serve as serve_these

    names = configured(thusfar.settings) if platform is None else [platform.value]
    with ExitStack() as held:
        for name in names:
            lock = FileLock(thusfar.settings.thusfar_home.resolve() / f"serve.{name}.lock", blocking=False)
            try:
                held.enter_context(lock)
            except Timeout:
                raise ThusfarError(
                    f"Another process serves {name.capitalize()} from this home already: end it first, or name another "
                    "home with THUSFAR_HOME."
                ) from None
        refuse_damaged_files(thusfar.settings, thoroughly=True)
        note = thusfar.settings.thusfar_home.resolve() / f"crash.{'-'.join(names)}.txt"
        crashed = held.enter_context(noting_crashes(note))
        await serve_these(replace(thusfar, crashed=crashed), names)
