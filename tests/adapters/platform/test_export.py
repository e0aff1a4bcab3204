"""Exports: a club's archive as files, for one organiser and no one else."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.bot.running import thusfar


async def _private(stage: Stage, used: Any, by: Any, words: str) -> Message:
    """Wait for a private message with some words."""
    return (await stage.wait_for(lambda: [one for one in _seen(stage, used, by) if words in one.content]))[-1]


def _seen(stage: Stage, used: Any, by: Any) -> list[Message]:
    return [*used.messages, *stage.told(by)]


async def _handed(stage: Stage, used: Any) -> dict[str, bytes]:
    organiser = stage.club.organiser
    await _private(stage, used, organiser, "one file to read")
    files: dict[str, bytes] = await stage.wait_for(lambda: stage.files_for(organiser, used))
    return files


async def test_an_organiser_gets_it_at_the_end_of_the_book_and_can_forget_the_club(
    stage: Stage, read_book: ReadBook, house: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    await read_book(page="end")
    organiser, ada = stage.club.organiser, stage.club.ada
    async with stage.settling() as bot:
        stage.use("quote", "storm broke the window of the tower", by=ada)
        await stage.wait_for(stage.public)
        await stage.answer_to(stage.ask("Who lit the lamp?"))
        await bot.settled()
        used = stage.use("finish", by=organiser)
        offered = await _private(stage, used, organiser, "your own archive")
        assert stage.labels(offered) == ["Export"]
        pressed = stage.press(".export", offered, by=organiser)
        files = await _handed(stage, pressed)
        told = await _private(stage, pressed, organiser, "one file to read")
        assert stage.labels(told) == ["Forget this club"]
        asked = stage.press(".ask-forget-club", told, by=organiser)
        await _private(stage, asked, organiser, "Forget all readings")
    assert set(files) == {"the-lamp.md", "the-lamp.json"}
    archived = json.loads(files["the-lamp.json"])
    assert [one["text"] for one in archived["quotes"]] == ["storm broke the window of the tower"]
    assert [one["question"] for one in archived["questions"]] == ["Who lit the lamp?"]
    assert files["the-lamp.md"].decode().startswith("# The Lamp\n")
    assert not any(message.attachments for message in stage.public() if stage.name == "discord")
    monkeypatch.setenv("THUSFAR_HOME", str(house.settings.thusfar_home))
    place = stage.place()
    export = partial(asyncio.to_thread, thusfar, "clubs", "export", place.place, "--for", place.scope)
    assert (await export("--json")).json == archived
    assert (await export()).out == files["the-lamp.md"].decode()


async def test_it_can_be_said_to_the_bot_and_only_by_organisers(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    organiser, ada = stage.club.organiser, stage.club.ada
    async with stage.settling():
        said = stage.ask("export", by=organiser)
        await stage.wait_for(lambda: [one for one in stage.told(organiser) if "one file to read" in one.content])
        refused = stage.ask("export", by=ada)
        await stage.wait_for(lambda: [one for one in _about(stage, refused, ada) if "organisers" in one.content])
    assert said is not refused
    assert not [one for one in stage.told(ada) if "one file" in one.content]


def _about(stage: Stage, message: Message, person: Any) -> list[Message]:
    return [*stage.answers_to(message), *stage.told(person), *stage.public()]


async def test_a_member_gets_their_own_data_and_nothing_of_others(stage: Stage, read_book: ReadBook) -> None:
    await read_book(page="2")
    ada, ben = stage.club.ada, stage.club.ben
    async with stage.settling():
        await stage.answer_to(stage.ask("Who lit the lamp?", by=ben))
        own = stage.use("ask", "Who mended the window?", by=ada)
        await _private(stage, own, ada, "Marrable")
        stage.use("predict", "The bens sink", by=ben)
        stage.use("predict", "The adas swim", by=ada)
        await stage.wait_for(lambda: sum("sealed a prediction" in each.content for each in stage.public()) == 2)
        used = stage.use("export me", by=ada)
        await _private(stage, used, ada, "Only you get this file")
        files = await stage.wait_for(lambda: stage.files_for(ada, used))
    kept = json.loads(files["about-you.json"])
    assert [(one["by"], one["private"]) for one in kept["questions"]] == [("you", True), ("me", True)]
    assert kept["questions"][0]["text"] == "Who mended the window?"
    assert [one["text"] for one in kept["quotes_and_predictions"]] == ["The adas swim"]
    assert not any(message.attachments for message in stage.public() if stage.name == "discord")
