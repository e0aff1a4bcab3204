"""`thusfar serve`: answers on the platforms that are configured, until it is told to stop."""

from enum import StrEnum
from typing import Annotated

import typer

from bot.commands.running import run


class Platform(StrEnum):
    """Where to serve."""

    DISCORD = "discord"


def serve(
    platform: Annotated[Platform | None, typer.Argument(help="One platform; what is configured without it.")] = None,
) -> None:
    """Serve Discord. SIGTERM lets the answers under way end.

    Example: thusfar serve discord
    """
    from bot.serving import serve_all, serve_discord

    run(serve_all if platform is None else {Platform.DISCORD: serve_discord}[platform])
