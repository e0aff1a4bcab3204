"""Unusual questions: by an edit, by a reply to another member, by a long paste; and messages without text."""

import asyncio
from typing import Any

import pytest

from adapters.persistence.inbox import SqlInbox
from adapters.platform.services import PlatformServices
from core.domain.inbound import InboundEvent
from core.domain.messages import HOW_TO_ASK, ONLY_WORDS
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.stages import Stage
from tests.patience import PATIENCE_S
from tests.platform_servers.discord.people import People

_POLL = {
    "question": {"text": "Who?"},
    "answers": [],
    "expiry": "2026-12-25T12:00:00+00:00",
    "allow_multiselect": False,
    "layout_type": 1,
}
_FORWARDED = {
    "type": 0,
    "content": "Who?",
    "embeds": [],
    "attachments": [],
    "timestamp": "2026-11-25T12:00:00+00:00",
    "edited_timestamp": None,
    "flags": 0,
    "mentions": [],
    "mention_roles": [],
}
_LONG = ("I have thought about the lamp and the storm for long. " * 60).strip()


def _under(stage: Stage, question: Any, text: str) -> Any:
    """Mention the bot as Ada, in reply to Ben's message."""
    if stage.name == "discord":
        said = f"{stage.server.bot.mention} {text}"
        return stage.server.say(stage.club.channel, stage.club.ada, said, reply_to=question)
    return stage.server.mention(stage.club.channel, stage.club.ada, text, question.ts)


async def test_an_edit_that_adds_the_mention_asks_once(stage: Stage) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.running(answers) as bot:
        said = stage.chat("Who lit the lamp?", by=stage.club.ada)
        await bot.settled()
        assert answers.asked == []
        for text in ("Who lit the lamp?", "Who lit the lamp, again?"):
            stage.edit(said, f"{stage.server.bot.mention} {text}")
            await answers.was_asked()
            await bot.settled()
    assert answers.texts == ["Who lit the lamp?"]


async def test_an_edit_can_turn_a_line_in_the_bots_thread_into_a_question(
    stage: Stage, services: PlatformServices
) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.settling(answers.instead_of(services, every_line=False)) as bot:
        said = stage.say(stage.thread(), "I had pancakes today.", by=stage.club.ada)
        await bot.settled()
        stage.edit(said, f"{stage.server.bot.mention} Who lit the lamp?")
        await answers.was_asked()
        await bot.settled()
        stage.edit(said, f"{stage.server.bot.mention} Who lit it, then?")
    assert answers.texts == ["Who lit the lamp?"]


async def test_an_edit_that_arrives_while_the_line_is_judged_is_not_lost(
    stage: Stage, services: PlatformServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, finish = ScriptedAnswers("To {asked}"), SqlInbox.finish
    noting, noted = asyncio.Event(), asyncio.Event()

    async def finish_late(inbox: SqlInbox, event: InboundEvent) -> None:
        noting.set()
        await noted.wait()
        await finish(inbox, event)

    monkeypatch.setattr(SqlInbox, "finish", finish_late)
    async with stage.settling(answers.instead_of(services, every_line=False)):
        said = stage.say(stage.thread(), "I had pancakes today.", by=stage.club.ada)
        async with asyncio.timeout(PATIENCE_S):
            await noting.wait()
        stage.edit(said, f"{stage.server.bot.mention} Who lit the lamp?")
        await asyncio.sleep(0.3)  # for the edit to come in; one that comes later is answered anyway
        noted.set()
        await answers.was_asked()
    assert answers.texts == ["Who lit the lamp?"]


async def test_an_answered_question_is_not_answered_again_after_an_edit_or_a_preview(stage: Stage) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.settling(answers):
        asked = stage.ask("Who lit https://example.org ?")
        await stage.answer_to(asked)
        stage.server.unfurl(asked)
        stage.edit(asked, f"{stage.server.bot.mention} Who lit it?")
    assert len(answers.asked) == 1


@pytest.mark.parametrize("text", ["", "can you answer that?", "what about this one?"])
async def test_a_mention_in_reply_to_a_question_asks_that_question(stage: Stage, text: str) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.settling(answers):
        question = stage.chat("Who rowed out to the wreck of the Mary?", by=stage.club.ben)
        _under(stage, question, text)
        await answers.was_asked()
    (asked,) = answers.asked
    assert (asked.text, asked.speaker.display_name) == ("Who rowed out to the wreck of the Mary?", "Ben")
    assert asked.speaker.member_id == asked.author.member_id == f"{stage.name}:{stage.club.ada.id}"


async def test_a_question_in_reply_to_another_member_stays_the_askers_own(stage: Stage) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.settling(answers):
        _under(stage, stage.chat("Who rowed out?", by=stage.club.ben), "Who is Marrable?")
        await answers.was_asked()
    assert [(one.text, one.speaker.display_name) for one in answers.asked] == [("Who is Marrable?", "Ada")]


async def test_a_bare_mention_with_nothing_above_it_is_told_how_to_ask(stage: Stage) -> None:
    answers = ScriptedAnswers()
    async with stage.settling(answers):
        stage.chat("Good evening, all.", by=stage.club.ben)
        stage.ask("")
        await stage.wait_for(lambda: stage.public() or stage.told(stage.club.ada))
    assert answers.asked == []
    said = [one.content for one in (*stage.public(), *stage.told(stage.club.ada))]
    assert len(said) == 1
    assert said[0].startswith(HOW_TO_ASK[:40])


@pytest.mark.parametrize("is_alone", [True, False])
async def test_a_long_paste_is_a_message_and_not_a_book(stage: Stage, is_alone: bool) -> None:
    answers = ScriptedAnswers("To {asked}")
    async with stage.settling(answers):
        _paste(stage, f"{_LONG}\u202e\0", is_alone=is_alone)
        await answers.was_asked()
    (asked,) = answers.asked
    assert asked.text == (_LONG if is_alone else f"What do you make of this?\n{_LONG}")


def _paste(stage: Stage, text: str, *, is_alone: bool) -> None:
    server, ada = stage.server, stage.club.ada
    where = server.dm(ada) if is_alone else stage.thread()
    said = "" if is_alone else f"{server.bot.mention} What do you make of this?"
    if stage.name == "discord":
        server.say(where, ada, said, attachments=[server.upload("message.txt", text.encode())])
        return
    file = server.upload("Untitled", text.encode(), owner=ada)
    file.mode = "snippet"
    server.say(where if is_alone else stage.club.channel, ada, said, None if is_alone else where.ts, files=[file])


async def test_a_message_without_text_gets_one_sentence(stage: Stage) -> None:
    answers = ScriptedAnswers()
    sticker = {"sticker_items": [{"id": "1", "name": "Wave", "format_type": 1}]}
    async with stage.running(answers) as bot:
        dm = stage.server.dm(stage.club.ada)
        for shown in (sticker, {"poll": _POLL}, {"message_snapshots": [{"message": _FORWARDED}]}, {}):
            before = len(stage.told(stage.club.ada))
            if stage.name == "discord":
                _say_with(stage.server, dm, stage.club.ada, shown)
            else:
                clip = stage.server.upload("clip.m4a", b"\0" * 99, "audio/mp4", owner=stage.club.ada)
                stage.server.say(dm, stage.club.ada, "", files=[clip] if shown else [])
            await stage.wait_for(lambda: stage.told(stage.club.ada)[before:])  # noqa: B023
            await bot.settled()
            assert [one.content for one in stage.told(stage.club.ada)[before:]] == [ONLY_WORDS]
    assert answers.asked == []


def _say_with(server: Any, dm: Any, by: Any, shown: dict[str, Any]) -> None:
    """Send a message without text, with content that the loopback server does not know."""
    publish = server.gateway.publish
    server.gateway.publish = lambda event, made: publish(
        event, lambda intents: (told := made(intents)) and {**told, **(shown if event == "MESSAGE_CREATE" else {})}
    )
    People.say(server, dm, by, "")
    server.gateway.publish = publish
