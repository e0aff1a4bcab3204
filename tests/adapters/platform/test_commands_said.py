"""Commands said to the bot in words, the same on every platform, and threads that `chat` opens."""

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
    async with stage.settling():
        said = stage.say(thread, "setpage 1", mention=True)
        line = await stage.answer_to(said)
        await stage.wait_for(lambda: stage.told(stage.club.ada))
    assert line.content == "Ada set the thread back from p. 2 to p. 1 (25 %)."
    assert stage.labels(line) == ["Undo", "Only for me"]
    assert [one.content for one in stage.told(stage.club.ada)] == [LAST_WORDS]
    assert await stage.page_of(house, thread) == 1
    assert await stage.page_of(house) == 2


async def test_a_command_that_is_mentioned_in_a_channel_is_about_the_channel(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    async with stage.settling():
        stage.ask("setpage 1")
        await stage.wait_for(stage.public)
    assert await stage.page_of(house) == 1


async def test_a_private_reply_is_shown_to_no_one_else(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        stage.ask("mypage 3")
        await stage.wait_for(lambda: stage.told(stage.club.ada))
        stage.ask("ask Who rowed out to the wreck?")
        await stage.wait_for(lambda: len(stage.told(stage.club.ada)) == 2)
    assert "Ines rowed out" in stage.told(stage.club.ada)[-1].content
    assert stage.public() == []


async def test_a_said_leap_is_confirmed_by_its_button_anywhere(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book(page="1")
    async with stage.settling():
        stage.ask("setpage 4")
        (asked,) = await stage.wait_for(lambda: stage.told(stage.club.ada))
        assert asked.content == "From p. 1 to p. 4 of 4 is a big leap. Is that right?"
        stage.press(".leap", asked, by=stage.club.ada)
        await stage.wait_for(stage.public)
    assert await stage.page_of(house) == 4


async def test_organiser_commands_are_refused_to_others(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        refused = stage.ask("book remove The Lamp")
        await stage.wait_for(lambda: stage.emoji.failed in refused.reactions)
        stage.ask("book remove The Lamp", by=stage.club.organiser)
        await stage.wait_for(lambda: stage.told(stage.club.organiser))
    (question,) = stage.told(stage.club.organiser)
    assert stage.labels(question) == ["Remove it"]


async def test_a_question_that_begins_like_a_command_is_a_question(
    stage: Stage, read_book: ReadBook, services: PlatformServices
) -> None:
    await read_book()
    seen, commands = watched(services)
    answers = ScriptedAnswers()
    thread = stage.thread()
    questions = [
        "where is the whistle?",
        "help me understand the lamp",
        "chat with us about the lamp",
        "listen, who lit the lamp?",
        "listen to this",
    ]
    async with stage.settling(answers.instead_of(seen)) as bot:
        for ran, said in enumerate(["where", "/setpage 1", "mypage 3", "listen mentions"], start=1):
            stage.say(thread, said, mention=True)
            await stage.wait_for(lambda: len(commands.ran) == ran or answers.asked)  # noqa: B023
            await bot.settled()
            assert answers.asked == []
        for said in questions:
            stage.say(thread, said, mention=True)
        await answers.was_asked(len(questions))
    assert len(commands.ran) == 4
    assert answers.texts == questions


async def test_every_command_of_the_registry_can_be_said(services: PlatformServices) -> None:
    def words_of(command: Command) -> str:
        return " ".join((command.words, *(command.takes.choices[:1] if command.takes is not None else ())))

    for command in services.commands.listed():
        assert services.commands.said(words_of(command)) is not None


async def test_chat_opens_a_thread_and_answers_in_it(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        stage.use("chat", "Who lit the lamp?")
        await stage.wait_for(lambda: len(stage.public()) == 3)
    begun, asked, answer = stage.public()
    assert begun.content == "Ada opens a thread about The Lamp."
    assert asked.content == "Ada asks: Who lit the lamp?"
    assert "Marrable" in answer.content
    assert {"More here", "👍", "👎"} <= set(stage.labels(answer))


async def test_a_member_who_opens_too_many_threads_by_chat_is_told_to_wait(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling(ScriptedAnswers()):
        used = [stage.use("chat", "Who?") for _ in range(_MOST_THREADS + 1)]
        await stage.wait_for(lambda: len(stage.public()) == 3 * _MOST_THREADS)
        await stage.wait_for(lambda: any("give me a minute" in one.content for u in used for one in u.messages))
    assert len(stage.public()) == 3 * _MOST_THREADS


async def test_a_picture_without_words_is_talk_among_members(stage: Stage) -> None:
    answers = ScriptedAnswers()
    thread = stage.thread()
    async with stage.settling(answers):
        stage.share(thread, "cat.txt", b"A cat.")
        await stage.answer_to(stage.say(thread, "Who?"))
    assert answers.texts == ["Who?"]


async def test_a_book_can_be_shared_with_a_message_to_the_bot(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    organiser = stage.club.organiser
    async with stage.settling():
        comet = b"A comet stood over the harbour."
        stage.share(None, "comet.txt", comet, text="book add The Comet", by=organiser)
        await stage.wait_for(lambda: stage.count("post"))
    books = await house.library.in_scope(scope=stage.place().scope)
    assert {book.title for book in books} == {"The Lamp", "The Comet"}
    assert list(stage.public()) == []
