"""A stop: nothing more is billed, nothing is posted, and the thread's next question is answered."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from adapters.discord import surface as on_discord
from adapters.slack import surface as in_slack
from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from core.domain.tool_use import ChatResponse, TokenUsage
from tests.adapters.platform.stages import DiscordStage, Message, SlackStage, Stage
from tests.adapters.platform.test_speaking import reads
from tests.fakes.held_model import HeldModel

WITHIN_S = 1.0
ANSWER = ChatResponse(
    text="Marrable lit the lamp of the lighthouse (p. 1).", usage=TokenUsage(input_tokens=9, output_tokens=9)
)
QUESTION = "Who lit the lamp?"


@pytest_asyncio.fixture
async def model() -> HeldModel:
    return HeldModel(ANSWER)


@pytest_asyncio.fixture
async def held(own_home: Path, tmp_path: Path, stage: Stage, model: HeldModel) -> AsyncIterator[Application]:
    """A club that reads; each call of its model is held until the test lets it go."""
    settings = Settings.model_validate({"thusfar_home": own_home, "THUSFAR_VERIFIER": "off"})
    application = build(settings, answers_with=model)
    await reads(application, stage, tmp_path)
    try:
        yield application
    finally:
        await application.close()


async def given_up(model: HeldModel) -> None:
    async with asyncio.timeout(WITHIN_S):
        await model.was_given_up.wait()


@pytest.mark.parametrize(
    ("text", "mention", "by"),
    [
        ("stop", False, "ada"),
        ("Stop!", False, "ada"),
        ("please stop", False, "ada"),
        ("stop", True, "ada"),
        ("stop answering", True, "organiser"),
    ],
)
async def test_a_stop_ends_the_turn_at_once(
    stage: Stage, held: Application, model: HeldModel, text: str, mention: bool, by: str
) -> None:
    thread = stage.thread()
    async with stage.settling(platform_services(held)) as bot:
        asked = stage.say(thread, QUESTION, mention=True)
        await model.was_called()
        said = stage.say(thread, text, mention=mention, by=getattr(stage.club, by))
        await given_up(model)
        await bot.settled()
        assert not _answered(stage)
        assert not asked.reactions
        assert model.calls == 1
        if by == "ada":
            stage.say(thread, QUESTION, mention=True)
            await model.was_called(2)
            model.release()
            await stage.wait_for(lambda: _answered(stage))
    assert said


def _answered(stage: Stage) -> list[Message]:
    return [one for one in stage.public() if "Marrable" in one.content]


@pytest.mark.parametrize("mention", [False, True])
async def test_another_member_stops_nothing(stage: Stage, held: Application, model: HeldModel, mention: bool) -> None:
    thread = stage.thread()
    async with stage.settling(platform_services(held)):
        stage.say(thread, QUESTION, mention=True)
        await model.was_called()
        stage.say(thread, "stop", mention=mention, by=stage.club.ben)
        if mention:
            refusal = "Only the one who asked, or an organiser, can stop an answer."
            await stage.wait_for(
                lambda: [one for one in [*stage.public(), *stage.told(stage.club.ben)] if refusal in one.content]
            )
        model.release()
        await stage.wait_for(lambda: _answered(stage))
    assert not model.given_up


async def test_a_stopped_turn_is_closed_and_its_question_is_gone(
    stage: Stage, held: Application, model: HeldModel
) -> None:
    thread = stage.thread()
    async with stage.settling(platform_services(held)):
        stage.say(thread, QUESTION, mention=True)
        await model.was_called()
        stage.say(thread, "stop")
        await given_up(model)
    with held.database.engine.connect() as connection:
        turns = connection.exec_driver_sql("SELECT status, user_query, error_code FROM turn").all()
        said = connection.exec_driver_sql("SELECT content FROM message").all()
        left = connection.exec_driver_sql(
            "SELECT state FROM inbound_event WHERE state <> 'done' AND place <> '(alive)'"
        ).all()
    assert [tuple(one) for one in turns] == [("idle", "", None)]
    assert not said
    assert not left


def _waiting(stage: Stage) -> list[Message]:
    """Return what stands where the answer will be: a line on Discord, a plan in Slack."""
    if isinstance(stage, DiscordStage):
        return [one for one in stage.public() if one.content.startswith("I'm still looking")]
    return [one for one in stage.public() if one.steps]


def _press_stop(stage: Stage, *, by: Any) -> None:
    if isinstance(stage, DiscordStage):
        stage.press(".quiet", _waiting(stage)[0], by=by)
    else:
        plan = _waiting(stage)[0]
        plan.is_streaming = False  # Slack ends it itself
        where = {"channel": plan.channel.id, "thread_ts": plan.root_ts, "streaming_message_ts": [plan.ts]}
        stage.server.platform.tell("agent_session_stopped", {"type": "agent_session_stopped", "user": by.id, **where})


async def test_the_platforms_own_stop(
    stage: Stage, held: Application, model: HeldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_discord, "LINE_AFTER_S", 0.05)
    monkeypatch.setattr(in_slack, "PLAN_AFTER_S", 0.05)
    thread = stage.thread()
    async with stage.settling(platform_services(held)):
        asked = stage.say(thread, QUESTION, mention=True)
        await model.was_called()
        await stage.wait_for(lambda: _waiting(stage))
        _press_stop(stage, by=stage.club.ada)
        await given_up(model)
        await stage.wait_for(lambda: not _waiting(stage))
        await stage.wait_for(lambda: not asked.reactions)
    assert not _answered(stage)
    assert model.calls == 1
    if isinstance(stage, SlackStage):
        (sessions,) = stage.server.platform.sessions.values()
        assert sessions == ["processing", "active"]
