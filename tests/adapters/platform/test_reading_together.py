"""Linked clubs on Discord and Slack: served by one process over one home, with restarts in between."""

import logging
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from adapters.persistence.overview import Overview
from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from core.club.commands.values import CommandRequest
from core.domain.position import Position
from tests.adapters.platform.conftest import _in_slack, _on_discord
from tests.adapters.platform.stages import Bot, Message, Stage
from tests.adapters.platforms import LIGHTHOUSE
from tests.builders import ADA
from tests.fakes.clock import FrozenClock
from tests.platform_servers.discord.pointing import pointed_at
from tests.platform_servers.discord.server import DiscordServer
from tests.platform_servers.slack.server import SlackServer

_CODE = re.compile(r"\d+(?:-[2-9A-Z]{4}){3}")


@dataclass(kw_only=True)
class _World:
    """Two platforms with a club each, and a home that outlives the processes over it."""

    home: Path
    folder: Path
    discord_server: DiscordServer
    slack_server: SlackServer
    clock: FrozenClock = field(default_factory=lambda: FrozenClock(datetime.now(UTC)))
    clubs: dict[str, Any] = field(default_factory=dict)

    @asynccontextmanager
    async def process(self) -> AsyncIterator["_Process"]:
        """Serve both platforms, as `thusfar serve` does."""
        house = build(Settings(thusfar_home=self.home), clock=self.clock)
        services = platform_services(house)
        stages = {
            "discord": _on_discord(self.discord_server, services),
            "slack": _in_slack(self.slack_server, services),
        }
        for name, stage in stages.items():
            stage.club = self.clubs.setdefault(name, stage.club)
        try:
            async with AsyncExitStack() as stack:
                bots = {name: await stack.enter_async_context(stage.running()) for name, stage in stages.items()}
                yield _Process(world=self, house=house, stages=stages, bots=bots)
        finally:
            await house.close()


@dataclass(kw_only=True)
class _Process:
    """One run of the program over both."""

    world: _World
    house: Application
    stages: dict[str, Stage]
    bots: dict[str, Bot]

    @property
    def discord(self) -> Stage:
        return self.stages["discord"]

    @property
    def slack(self) -> Stage:
        return self.stages["slack"]

    async def settled(self) -> None:
        """Finish all work, and post everything that is due on both sides."""
        for bot in self.bots.values():
            await bot.settled()
        self.world.clock.advance(max(datetime.now(UTC) - self.world.clock.now(), timedelta()))
        for bot in self.bots.values():
            await self.house.clubs().times.due.run_due(bot.served)
        for bot in self.bots.values():
            await bot.settled()

    async def read(self, stage: Stage, *, title: str = "The Lamp", page: str | None = None) -> None:
        path = self.world.folder / "lamp.txt"
        path.write_text(LIGHTHOUSE, encoding="utf-8")
        book = (await self.house.library.add(path, scope=stage.place().scope, title=title)).book
        await self.house.threads.use(stage.place(), book_id=book.book_id)
        if page is not None:
            await self.move(stage, int(page))

    async def use(self, stage: Stage, words: str, text: str = "", *, by: Any = None) -> Message:
        """Use a command as an organiser; return the last private reply."""
        used = stage.use(words, text, by=by or stage.club.organiser)
        return (await stage.wait_for(lambda: [one for one in used.messages if one.content]))[-1]

    async def press(self, stage: Stage, command: str, message: Message, *, until: str, by: Any = None) -> None:
        """Press a button as an organiser, and wait for the reply."""
        who = by or stage.club.organiser
        before = _count(stage.told(who), until)
        pressed = stage.press(command, message, by=who)
        await stage.wait_for(lambda: _count(pressed.messages, until) or _count(stage.told(who), until) > before)

    async def join(self, giver: Stage, taker: Stage) -> None:
        """Link both clubs, with both organisers' consent."""
        code = _CODE.search((await self.use(giver, "club", "link")).content)
        assert code is not None
        await self.agree(taker, code[0])
        await self.confirm(giver)

    async def agree(self, taker: Stage, code: str) -> str:
        """Enter the code as an organiser and confirm; return what they were shown."""
        shown = await self.use(taker, "club", f"link {code}")
        await self.press(taker, ".club-agree", shown, until="Thank you.")
        await self.settled()
        return str(shown.content)

    async def confirm(self, giver: Stage) -> None:
        """Confirm as the organiser who gave the code."""
        asked = [one for one in giver.told(giver.club.organiser) if "used your code" in one.content][-1]
        await self.press(giver, ".club-join", asked, until="You're reading together now.")
        await self.settled()

    async def move(self, stage: Stage, page: int, *, by: Any = None) -> None:
        """Move the club's page, even far; wait for the announcement."""
        before, who = len(stage.public()), by or stage.club.ada
        used = stage.use("setpage", str(page), by=who)
        seen = (await stage.wait_for(lambda: [one for one in used.messages if one.content] or stage.public()[before:]))[
            -1
        ]
        if "Is that right?" in seen.content:
            stage.press(".leap", seen, by=who)
        await stage.wait_for(lambda: stage.public()[before:])

    async def pages(self) -> list[Position]:
        return [await stage.page_of(self.house) for stage in (self.discord, self.slack)]


@pytest_asyncio.fixture
async def world(own_home: Path, tmp_path: Path) -> AsyncIterator[_World]:
    async with DiscordServer() as discord, SlackServer() as slack:
        with pointed_at(discord):
            yield _World(home=own_home, folder=tmp_path, discord_server=discord, slack_server=slack)


async def test_two_clubs_agree_by_a_code_through_restarts(world: _World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with world.process() as run:
        await run.read(run.discord, page="2")
        code = _CODE.search((await run.use(run.discord, "club", "link")).content)
        assert code is not None
        refused = await run.use(run.discord, "club", "link", by=run.discord.club.ada)
        assert refused.content == "Only organisers can link or unlink clubs."
    async with world.process() as run:
        wrong = await run.use(run.slack, "club", "link 1-2222-2222-2222")
        assert wrong.content.startswith("That code isn't valid")
        shown = await run.agree(run.slack, code[0])
        assert "That's the code of a club on Discord. Together you would read The Lamp." in shown
        assert "Both clubs would be at p. 2." in shown
        assert await run.house.threads.reading(run.slack.place()) is None
    async with world.process() as run:
        await run.confirm(run.discord)
        for stage, other in ((run.discord, "in Slack"), (run.slack, "on Discord")):
            told = stage.public()[-1].content
            assert f"You now read The Lamp together with the club {other}." in told
        reads_with = {club.scope: club.reads_with for club in await Overview(run.house.database).clubs()}
        ours, theirs = [stage.place() for stage in (run.discord, run.slack)]
        assert reads_with == {ours.scope: f"{theirs.scope} {theirs.place}", theirs.scope: f"{ours.scope} {ours.place}"}
    secret = code[0].partition("-")[2]
    kept = _everything(world) + caplog.text
    assert not [one for one in (secret, secret.replace("-", "")) if one in kept]


async def test_a_move_in_one_is_announced_in_the_other_and_can_be_undone_there(world: _World) -> None:
    async with world.process() as run:
        await run.read(run.discord, page="2")
        await run.join(run.discord, run.slack)
        await run.move(run.slack, 1)
        assert await run.pages() == [1, 1]
    async with world.process() as run:
        await run.settled()
        told = run.discord.public()[-1]
        assert told.content == "The club in Slack set the page of both clubs back from p. 2 to p. 1 (25 %)."
        assert run.discord.labels(told) == ["Undo"]
        run.discord.press(".undo-club", told, by=run.discord.club.ben)
        await run.discord.wait_for(lambda: "Ben" in run.discord.public()[-1].content)
        await run.settled()
        assert await run.pages() == [2, 2]
        assert run.slack.public()[-1].content.startswith("The club on Discord moved the page of both clubs")
        assert "Ben" not in " ".join(one.content for one in run.slack.public())


async def test_reminders_come_once_on_both_sides_at_the_same_moment(world: _World) -> None:
    async with world.process() as run:
        await run.read(run.discord, page="1")
        await run.join(run.discord, run.slack)
        made = await run.use(run.slack, "schedule make", "2 weeks Sundays 19:00 Europe/Berlin")
        run.slack.press(".schedule", made, by=run.slack.club.organiser)
        await run.slack.wait_for(lambda: "read by when" in run.slack.public()[-1].content)
        await run.use(run.discord, "schedule remind", "on")
        await run.settled()
        assert "changed the dates of both clubs" in " ".join(one.content for one in run.discord.public())
    async with world.process() as run:
        due = {
            timer.due
            for stage in run.stages.values()
            for timer in await run.house.clubs().times.timers.waiting(thread=stage.place(), kind="section")
        }
        assert len(due) == 2
        world.clock.advance(min(due) - world.clock.now())
    async with world.process() as run:
        for _ in range(2):
            await run.settled()
        for stage in run.stages.values():
            (reminder,) = [one for one in stage.public() if "It's time for" in one.content]
            assert stage.labels(reminder) == ["All read to p. 2", "I have read to p. 2"]
        run.slack.press(".all-read", _reminder(run.slack), by=run.slack.club.organiser)
        await run.slack.wait_for(lambda: "moved the club's page" in run.slack.public()[-1].content)
        assert await run.pages() == [2, 2]
        late = await _all_read(run, run.discord)
        assert "The page is already at p. 2." in late.content


async def test_each_reads_on_after_unlinking_or_forgetting(world: _World) -> None:
    async with world.process() as run:
        await run.read(run.slack, page="2")
        await run.join(run.slack, run.discord)
        assert await run.pages() == [2, 2]
        run.discord.use("club", "unlink", by=run.discord.club.organiser)
        await run.discord.wait_for(lambda: "Olga ended it" in run.discord.public()[-1].content)
        await run.settled()
        assert run.slack.public()[-1].content.startswith("The club on Discord reads on its own again, and so do you")
        await run.move(run.slack, 1)
        assert await run.pages() == [2, 1]
    async with world.process() as run:
        await run.join(run.slack, run.discord)
        assert await run.pages() == [1, 1]
        forgotten = CommandRequest(thread=run.slack.place(), member=ADA, is_organiser=True)
        await run.house.clubs().registry().run(".forget-club", forgotten)
        await run.settled()
        assert run.discord.public()[-1].content.startswith("The club in Slack reads on its own again")
        assert await run.discord.page_of(run.house) == 1
        assert (await run.use(run.discord, "club")).content.startswith("This club reads on its own.")


async def test_sealed_items_open_only_in_their_own_club(world: _World) -> None:
    async with world.process() as run:
        await run.read(run.discord, page="1")
        await run.join(run.discord, run.slack)
        run.slack.use("predict", "The keeper did it until p. 2", by=run.slack.club.ada)
        await run.slack.wait_for(lambda: "sealed a prediction" in run.slack.public()[-1].content)
        await run.move(run.discord, 2)
        await run.settled()
        told = run.slack.public()[-1]
        assert "You can open a prediction here now" in told.content
        assert run.slack.labels(told) == ["Undo", "Ada's prediction"]
        on_discord = " ".join(one.content for one in run.discord.public())
        assert "prediction" not in on_discord.replace("quotes and predictions stay", "")
        assert "keeper" not in on_discord


def _count(messages: Sequence[Message], text: str) -> int:
    return sum(text in one.content for one in messages)


def _reminder(stage: Stage) -> Message:
    return next(one for one in stage.public() if "It's time for" in one.content)


async def _all_read(run: _Process, stage: Stage) -> Message:
    """Press the organiser's button under a reminder."""
    organiser = stage.club.organiser
    pressed = stage.press(".all-read", _reminder(stage), by=organiser)
    return (await stage.wait_for(lambda: [one for one in pressed.messages if "already" in one.content]))[-1]


def _everything(world: _World) -> str:
    """Return the content of all files of the home."""
    files = [one for one in world.home.rglob("*") if one.is_file()]
    return "".join(one.read_bytes().decode("utf-8", "replace") for one in files)
