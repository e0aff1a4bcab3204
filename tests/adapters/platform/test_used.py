"""Commands left by a process that died: questions are answered, users of other commands are told to check."""

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.persistence.inbox import SqlInbox
from adapters.platform.services import PlatformServices
from adapters.platform.uploads import BookShelf
from bot.wiring import Application
from core.domain.errors import StorageError
from core.domain.inbound import InboundEvent
from core.ports.inbox import Inbox
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.killed import began, killed_over, left_behind
from tests.adapters.platform.stages import Message, Stage
from tests.adapters.watching import watched


class BusyForCommands(SqlInbox):
    """A store that takes messages, but no commands."""

    def __init__(self, inbox: Inbox) -> None:
        assert isinstance(inbox, SqlInbox)
        super().__init__(inbox.database)

    async def take_in(self, event: InboundEvent, *, finished: Sequence[InboundEvent] = ()) -> bool:
        if event.platform.endswith("/used"):
            raise StorageError("The database is locked.")
        return await super().take_in(event, finished=finished)


def _answers(stage: Stage, used: Any) -> list[Message]:
    """Return the answers about the lamp that the asker or everyone sees."""
    return [one for one in (*used.messages, *stage.public()) if "Marrable" in one.content]


async def test_a_command_is_stored_while_it_runs_and_done_when_it_is_over(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    slow, commands = watched(services)
    commands.open.clear()
    async with stage.settling(slow):
        used = stage.use("ask", "Who lit the lamp?")
        await began(commands)
        (event,) = await left_behind(stage, services)
        assert event.payload["words"] == "ask"
        commands.open.set()
        await stage.wait_for(lambda: used.messages)
    assert await left_behind(stage, services) == []


@pytest.mark.parametrize("words", ["ask", "chat"])
async def test_a_question_asked_by_command_is_answered_after_a_kill(
    stage: Stage, services: PlatformServices, read_book: ReadBook, words: str
) -> None:
    await read_book()
    used = await killed_over(stage, services, words, lambda: stage.use(words, "Who lit the lamp?"))
    for _ in range(2):
        async with stage.settling():
            await stage.wait_for(lambda: _answers(stage, used))
    assert len(_answers(stage, used)) == 1
    assert await left_behind(stage, services) == []


async def test_users_of_other_commands_are_told_to_check_after_a_kill(
    stage: Stage, services: PlatformServices, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    used = await killed_over(stage, services, "setpage", lambda: stage.use("setpage", "3"))
    async with stage.settling():
        await stage.wait_for(lambda: used.messages)
    assert "`setpage`" in used.messages[-1].content
    assert "restarted" in used.messages[-1].content
    assert await stage.page_of(house) == 2
    assert await left_behind(stage, services) == []


async def test_a_question_whose_interaction_has_expired_is_answered_in_a_direct_message(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    used = await killed_over(stage, services, "ask", lambda: stage.use("ask", "Who lit the lamp?"))
    stage.expire(used)
    async with stage.settling():
        await stage.wait_for(lambda: [one for one in stage.told(stage.club.ada) if "Marrable" in one.content])
    assert await left_behind(stage, services) == []


async def test_a_command_that_cannot_be_stored_still_runs(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    async with stage.settling(replace(services, inbox=BusyForCommands(services.inbox))):
        stage.use("where")
        await stage.wait_for(stage.public)


def test_temporary_files_of_an_import_are_cleaned_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, services: PlatformServices
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("thusfar-upload-999999999-abc", "thusfar-upload-1-abc", "other-999999999-abc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "novel.epub").write_bytes(b"x")
    BookShelf(services.book_commands, most_bytes=1)
    assert {path.name for path in tmp_path.glob("*-abc")} == {"thusfar-upload-1-abc", "other-999999999-abc"}


def _seen(stage: Stage, used: Any, words: str) -> list[Message]:
    """Return the replies with some words that the presser of a button sees."""
    seen = {id(one): one for one in (*used.messages, *stage.told(used.user))}
    return [one for one in seen.values() if words in one.content]


async def _pressed(stage: Stage, services: PlatformServices, command: str) -> Any:
    """Kill the bot after it acknowledged a button press under an answer to Ada, before it did anything."""
    async with stage.settling():
        answer = await stage.answer_to(stage.ask("Who lit the lamp?"))
    return await killed_over(stage, services, command, lambda: stage.press(command, answer, by=stage.club.ben))


async def test_a_button_that_only_shows_something_shows_it_after_a_kill(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    used = await _pressed(stage, services, ".around")
    for _ in range(2):
        async with stage.settling():
            await stage.wait_for(lambda: _seen(stage, used, "p. 1"))
    assert len(_seen(stage, used, "p. 1")) == 1
    assert await left_behind(stage, services) == []


async def test_the_presser_of_a_changing_button_is_told_to_check_after_a_kill(
    stage: Stage, services: PlatformServices, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with stage.settling():
        stage.use("setpage", "1")
        (line,) = await stage.wait_for(stage.public)
    used = await killed_over(stage, services, ".undo", lambda: stage.press(".undo", line, by=stage.club.ada))
    async with stage.settling():
        await stage.wait_for(lambda: _seen(stage, used, "the button you pressed"))
    assert await stage.page_of(house) == 1
    assert await left_behind(stage, services) == []


async def test_a_button_that_is_done_is_kept_no_longer(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    async with stage.settling():
        answer = await stage.answer_to(stage.ask("Who lit the lamp?"))
        used = stage.press(".around", answer, by=stage.club.ben)
        await stage.wait_for(lambda: _seen(stage, used, "p. 1"))
    assert await left_behind(stage, services) == []
