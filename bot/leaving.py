"""Wires what becomes of servers that have removed the bot."""

from adapters.persistence.left_servers import SqlLeftServerRepository
from bot.system_clock import SystemClock
from bot.wiring import Application
from core.app.left_servers import LeftServers


def left_servers(thusfar: Application) -> LeftServers:
    """Return it, over the database of an application."""
    return LeftServers(
        servers=SqlLeftServerRepository(thusfar.database),
        library=thusfar.library,
        clock=SystemClock(),
        kept_days=thusfar.settings.left_server_days,
    )
