"""A core that can be held up or made to fail, for the tests of commands and buttons."""

import asyncio
from dataclasses import replace

from adapters.platform.services import PlatformServices
from core.club.commands.registry import CommandRegistry
from core.club.commands.values import CommandRequest, CommandResponse, Suggestion


class WatchedCommands(CommandRegistry):
    """The house's own commands; `ran` is what was asked of them (`began`, since), `open` lets them go on.

    `fails` is raised by all, `says` is answered for some in place of the house's own answer.
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
