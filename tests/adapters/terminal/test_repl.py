"""A chat survives a database outage."""

from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.persistence.database import Database
from adapters.terminal.lines import PipeLines
from adapters.terminal.repl import TerminalChat
from bot.commands.importing import find_or_import
from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import build


class Interrupted(PipeLines):
    """Lines between which the database goes down and comes back."""

    def __init__(self, database: Database, lines: list[tuple[str, str]]) -> None:
        self._database = database
        self._lines = lines

    async def next(self, prompt: str) -> str | None:
        if not self._lines:
            return None
        happens, line = self._lines.pop(0)
        if happens:
            await self._database.write(lambda session: session.execute(text(happens)))
        return line


async def test_a_chat_goes_on_when_the_database_is_back(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    application = build(Settings(thusfar_home=own_home))
    said: list[str] = []
    lines = [
        ("", "/setpage 3"),
        ("ALTER TABLE conversation RENAME TO away", "Who?"),
        ("ALTER TABLE away RENAME TO conversation", "/where"),
    ]
    chat = TerminalChat(
        services=platform_services(application),
        positions=application.clubs().positions,
        threads=application.threads,
        library=application.library,
        lines=Interrupted(application.database, lines),
        say=said.append,
        folder=own_home,
    )
    await chat.run(await find_or_import(application, "sample", scope="local"))
    await application.close()
    assert len(said) == 1
    assert "no such table" in said[0]
    assert capsys.readouterr().out.splitlines()[-1].endswith("up to p. 3.")
