"""`thusfar serve`: run the bot on the configured platforms until stopped."""

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
    """The platforms to serve."""

    DISCORD = "discord"
    SLACK = "slack"


def serve(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; without it, all configured ones.")] = None,
    gateway: Annotated[bool, typer.Option("--gateway", help="Only listen; `thusfar work` processes answer.")] = False,
) -> None:
    """Run the bot on Discord and Slack, if configured. On SIGTERM it finishes current answers.

    Example: thusfar serve slack
    """
    run(lambda thusfar: _serve(replace(thusfar, hands_on=gateway), platform), stays=True, patience=SERVING_PATIENCE_S)


async def _serve(thusfar: "Application", platform: Platform | None) -> None:
    """Serve as the only process of this home: two would answer unfinished questions and run commands twice."""
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
                    f"Another process already serves {name.capitalize()} from this home. Stop it first, or set another "
                    "home with THUSFAR_HOME."
                ) from None
        refuse_damaged_files(thusfar.settings, thoroughly=True)
        note = thusfar.settings.thusfar_home.resolve() / f"crash.{'-'.join(names)}.txt"
        crashed = held.enter_context(noting_crashes(note))
        await serve_these(replace(thusfar, crashed=crashed), names)
