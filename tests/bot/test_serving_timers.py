"""`thusfar serve` and `thusfar chat` tell what falls due, once, whichever of several processes is there."""

import asyncio
import signal
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

import bot.serving
from adapters.terminal.lines import PipeLines
from adapters.terminal.repl import TerminalChat
from bot.commands.importing import find_or_import
from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from core.club.schedule.schedules import REMINDER
from core.domain.schedule import DatedSection, Reminding, Schedule
from core.domain.thread import Thread
from core.domain.timer import Timer
from tests.bot.running import thusfar
from tests.bot.test_serve import discord_server, ended, import_book, serving
from tests.fakes.clock import FrozenClock
from tests.platform_servers.discord.places import Club
from tests.platform_servers.discord.server import DiscordServer

__all__ = ["discord_server"]

_LATE = timedelta(hours=12)


async def _owe(home: Path, club: Club, number: int, due: datetime) -> None:
    """Keep the reminder of a section that falls due then, as an earlier process did."""
    application = build(Settings(thusfar_home=home))
    place = Thread(scope=f"discord:{club.guild.id}", place=str(club.channel.id), thread="")
    reading = await application.threads.reading(place)
    assert reading is not None
    due = due.replace(second=0, microsecond=0)
    section = DatedSection(number=number, first_page=1, last_page=2, day=due.date())
    kept = Schedule(at=due.time(), zone="UTC", weeks=1, sections=(section,), reminding=Reminding(thread=""))
    await application.clubs().times.schedules.keep(place, reading.reading_id, kept)
    await application.clubs().times.timers.keep(
        Timer(
            kind=REMINDER,
            name=f"{reading.reading_id}:{number}",
            thread=place,
            due=kept.due(section),
            late=_LATE,
            reading_id=reading.reading_id,
            payload={"section": str(number)},
        )
    )
    await application.close()


async def test_what_fell_due_while_nobody_served_is_told_once(
    discord_server: DiscordServer, small_book: Path, own_home: Path
) -> None:
    club = discord_server.add_club()
    await import_book(own_home, small_book, club)
    for number in (1, 2):
        await _owe(own_home, club, number, datetime.now(UTC) - timedelta(hours=12 - number))
        async with serving(discord_server, "discord") as program:
            await discord_server.wait_for(partial(_has_told, discord_server, club, number), within=90)
            program.send_signal(signal.SIGTERM)
            assert (await ended(program))[0] == 0
    told = [message.content.partition(":")[0] for message in discord_server.by_bot(club.channel)]
    assert told == ["It's time for **section 1**", "It's time for **section 2**"]


def _has_told(server: DiscordServer, club: Club, number: int) -> bool:
    return any(f"section {number}" in message.content for message in server.by_bot(club.channel))


class _Lines(PipeLines):
    """An organiser's lines at the terminal, between which days go by."""

    def __init__(self, clock: FrozenClock, lines: list[tuple[timedelta, str]]) -> None:
        """Each line comes after so much time."""
        self._clock = clock
        self._lines = lines

    async def next(self, prompt: str) -> str | None:
        if not self._lines:
            return None
        passes, line = self._lines.pop(0)
        self._clock.advance(passes)
        return line


async def _chat(application: Application, clock: FrozenClock, *lines: tuple[timedelta, str]) -> None:
    chat = TerminalChat(
        services=platform_services(application),
        positions=application.clubs().positions,
        threads=application.threads,
        library=application.library,
        lines=_Lines(clock, list(lines)),
        say=print,
        folder=application.settings.thusfar_home,
    )
    await chat.run(await find_or_import(application, "sample", scope="local"))


async def test_a_schedule_is_lived_through_at_the_terminal(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock, at_once = FrozenClock(datetime(2026, 3, 2, 12, tzinfo=UTC)), timedelta(0)
    application = build(Settings(thusfar_home=own_home), clock=clock)
    await _chat(
        application,
        clock,
        (at_once, "/setpage 10"),
        (at_once, "/schedule make 6 weeks from 2 March, Sundays 19:00 Europe/Berlin"),
        (at_once, "/1"),
        (at_once, "/schedule remind on"),
        (at_once, "/progress"),
        (timedelta(days=6, hours=7), "/where"),
        (at_once, "/1"),
        (at_once, "/progress"),
        (timedelta(days=14), "/where"),
        (at_once, "/schedule show"),
    )
    await application.close()
    out = capsys.readouterr().out
    assert (
        "Nothing is saved yet.\n/1: Keep\n**What we read by when:**\n1. p. 1 to p. 12: by Sunday, 8 March 2026" in out
    )
    assert "Section 1 of 6; goal p. 12 by Sunday, 8 March 2026" in out
    assert "It's time for **section 1**: p. 1 to p. 12. Have you read to p. 12? I never move the page myself." in out
    assert "/1: Yes, to p. 12\n" in out
    assert "You moved the page from p. 10 to p. 12 (14 %)." in out
    assert "Section 2 of 6; goal p. 28" in out
    assert "I was away when section 2 was due (Sunday, 15 March 2026" in out
    assert "It's time for **section 3**" in out
    assert (out.count("It's time for"), out.count("I was away")) == (2, 1)
    assert "(**next**)" in out


_DAYS_AGO = "UPDATE {} SET {} = datetime('now', '-40 days')"


@pytest.mark.parametrize(("days", "kept"), [(None, 2), (41, 2), (39, 0)])
def test_old_talk_is_deleted_after_the_days_that_are_set(
    small_book: Path, own_home: Path, days: int | None, kept: int
) -> None:
    async def tidy_up() -> None:
        application = build(Settings(thusfar_home=own_home, THUSFAR_KEEP_DAYS=days))
        await bot.serving._tidy_up(application)
        await application.close()

    thusfar("books", "add", str(small_book))
    assert thusfar("chat", typed="/setpage 2\nWho lit the lamp?\n").code == 0
    with closing(sqlite3.connect(own_home / "thusfar.db")) as connection, connection:
        for table, column in (("turn", "created_at"), ("message", "created_at"), ("conversation", "updated_at")):
            connection.execute(_DAYS_AGO.format(table, column))
    asyncio.run(tidy_up())
    with closing(sqlite3.connect(own_home / "thusfar.db")) as connection:
        assert connection.execute("SELECT count(*) FROM message").fetchone() == (kept,)
        assert connection.execute("SELECT current_page FROM conversation").fetchone() == (2,)
