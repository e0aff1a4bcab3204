"""In a thread that it opened, the bot answers questions, on both platforms, and stays out of other talk."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from adapters.platform.services import PlatformServices
from bot.platforms import platform_services
from bot.settings import Settings
from bot.wiring import Application, build
from core.club.hearing import addressing
from core.domain.conversation import AskedAs, Author, Line
from core.domain.tool_use import ChatResponse, TokenUsage
from core.domain.understanding import Intent, Understanding
from core.understanding.understand import understand
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage
from tests.adapters.platforms import LIGHTHOUSE
from tests.fakes.chat_provider import ScriptedChatProvider

IDLE = [
    "lol",
    "see you on Friday",
    "haha same",
    "who's bringing the snacks on Saturday?",
    "can we move it to 8pm, I have the kids?",
    "https://example.com/lighthouses",
    "!play sea shanties",
    "thanks Ben!",
    "I loved that chapter so much",
    "sorry I'm late, the train again",
    "🎉🎉",
    "did you get my dm about the ride?",
]
QUESTION = "why did the window of the tower break?"
DOUBTFUL, AS_DOUBTFUL = "then the window was mended", "hm the window though?"
NOBODY = "NOBODY ASKED"


async def asks(stage: Stage) -> tuple[Message, Message]:
    """Mention the bot, and return its answer and the answer's thread."""
    thread = stage.thread()
    asked = stage.say(thread, "Who lit the lamp?", mention=True)
    return thread, await stage.answer_to(asked)


async def test_small_talk_gets_nothing_and_questions_get_answers(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers("Marrable the keeper did (p. 1).")
    async with stage.settling(answers.instead_of(services, every_line=False)) as bot:
        thread, _ = await asks(stage)
        await stage.answer_to(stage.say(thread, QUESTION, by=stage.club.ben))
        await bot.reacted()
        before, posts = stage.count("react"), len(stage.public())
        for number, text in enumerate(IDLE):
            stage.say(thread, text, by=stage.club.ben if number % 2 else None)
    assert answers.texts == ["Who lit the lamp?", QUESTION]
    assert (stage.count("react"), len(stage.public())) == (before, posts)


async def test_a_message_for_another_member_is_left_to_them(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers()
    async with stage.settling(answers.instead_of(services, every_line=False)):
        thread, _ = await asks(stage)
        mention = stage.club.ben.mention
        stage.say(thread, f"hey {mention} what do you think?")
        stage.say(thread, f"what is the lamp for, {mention}?")
        both = stage.say(thread, f"{mention} and I would like to know who mended the window", mention=True)
        await stage.answer_to(both)
    assert [message.asked for message in answers.asked] == [AskedAs.YES, AskedAs.YES]


@pytest.mark.parametrize("thanks", ["thanks!", "Thank you, that helps a lot", "good bot"])
async def test_thanks_get_a_reaction_and_no_answer(stage: Stage, services: PlatformServices, thanks: str) -> None:
    answers = ScriptedAnswers()
    async with stage.settling(answers.instead_of(services, every_line=False)):
        thread, _ = await asks(stage)
        posts = len(stage.public())
        thanked = stage.say(thread, thanks, mention=True)
        await stage.wait_for(lambda: list(thanked.reactions) == [stage.emoji.thanked])
    assert len(answers.asked) == 1
    assert len(stage.public()) == posts


async def test_without_a_model_doubt_is_silence(
    stage: Stage, services: PlatformServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addressing, "understand", _in_doubt)
    answers = ScriptedAnswers()
    async with stage.settling(answers.instead_of(services, every_line=False)):
        thread, _ = await asks(stage)
        stage.say(thread, "haha yes", by=stage.club.ben)
        stage.say(thread, DOUBTFUL)
    assert len(answers.asked) == 1


@asynccontextmanager
async def with_model(home: Path, model: ScriptedChatProvider) -> AsyncIterator[Application]:
    application = build(Settings(thusfar_home=home), answers_with=model)
    try:
        yield application
    finally:
        await application.close()
    model.done()


async def reads(application: Application, stage: Stage, folder: Path) -> None:
    path = folder / "lamp.txt"
    path.write_text(LIGHTHOUSE, encoding="utf-8")
    place = stage.place()
    book = (await application.library.add(path, scope=place.scope, title="The Lamp")).book
    await application.threads.use(place, book_id=book.book_id)
    olga = Author(member_id=f"{stage.name}:1", display_name="Olga")
    await application.clubs().positions.set(
        await application.threads.club(place), text="2", member=olga, confirmed=True
    )


def draft(text: str) -> ChatResponse:
    return ChatResponse(text=text, usage=TokenUsage(input_tokens=50, output_tokens=5))


def _in_doubt(line: Line, before: Sequence[Line], **how: Any) -> Understanding:
    """Return what a line means; two lines are in doubt, however the model that ships is fitted."""
    meaning = understand(line, before, **how)
    if line.text in {DOUBTFUL, AS_DOUBTFUL}:
        return replace(meaning, addressed=AskedAs.PERHAPS, intent=Intent.EVENT)
    return meaning


async def test_a_model_settles_doubt_in_the_call_that_would_answer(
    stage: Stage, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addressing, "understand", _in_doubt)
    quoted = draft('"Marrable the keeper lit the lamp of the lighthouse every evening at six." (p. 1)')
    borne_out = draft("1 SUPPORTED p1")
    model = ScriptedChatProvider(quoted, borne_out, draft(NOBODY), quoted, borne_out)
    async with with_model(own_home, model) as application:
        await reads(application, stage, tmp_path)
        async with stage.settling(platform_services(application)) as bot:
            thread, _ = await asks(stage)
            posts = len(stage.public())
            stage.say(thread, "haha yes", by=stage.club.ben)
            idle = stage.say(thread, DOUBTFUL)
            await bot.settled()
            assert idle.reactions == {}
            assert len(stage.public()) == posts
            asked = stage.say(thread, AS_DOUBTFUL, by=stage.club.ben)
            await stage.answer_to(asked)
    assert [NOBODY in call.messages[-1].content for call in model.asked] == [False, False, True, True, False]


async def test_listen_is_said_in_a_thread_or_by_organisers_for_the_club(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    answers = ScriptedAnswers()
    async with stage.running(answers.instead_of(services, every_line=False)) as bot:
        thread, _ = await asks(stage)
        stage.say(thread, "listen mentions", mention=True)
        await stage.wait_for(lambda: "In this thread I answer only mentions" in stage.public()[-1].content)
        stage.say(thread, QUESTION)
        stage.say(thread, "listen all", mention=True)
        await stage.wait_for(lambda: "In this thread I answer every message" in stage.public()[-1].content)
        await stage.answer_to(stage.say(thread, DOUBTFUL))
        await bot.settled()
        refused = stage.use("listen", "all")
        await stage.wait_for(lambda: any("Only organisers" in one.content for one in refused.messages))
    assert answers.texts == ["Who lit the lamp?", DOUBTFUL]


async def test_small_talk_is_not_saved_for_later(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        stage.ask("Hello there!")
        (answer,) = await stage.wait_for(lambda: [*stage.public(), *stage.told(stage.club.ada)])
    assert answer.content.startswith("Happy to talk about the book")
    assert not {"Keep for later", "Sources", "More here"} & set(stage.labels(answer))
