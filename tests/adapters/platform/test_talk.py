"""Messages that are no questions about the book get a command, a short reply or a reaction: no thread, no passage."""

from collections.abc import Callable

import pytest

from adapters.platform.services import PlatformServices
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

QUESTION = "Who lit the lamp?"
REPLIES = {
    "what can you do?": "**To ask**",
    "are you a bot?": "I'm Thusfar, a bot.",
    "lol": "Happy to talk about the book!",
    "that's wrong": "Sorry about that.",
    "when do we meet?": "There's no schedule yet.",
    "how far is Ada?": "▓▓▓▓▓░░░░░ p. 2 of 4 (50 %)",
    "write a poem about cats": "I only talk about The Lamp.",
    "delete what I said": "Shall I delete what you said to me here",
    "I bet she did it": "Shall I keep that?",
    "finished!": "From p. 2 to p. 4 of 4 is a big leap.",
}
IN_CHANNEL = {
    "be quiet": "In this channel I only answer when someone mentions me.",
    "another one": "Ask me anything about the pages you've read",
    "my page is 3": "Your own page is set: up to p. 3.",
    "we're on page 1": "Ada set the club's page back from p. 2 to p. 1",
    "undo": "Ada moved the club's page from p. 1 to p. 2",
    "go back to page 1": "Ada set the club's page back from p. 2 to p. 1",
}
ALONE = {
    "be quiet": "I only write here when you write to me.",
    "go back to page 1": "You set the page back from p. 2 to p. 1",
    "undo": "You moved the page from p. 1 to p. 2",
    "my page is 3": "From p. 2 to p. 3 of 4 is a big leap.",
    "we're on page 1": "You set the page back from p. 2 to p. 1",
}
IN_THREAD = {
    "be quiet": "Shall I answer only when someone mentions me here?",
    "write a poem about cats": "I only talk about The Lamp.",
    "delete what I said": "Shall I delete what you said to me here",
    "my page is 3": "Your own page is set: up to p. 3.",
    "go back to page 1": "Ada set the thread back from p. 2 to p. 1",
    "we're on page 1": "Ada set the thread back from p. 2 to p. 1",
    "undo": "Ada moved the thread from p. 1 to p. 2",
}
AMONG_MEMBERS = ["thanks!", "lol", "finished!", "what a lovely evening"]


def seen(stage: Stage) -> list[Message]:
    return [*stage.public(), *stage.told(stage.club.ada)]


async def gets(stage: Stage, say: Callable[[str], Message], replies: dict[str, str]) -> None:
    for text, reply in replies.items():
        before = seen(stage)
        say(text)
        await stage.wait_for(
            lambda: [one for one in seen(stage) if one not in before and one.content.startswith(reply)]  # noqa: B023
        )


@pytest.mark.parametrize("alone", [False, True], ids=["channel", "alone"])
async def test_talk_to_the_bot_is_answered_in_place(
    stage: Stage, services: PlatformServices, read_book: ReadBook, *, alone: bool
) -> None:
    ada, answers = stage.club.ada, ScriptedAnswers()
    await read_book()
    if alone:
        await read_book(at=stage.place_of(stage.server.dm(ada)))

    def say(text: str) -> Message:
        return stage.say_alone(text, by=ada) if alone else stage.ask(text)

    async with stage.settling(answers.instead_of(services, every_line=False)) as bot:
        await gets(stage, say, REPLIES | (ALONE if alone else IN_CHANNEL))
        await bot.settled()
        posts = len(seen(stage))
        thanked = say("thanks!")
        await stage.wait_for(lambda: list(thanked.reactions) == [stage.emoji.thanked])
    assert len(seen(stage)) == posts
    assert answers.asked == []


async def test_in_its_own_thread_a_message_plainly_for_the_bot_needs_no_mention(
    stage: Stage, services: PlatformServices, read_book: ReadBook
) -> None:
    await read_book()
    answers = ScriptedAnswers("Marrable the keeper did (p. 1).")
    async with stage.settling(answers.instead_of(services, every_line=False)) as bot:
        for text, reply in IN_THREAD.items():
            if text != "undo":
                thread = stage.thread()
                await stage.answer_to(stage.say(thread, QUESTION, mention=True))
            await gets(stage, lambda said: stage.say(thread, said), {text: reply})  # noqa: B023
        talk = []
        for text in AMONG_MEMBERS:
            thread = stage.thread()
            await stage.answer_to(stage.say(thread, QUESTION, mention=True))
            talk.append(stage.say(thread, text))
        await bot.settled()
        posts = len(stage.public())
    assert set(answers.texts) == {QUESTION}
    assert posts == len(stage.public())
    assert [said.reactions for said in talk] == [{}] * len(talk)
