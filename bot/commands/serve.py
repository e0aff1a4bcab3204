"""`thusfar serve`: answers on the platforms that are configured, until it is told to stop."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from bot.commands.running import run


class Platform(StrEnum):
    """Where to serve."""

    DISCORD = "discord"
    SLACK = "slack"


def serve(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; what is configured without it.")] = None,
) -> None:
    """Serve Discord and Slack, as far as they are configured. SIGTERM lets the answers under way end.

    Example: thusfar serve slack
    """
    from bot.serving import serve as serve_these
    from bot.serving import serve_all

    run(serve_all if platform is None else partial(serve_these, platforms=[platform.value]))
