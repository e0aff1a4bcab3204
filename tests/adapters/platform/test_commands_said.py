"""The words of commands, said to the bot: the same on every platform; and threads that `chat` opens."""

import pytest

from adapters.platform.services import PlatformServices
from bot.wiring import Application
from core.club.commands.values import Command
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage
from tests.adapters.platforms import LIGHTHOUSE
from tests.adapters.watching import watched

LAST_WORDS = f"The last words you read: “… {' '.join(LIGHTHOUSE.split(chr(12))[0].split()[-12:])}”"
_MOST_THREADS = 20


async def test_a_mention_does_what_a_command_does(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    thread = stage.thread()
    async with stage.running() as bot:
        said = stage.say(thread, "setpage 1", mention=True)
        line = await stage.answer_to(said)
        await stage.wait_for(lambda: stage.told(stage.club.ada))
        await bot.settled()
    assert line.content == "Ada set the thread back from p. 2 to p. 1 (25 %)."
    assert stage.labels(line) == ["Undo", "Only for me"]
    assert [one.content for one in stage.told(stage.club.ada)] == [LAST_WORDS]
    assert await stage.page_of(house, thread) == 1
    assert await stage.page_of(house) == 2


async def test_a_command_that_is_mentioned_in_a_channel_is_about_the_channel(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with stage.running() as bot:
        stage.ask("setpage 1")
        await stage.wait_for(stage.public)
        await bot.settled()
    assert await stage.page_of(house) == 1


async def test_what_is_asked_for_oneself_is_told_to_nobody_else(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        stage.ask("mypage 3")
        await stage.wait_for(lambda: stage.told(stage.club.ada))
        stage.ask("ask Who rowed out to the wreck?")
        await stage.wait_for(lambda: len(stage.told(stage.club.ada)) == 2)
        await bot.settled()
    assert "Ines rowed out" in stage.told(stage.club.ada)[-1].content
    assert stage.public() == []


async def test_a_leap_that_was_said_is_confirmed_by_its_button_wherever_that_stands(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="1")
    async with stage.running() as bot:
        stage.ask("setpage 4")
        (asked,) = await stage.wait_for(lambda: stage.told(stage.club.ada))
        assert asked.content == "From p. 1 to p. 4 of 4 is a big leap. Is that right?"
        stage.press(".leap", asked, by=stage.club.ada)
        await stage.wait_for(stage.public)
        await bot.settled()
    assert await stage.page_of(house) == 4


async def test_what_only_organisers_may_do_is_refused_to_others(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        refused = stage.ask("book remove The Lamp")
        await stage.wait_for(lambda: stage.emoji.failed in refused.reactions)
        stage.ask("book remove The Lamp", by=stage.club.organiser)
        await stage.wait_for(lambda: stage.told(stage.club.organiser))
        await bot.settled()
    (question,) = stage.told(stage.club.organiser)
    assert stage.labels(question) == ["Remove it"]


@pytest.mark.parametrize(
    ("said", "is_command"),
    [
        ("where", True),
        ("/setpage 1", True),
        ("mypage 3", True),
        ("where is the whistle?", False),
        ("help me understand the lamp", False),
        ("chat with us about the lamp", False),
        ("listen mentions", True),
        ("listen, who lit the lamp?", False),
        ("listen to this", False),
    ],
)
async def test_a_question_that_begins_like_a_command_is_a_question(
    stage: Stage, read_book: ReadBook, services: PlatformServices, said: str, is_command: bool
) -> None:
    await read_book()
    seen, commands = watched(services)
    answers = ScriptedAnswers()
    thread = stage.thread()
    async with stage.running(answers.instead_of(seen)) as bot:
        stage.say(thread, said, mention=True)
        await stage.wait_for(lambda: commands.ran or answers.answered)
        await bot.settled()
    assert (bool(commands.ran), bool(answers.asked)) == (is_command, not is_command)


async def test_every_command_of_the_registry_can_be_said(services: PlatformServices) -> None:
    def words_of(command: Command) -> str:
        return " ".join((command.words, *(command.takes.choices[:1] if command.takes is not None else ())))

    for command in services.commands.listed():
        assert services.commands.said(words_of(command)) is not None


async def test_chat_opens_a_thread_and_answers_in_it(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        stage.use("chat", "Who lit the lamp?")
        await stage.wait_for(lambda: len(stage.public()) == 3)
        await bot.settled()
    begun, asked, answer = stage.public()
    assert begun.content == "Ada opens a thread about The Lamp."
    assert asked.content == "Ada asks: Who lit the lamp?"
    assert "Marrable" in answer.content
    assert {"Sources", "👍", "👎"} <= set(stage.labels(answer))


async def test_who_opens_too_many_threads_by_chat_is_told_to_wait(
    stage: Stage, read_book: ReadBook, services: PlatformServices
) -> None:
    await read_book()
    async with stage.running(ScriptedAnswers().instead_of(services)) as bot:
        used = [stage.use("chat", "Who?") for _ in range(_MOST_THREADS + 1)]
        await stage.wait_for(lambda: len(stage.public()) == 3 * _MOST_THREADS)
        await stage.wait_for(lambda: any("give me a minute" in one.content for u in used for one in u.messages))
        await bot.settled()
    assert len(stage.public()) == 3 * _MOST_THREADS


async def test_a_picture_without_words_is_talk_among_members(stage: Stage, services: PlatformServices) -> None:
    answers = ScriptedAnswers()
    thread = stage.thread()
    async with stage.running(answers.instead_of(services)) as bot:
        stage.share(thread, "cat.txt", b"A cat.")
        await stage.answer_to(stage.say(thread, "Who?"))
        await bot.settled()
    assert [message.text for message in answers.asked] == ["Who?"]


async def test_a_book_is_given_with_words_to_the_bot(stage: Stage, read_book: ReadBook, house: Application) -> None:
    await read_book()
    organiser = stage.club.organiser
    async with stage.running() as bot:
        comet = b"A comet stood over the harbour."
        stage.share(None, "comet.txt", comet, text="book add The Comet", by=organiser)
        await stage.wait_for(lambda: stage.count("post"))
        await bot.settled()
    books = await house.library.in_scope(scope=stage.place().scope)
    assert {book.title for book in books} == {"The Lamp", "The Comet"}
    assert list(stage.public()) == []
