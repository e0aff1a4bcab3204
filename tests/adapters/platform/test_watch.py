"""`/watch on`: members who post a spoiler are told in private, and members who only guess are told nothing."""

import asyncio
import html
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.domain.verdict import Signal
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.hearing import FollowedHearing
from tests.adapters.platform.stages import Bot, Stage

_LEAK = "wow, she rowed out to the wreck and found a silver whistle"
_TOLD = "You've read further than "


async def _own_page(stage: Stage, page: str, *, by: Any) -> None:
    used = stage.use("mypage", page, by=by)
    await stage.wait_for(lambda: [each for each in used.messages if each.content.startswith("Your own page is set")])


async def _switch(stage: Stage, to: str) -> str:
    said = len(stage.public())
    stage.use("watch", to, by=stage.club.organiser)
    await stage.wait_for(lambda: len(stage.public()) > said)
    return str(stage.public()[-1].content)


class Club:
    """A club that talks in a thread of the bot's, line by line."""

    def __init__(self, stage: Stage, services: PlatformServices) -> None:
        self.stage = stage
        self.thread = stage.thread()
        self._heard = FollowedHearing(services)
        self._services = replace(services, addressing=self._heard)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Bot]:
        async with self.stage.running(self._services) as self._bot:
            yield self._bot

    async def says(self, text: str = _LEAK, *, by: Any = None) -> None:
        """Say something, and wait until it is handled."""
        before = len(self._heard.refs)
        self.stage.say(self.thread, text, by=by)
        await self._heard.has_heard(before + 1)
        await self._bot.settled()
        await self._bot.looked()


@pytest.fixture
def club(stage: Stage, services: PlatformServices) -> Club:
    return Club(stage, services)


def _nudges(stage: Stage, person: Any) -> list[str]:
    return [html.unescape(one.content) for one in stage.told(person) if one.content.startswith(_TOLD)]


async def test_a_member_ahead_is_told_in_private_once_a_day_even_after_a_restart(
    stage: Stage, club: Club, read_book: ReadBook
) -> None:
    await read_book()
    ada, ben = stage.club.ada, stage.club.ben
    async with club.running():
        assert "tell no one else" in await _switch(stage, "on")
        await _own_page(stage, "4", by=ada)
        said = len(stage.public())
        for _ in range(2):
            await club.says()
        (told,) = _nudges(stage, ada)
    async with club.running():
        await club.says()
    assert _nudges(stage, ada) == [told]
    assert (_nudges(stage, ben), _nudges(stage, stage.club.organiser), len(stage.public())) == ([], [], said)
    if stage.name == "discord":
        assert told == (
            f"You've read further than <#{club.thread.id}> (p. 2). You may want to put \\|\\| before and after "
            "what you wrote there. Only you see this."
        )
    else:
        assert told == (
            "You've read further than this thread (p. 2). You may want to change what you wrote. Only you see this."
        )
    assert "whistle" not in told


async def test_a_member_who_is_not_ahead_is_sent_nothing(stage: Stage, club: Club, read_book: ReadBook) -> None:
    await read_book()
    async with club.running() as bot:
        await _switch(stage, "on")
        await _own_page(stage, "2", by=stage.club.ben)
        await bot.settled()
        sent = {call: stage.count(call) for call in stage.calls}
        for member in (stage.club.ada, stage.club.ben):
            await club.says(by=member)
            assert [one for one in stage.told(member) if one.content.startswith(_TOLD)] == []
        assert {call: stage.count(call) for call in stage.calls} == sent


async def test_hidden_quoted_and_harmless_text_and_questions_are_ignored(
    stage: Stage, club: Club, read_book: ReadBook
) -> None:
    await read_book()
    async with club.running():
        await _switch(stage, "on")
        await _own_page(stage, "4", by=stage.club.ada)
        for text in (
            f"||{_LEAK}||",
            f"> {_LEAK}",
            "what a lovely evening it was",
            f"{_LEAK} or what happened to the wreck, Thusfar?",
        ):
            await club.says(text)
            assert _nudges(stage, stage.club.ada) == []
        club.thread = stage.thread()
        await club.says()
    assert len(_nudges(stage, stage.club.ada)) == 1


async def test_organisers_turn_it_on_and_off(stage: Stage, club: Club, read_book: ReadBook) -> None:
    await read_book()
    ada = stage.club.ada
    async with club.running():
        await _own_page(stage, "4", by=ada)
        await club.says()
        refused = stage.ask("watch on", by=ada)
        await stage.wait_for(
            lambda: [one for one in (*stage.answers_to(refused), *stage.told(ada)) if "for organi" in one.content]
        )
        await club.says()
        await _switch(stage, "on")
        await _switch(stage, "off")
        await club.says()
    assert _nudges(stage, ada) == []


async def test_a_suitable_section_thread_is_named(stage: Stage, club: Club, read_book: ReadBook) -> None:
    await read_book()
    ada, organiser = stage.club.ada, stage.club.organiser
    async with club.running() as bot:
        await _switch(stage, "on")
        proposed = stage.use("schedule make", "2 weeks Sundays 19:00 Europe/Berlin", by=organiser)
        shown = (await stage.wait_for(lambda: [one for one in proposed.messages if one.content]))[-1]
        stage.press(".schedule", shown, by=organiser)
        await stage.wait_for(lambda: "What we read by when" in stage.public()[-1].content)
        stage.use("section open", "2", by=organiser)
        await stage.wait_for(lambda: [one for one in stage.public() if "talk here only" in one.content])
        await _own_page(stage, "4", by=ada)
        await bot.settled()
        await club.says()
    (told,) = _nudges(stage, ada)
    assert ", or section 2's thread" in told
    assert told.partition("section 2's thread")[2].startswith(" <#" if stage.name == "discord" else " ([1](http")


async def test_a_notice_that_cannot_be_private_is_not_sent(stage: Stage, club: Club, read_book: ReadBook) -> None:
    await read_book()
    ada = stage.club.ada
    async with club.running() as bot:
        await _switch(stage, "on")
        await _own_page(stage, "4", by=ada)
        await bot.settled()
        said = len(stage.public())
        if stage.name == "discord":
            stage.fail("post", stage.faults.refused(403, 50007, "Cannot send messages to this user"), times=9)
        else:
            stage.server.fail_next("chat.postEphemeral", stage.faults.refused("user_not_in_channel"), times=9)
        await club.says()
        stage.forget_plans()
    assert (_nudges(stage, ada), len(stage.public())) == ([], said)


async def test_nothing_waits_for_the_check_of_a_post(
    stage: Stage, club: Club, read_book: ReadBook, house: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_book()
    ada = stage.club.ada
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def held(*_: object, **__: object) -> Signal | None:
        begun.set()
        await go_on.wait()
        return Signal.NAME

    monkeypatch.setattr(house.guard, "gives_away", held)
    async with club.running() as bot:
        await _switch(stage, "on")
        await _own_page(stage, "4", by=ada)
        stage.say(club.thread, _LEAK)
        await begun.wait()
        question = stage.say(club.thread, "Who lit the lamp of the lighthouse?", mention=True)
        await stage.answer_to(question)
        await bot.settled()
        assert _nudges(stage, ada) == []
        go_on.set()
        await bot.looked()
        assert len(_nudges(stage, ada)) == 1
