"""Buttons are signed: forged, foreign, damaged and old ones get one private sentence, and do nothing."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from adapters.platform.buttons import NOT_VALID, SHOW
from adapters.platform.services import PlatformServices
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.adapters.platform.test_buttons import TOLD, WHISTLE, _asked_alone

_AT_ONCE = 16


def _forged(command: str) -> str:
    """Return an id of the right form with a made-up signature."""
    return f"tf1:{command}:1|x:{'A' * 12}"


def _mangled(command: str) -> list[str]:
    return [f"tf1:{command}:1", f"tf1:{command}::{'A' * 11}", f"tf1:{command}"]


async def test_no_forged_or_mangled_button_does_anything(
    stage: Stage, read_book: ReadBook, services: PlatformServices, caplog: pytest.LogCaptureFixture
) -> None:
    await read_book()
    commands = [*(words for words in services.commands._commands if words.startswith(".")), SHOW, ".setpage"]
    mangled = [one for command in (".up", SHOW, ".setpage") for one in _mangled(command)]
    made = [*map(_forged, commands), *mangled, "old", "tf1", "tf1:", "tf1:.up:é\u202e\0"]
    async with stage.settling():
        used: list[Any] = []
        for number in range(0, len(made), _AT_ONCE):
            used += [stage.press_as(one, stage.plant(one), by=stage.club.ada) for one in made[number:][:_AT_ONCE]]
            await stage.wait_for(partial(_all_told, used))
    assert set(_private(used)) == {NOT_VALID}
    assert len(_private(used)) == len(used)
    assert [one.getMessage() for one in caplog.records if one.exc_info] == []


async def test_a_private_button_works_for_no_other_member_and_in_no_other_place(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book()
    async with stage.running() as bot:
        shown = await _asked_alone(stage, WHISTLE, page="4")
        assert TOLD in shown.content
        (made,) = [one for one in stage.ids(shown) if f":{SHOW}:" in one]
        copy = stage.plant(made)
        used = [stage.press_as(made, copy, by=stage.club.ben)]
        await stage.wait_for(lambda: _private(used))
        cut = stage.plant(made[:-1])
        used.append(stage.press_as(made[:-1], cut, by=stage.club.ada))
        await stage.wait_for(lambda: NOT_VALID in _private(used[1:]))
        await bot.settled()
        assert not [one for one in stage.public() if TOLD in one.content]
    assert set(_private(used)) == {NOT_VALID}


async def test_a_button_is_still_valid_after_a_restart(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running():
        shown = await _asked_alone(stage, WHISTLE, page="4")
    async with stage.settling():
        stage.press(SHOW, shown, by=stage.club.ada)
        await stage.wait_for(stage.public)


def _all_told(used: Sequence[Any]) -> bool:
    return len(_private(used)) >= len(used)


def _private(used: Sequence[Any]) -> list[str]:
    """Return the private replies to those who pressed."""
    return [message.content for one in used for message in one.messages if message.content != "x"]
