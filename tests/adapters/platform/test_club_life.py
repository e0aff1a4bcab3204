"""The commands of a club's life on every platform: used or said, only the asker sees them, at their own page."""

import html

import pytest

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage


@pytest.mark.parametrize(
    ("words", "text", "begins"),
    [
        ("who", "Marrable", "**Marrable** 2 times"),
        ("who", "Nobody", "I haven't met anyone by that name"),
        ("cast", "", "The pages you've read name no one yet"),
        ("recap", "", "**The story so far** (pp. 1-2):"),
        ("discuss", "", "**1.**\n> "),
        ("discuss", "add Why does Marrable mend it?", "Saved. `/"),
        ("recap", "since", "**The story so far** (pp. 1-2):"),
        ("progress", "", "▓▓▓▓▓░░░░░ p. 2 of 4 (50 %)"),
        ("recap", "ch 1", "**Chapter 1**"),
    ],
)
@pytest.mark.parametrize("way", ["used", "said"])
async def test_only_the_asker_sees_it(
    stage: Stage, read_book: ReadBook, words: str, text: str, begins: str, way: str
) -> None:
    await read_book()
    ada = stage.club.ada
    async with stage.running() as bot:
        if way == "said":
            stage.ask(f"{words} {text}".strip())
            shown = (await stage.wait_for(lambda: stage.told(ada)))[-1].content
        else:
            used = stage.use(words, text)
            shown = (await stage.wait_for(lambda: [each for each in used.messages if each.content]))[-1].content
        await bot.settled()
    assert shown.startswith(begins)
    assert shown.endswith("(up to p. 2)") or words == "progress"
    assert stage.public() == []


@pytest.mark.parametrize("way", ["used", "said"])
async def test_an_organiser_says_who_somebody_is_and_others_are_told(
    stage: Stage, read_book: ReadBook, way: str
) -> None:
    await read_book()
    organiser, told = stage.club.organiser, "“lamp” is **Marrable**, as an organiser said (p. 2)."
    async with stage.running() as bot:
        await _done(stage, "cast", "lamp = Marrable", by=organiser, way=way, begins=told)
        await _done(stage, "who", "lamp" if way == "used" else "Lamp", by=stage.club.ben, way=way, begins=told)
        await bot.settled()
    assert stage.public() == []


async def test_four_who_said_their_own_page_are_counted_though_they_never_asked_anything(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book()
    members = (stage.club.ada, stage.club.ben, stage.club.organiser, stage.newcomer("Cleo"))
    async with stage.running() as bot:
        for member, page in zip(members, "1234", strict=True):
            await _done(stage, "mypage", page, by=member, way="used", begins="Your own page is set")
        stage.use("progress", "here", by=stage.club.ada)
        shown = (await stage.wait_for(lambda: [each for each in stage.public() if "p. 2 of 4" in each.content]))[-1]
        await bot.settled()
    assert shown.content.endswith("3 of 4 have reached p. 2.")


async def _done(stage: Stage, words: str, text: str, *, by: object, way: str, begins: str) -> None:
    """Use or say a command, and wait for what its user alone sees of it."""
    if way == "said":
        stage.ask(f"{words} {text}", by=by)
        await stage.wait_for(lambda: [each for each in stage.told(by) if each.content.startswith(begins)])
    else:
        used = stage.use(words, text, by=by)
        await stage.wait_for(lambda: [each for each in used.messages if each.content.startswith(begins)])


async def test_a_prediction_is_sealed_for_all_and_opened_and_judged_by_them(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    ada, ben = stage.club.ada, stage.club.ben
    async with stage.running() as bot:
        stage.use("predict", "The <lamp> was *broken* by her until p. 3", by=ada)
        sealed = (await stage.wait_for(lambda: [each for each in stage.public() if "🔒" in each.content]))[-1]
        assert sealed.content.endswith("sealed a prediction at p. 2.")
        assert "broken" not in sealed.content
        used = stage.use("setpage", "3", by=ada)
        stage.press(".leap", (await stage.wait_for(lambda: used.messages))[-1], by=ada)
        moved = (await stage.wait_for(lambda: [each for each in stage.public() if "You can open" in each.content]))[-1]
        await stage.over(stage.press(".prediction", moved, by=ben), bot)
        opened = (await stage.wait_for(lambda: [each for each in stage.public() if "🔓" in each.content]))[-1]
        await bot.settled()
    assert "at p. 2: “The <lamp> was *broken* by her”" in html.unescape(opened.content.replace("\\", ""))
    assert stage.labels(opened)[:3] == ["Right", "Half", "Wrong"]


async def test_a_line_is_chosen_for_all_and_one_ahead_for_nobody_yet(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.running() as bot:
        stage.use("quote", "storm broke the window of the tower", by=stage.club.ada)
        chosen = (await stage.wait_for(lambda: [each for each in stage.public() if "chosen by" in each.content]))[-1]
        used = stage.use("quote", "rowed out to the wreck and found", by=stage.club.ada)
        await stage.wait_for(lambda: used.messages)
        await bot.settled()
    assert "storm broke the window of the tower (p. 2)" in chosen.content
    assert used.messages[-1].content.startswith("I don't find these words in the pages you've read.")
    assert "wreck" not in " ".join(each.content for each in (*stage.public(), *used.messages))


async def test_what_a_member_keeps_comes_back_to_them_alone_once_it_is_read_further(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    ada = stage.club.ada
    async with stage.running() as bot:
        await _done(stage, "later", "Who finds the whistle?", by=ada, way="said", begins="Saved.")
        await _done(stage, "mypage", "3", by=ada, way="said", begins="Your own page is set")
        await bot.settled()
        for _ in range(2):
            await house.due.work_off(bot.served)
        told = [each for each in stage.told(ada) if each.content.startswith("You asked on p. 2: “Who finds")]
    assert [stage.labels(each) for each in told] == [["Ask now", "Keep", "Drop"]]
    assert stage.public() == []


async def test_each_member_votes_by_the_same_buttons_and_sees_their_own_vote_alone(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book()
    ada, ben, organiser = stage.club.ada, stage.club.ben, stage.club.organiser
    async with stage.running() as bot:
        for member, title in ((ada, "Emma by Jane Austen"), (ben, "Dracula")):
            await _done(stage, "suggest", title, by=member, way="used", begins="Suggested: ")
        stage.use("poll", "next", by=organiser)
        poll = (await stage.wait_for(lambda: [each for each in stage.public() if "read next" in each.content]))[-1]
        assert stage.labels(poll) == ["Dracula", "Emma (Jane Austen)"]
        for member, place in ((ada, 0), (ben, 1), (ada, 1)):
            await _votes(stage, poll, place, by=member)
        stage.use("poll", "close", by=organiser)
        closed = await stage.wait_for(lambda: [each for each in stage.public() if "next book is" in each.content])
        await bot.settled()
    assert "Emma" in closed[-1].content
    assert ": 2" in closed[-1].content
    assert stage.labels(poll) == ["Dracula", "Emma (Jane Austen)"]
    assert not [each for each in stage.public() if "You voted" in each.content]


async def _votes(stage: Stage, poll: Message, place: int, *, by: object) -> None:
    """Press a button of a poll, and wait for what its presser alone sees of it."""
    voted, title = stage.press(f".choose:1|{place}", poll, by=by), stage.labels(poll)[place].split(" (")[0]
    await stage.wait_for(
        lambda: [one for one in (*voted.messages, *stage.told(by)) if f"You voted for *{title}*" in one.content]
    )
