"""Commands that a test can hold up or make fail."""

import asyncio
from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.club.commands.registry import CommandRegistry
from core.club.commands.values import CommandRequest, CommandResponse, Suggestion


class WatchedCommands(CommandRegistry):
    """The application's commands; `ran` lists the calls (`began` since then), `open` lets them go on.

    `fails` is raised by all commands; `says` replaces the reply of some.
    """

    def __init__(self, commands: CommandRegistry) -> None:
        super().__init__([])
        self._own = commands
        self._commands = commands._commands
        self.ran: list[str] = []
        self.began = asyncio.Event()
        self.open = asyncio.Event()
        self.open.set()
        self.fails: Exception | None = None
        self.says: dict[str, CommandResponse] = {}

    async def run(self, words: str, request: CommandRequest) -> CommandResponse:
        self.ran.append(words)
        self.began.set()
        await self.open.wait()
        if self.fails is not None:
            raise self.fails
        return self.says.get(words) or await self._own.run(words, request)

    async def suggest(self, words: str, request: CommandRequest) -> list[Suggestion]:
        await self.open.wait()
        return await self._own.suggest(words, request)


def watched(services: PlatformServices) -> tuple[PlatformServices, WatchedCommands]:
    commands = WatchedCommands(services.commands)
    return replace(services, commands=commands), commands
