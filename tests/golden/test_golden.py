"""What a club sees in a scripted week is what was written down, on Discord, in Slack and in the terminal."""

import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest_asyncio

from adapters.platform.services import PlatformServices
from bot.noting import add_sample
from bot.settings import Embeddings, Settings
from bot.wiring import Application, build
from tests.adapters.platform.alone import in_terminal
from tests.adapters.platform.hearing import FollowedHearing
from tests.adapters.platform.stages import Bot, Stage
from tests.fakes.clock import FrozenClock
from tests.golden.transcript import Transcript, newest, steps

_HERE = Path(__file__).parent


@pytest_asyncio.fixture
async def house(own_home: Path) -> AsyncIterator[Application]:
    """A wired house whose clock stands still."""
    clock = FrozenClock(datetime(2027, 3, 1, 10, tzinfo=UTC))
    application = build(Settings(thusfar_home=own_home, THUSFAR_EMBEDDINGS=Embeddings.NONE), clock=clock)
    try:
        yield application
    finally:
        await application.close()


class Week:
    """A club that follows a script, one step at a time."""

    def __init__(self, stage: Stage, bot: Bot, heard: FollowedHearing) -> None:
        self.people = {"Ada": stage.club.ada, "Ben": stage.club.ben, "Olga": stage.club.organiser}
        self._stage = stage
        self._bot = bot
        self._heard = heard
        self._said = 0
        self._thread: Any = None
        self._used: Any = None

    async def follow(self, line: str) -> Any:
        """Do what a line says, wait until it is over, and return the interaction it was, if any."""
        name, _, rest = line.partition(" ")
        who = self.people[name]
        if rest.startswith("/"):
            words, _, text = rest[1:].partition(": ")
            return await self._wait_for(self._stage.use(words, text, by=who))
        if rest.startswith("["):
            return await self._press(rest.strip("[]"), who)
        await self._say(rest, who)
        return None

    async def _say(self, line: str, who: Any) -> None:
        where, _, text = line.partition(" ")
        if where == "dm":
            said = self._stage.say_alone(text, by=who)
        elif where == "@":
            said = self._stage.ask(text, by=who)
        else:
            said = self._stage.say(self._thread or self._stage.thread(), text, by=who, mention=where == ">@")
        self._said += 1
        await self._heard.has_heard(self._said)
        await self._bot.settled()
        if where == "@":
            self._thread = self._thread_of(said)

    def _thread_of(self, said: Any) -> Any:
        return (said.thread or self._thread) if self._stage.name == "discord" else said

    async def _press(self, label: str, who: Any) -> Any:
        used = [] if self._used is None else list(self._used.messages)
        everything = [*self._stage.public(), *self._stage.told(who), *used]
        message = newest(everything, lambda one: label in self._stage.labels(one))
        button = self._stage.pressable(message)[self._stage.labels(message).index(label)]
        return await self._wait_for(self._stage.press(button, message, by=who))

    async def _wait_for(self, used: Any) -> Any:
        await self._stage.over(used, self._bot)
        self._used = used
        return used


async def test_a_week_of_a_club(stage: Stage, services: PlatformServices) -> None:
    heard = FollowedHearing(services)
    async with stage.running(replace(services, addressing=heard)) as bot:
        week = Week(stage, bot, heard)
        transcript = Transcript(stage, week.people)
        for line in steps((_HERE / "week.txt").read_text()):
            try:
                used = await week.follow(line)
            except AssertionError as reason:  # no such button; not registered, or not for this member
                transcript.write(f"{line}: not offered ({str(reason).partition(chr(59))[0]})")
                continue
            await bot.settled()
            await bot.reacted()
            transcript.write(line, used)
    _compare(transcript.lines, _HERE / f"{stage.name}.golden.txt")


async def test_one_person_in_the_terminal(house: Application) -> None:
    book = await add_sample(house.library, house.noted().notes, house.settings, "local")
    lines = list[str]()
    async with in_terminal(house, book) as alone:
        for line in steps((_HERE / "alone.txt").read_text()):
            lines += ["", f"== {line}", (await alone.say(line)).rstrip()]
    _compare(lines, _HERE / "terminal.golden.txt")


def _compare(lines: list[str], path: Path) -> None:
    text = "\n".join(lines).strip() + "\n"
    if "WRITE_GOLDEN" in os.environ:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
