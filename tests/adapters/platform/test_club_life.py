"""Club commands on every platform, typed or said: only the asker sees the reply, at their own page."""

import html

import pytest

from bot.wiring import Application
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Message, Stage

_SEEN_ALONE = (
    ("who", "Marrable", "**Marrable** 2 times"),
    ("who", "Nobody", "I haven't met anyone by that name"),
    ("cast", "", "The pages you've read name no one yet"),
    ("recap", "since", "**The story so far** (pp. 1-2):"),
    ("recap", "", "**The story so far** (pp. 1-2):"),
    ("recap", "ch 1", "**Chapter 1**"),
    ("discuss", "", "**1.**\n> "),
    ("discuss", "add Why does Marrable mend it?", "Saved. `/"),
    ("progress", "", "▓▓▓▓▓░░░░░ p. 2 of 4 (50 %)"),
)


@pytest.mark.parametrize("way", ["used", "said"])
async def test_only_the_asker_sees_it(stage: Stage, read_book: ReadBook, way: str) -> None:
    await read_book()
    async with stage.running() as bot:
        for words, text, begins in _SEEN_ALONE:
            shown = await _shown_alone(stage, words, text, way)
            await bot.settled()
            assert shown.startswith(begins)
            assert shown.endswith("(up to p. 2)") or words == "progress"
    assert stage.public() == []


async def _shown_alone(stage: Stage, words: str, text: str, way: str) -> str:
    """Return the private reply to Ada's command."""
    if way == "used":
        used = stage.use(words, text)
        return str((await stage.wait_for(lambda: [each for each in used.messages if each.content]))[-1].content)
    before = len(stage.told(stage.club.ada))
    stage.ask(f"{words} {text}".strip())
    return str((await stage.wait_for(lambda: stage.told(stage.club.ada)[before:]))[-1].content)


@pytest.mark.parametrize("way", ["used", "said"])
async def test_an_organisers_alias_is_shown_to_others(stage: Stage, read_book: ReadBook, way: str) -> None:
    await read_book()
    organiser, told = stage.club.organiser, "“lamp” is **Marrable**, as an organiser said (p. 2)."
    async with stage.settling():
        await _done(stage, "cast", "lamp = Marrable", by=organiser, way=way, begins=told)
        await _done(stage, "who", "lamp" if way == "used" else "Lamp", by=stage.club.ben, way=way, begins=told)
    assert stage.public() == []


async def test_four_members_who_set_their_page_are_counted_without_asking_anything(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book()
    members = (stage.club.ada, stage.club.ben, stage.club.organiser, stage.newcomer("Cleo"))
    async with stage.settling():
        for member, page in zip(members, "1234", strict=True):
            await _done(stage, "mypage", page, by=member, way="used", begins="Your own page is set")
        stage.use("progress", "here", by=stage.club.ada)
        shown = (await stage.wait_for(lambda: [each for each in stage.public() if "p. 2 of 4" in each.content]))[-1]
    assert shown.content.endswith("3 of 4 have reached p. 2.")


async def _done(stage: Stage, words: str, text: str, *, by: object, way: str, begins: str) -> None:
    """Use or say a command, and wait for its private reply."""
    if way == "said":
        stage.ask(f"{words} {text}", by=by)
        await stage.wait_for(lambda: [each for each in stage.told(by) if each.content.startswith(begins)])
    else:
        used = stage.use(words, text, by=by)
        await stage.wait_for(lambda: [each for each in used.messages if each.content.startswith(begins)])


async def test_a_prediction_is_sealed_then_opened_and_voted_on(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    ada, ben = stage.club.ada, stage.club.ben
    async with stage.settling() as bot:
        stage.use("predict", "The <lamp> was *broken* by her until p. 3", by=ada)
        sealed = (await stage.wait_for(lambda: [each for each in stage.public() if "🔒" in each.content]))[-1]
        assert sealed.content.endswith("sealed a prediction at p. 2.")
        assert "broken" not in sealed.content
        used = stage.use("setpage", "3", by=ada)
        stage.press(".leap", (await stage.wait_for(lambda: used.messages))[-1], by=ada)
        moved = (await stage.wait_for(lambda: [each for each in stage.public() if "You can open" in each.content]))[-1]
        await stage.over(stage.press(".prediction", moved, by=ben), bot)
        opened = (await stage.wait_for(lambda: [each for each in stage.public() if "🔓" in each.content]))[-1]
    assert "at p. 2: “The <lamp> was *broken* by her”" in html.unescape(opened.content.replace("\\", ""))
    assert stage.labels(opened)[:3] == ["Right", "Half", "Wrong"]


async def test_a_read_quote_is_posted_and_an_unread_one_waits(stage: Stage, read_book: ReadBook) -> None:
    await read_book()
    async with stage.settling():
        stage.use("quote", "storm broke the window of the tower", by=stage.club.ada)
        chosen = (await stage.wait_for(lambda: [each for each in stage.public() if "chosen by" in each.content]))[-1]
        used = stage.use("quote", "rowed out to the wreck and found", by=stage.club.ada)
        await stage.wait_for(lambda: used.messages)
    assert "storm broke the window of the tower (p. 2)" in chosen.content
    assert used.messages[-1].content.startswith("I don't find these words in the pages you've read.")
    assert "wreck" not in " ".join(each.content for each in (*stage.public(), *used.messages))


async def test_a_saved_question_comes_back_in_private_when_the_club_has_read_further(
    stage: Stage, read_book: ReadBook, house: Application
) -> None:
    await read_book()
    ada = stage.club.ada
    async with stage.running() as bot:
        await _done(stage, "later", "Who finds the whistle?", by=ada, way="said", begins="Saved.")
        await _done(stage, "mypage", "3", by=ada, way="said", begins="Your own page is set")
        await bot.settled()
        for _ in range(2):
            await house.clubs().times.due.run_due(bot.served)
        told = [each for each in stage.told(ada) if each.content.startswith("You asked on p. 2: “Who finds")]
    assert [stage.labels(each) for each in told] == [["Ask now", "Keep", "Drop"]]
    assert stage.public() == []


async def test_each_member_votes_with_the_same_buttons_and_only_they_see_their_vote(
    stage: Stage, read_book: ReadBook
) -> None:
    await read_book()
    ada, ben, organiser = stage.club.ada, stage.club.ben, stage.club.organiser
    async with stage.settling():
        for member, title in ((ada, "Emma by Jane Austen"), (ben, "Dracula")):
            await _done(stage, "suggest", title, by=member, way="used", begins="Suggested: ")
        stage.use("poll", "next", by=organiser)
        poll = (await stage.wait_for(lambda: [each for each in stage.public() if "read next" in each.content]))[-1]
        assert stage.labels(poll) == ["Dracula", "Emma (Jane Austen)"]
        for member, place in ((ada, 0), (ben, 1), (ada, 1)):
            await _votes(stage, poll, place, by=member)
        stage.use("poll", "close", by=organiser)
        closed = await stage.wait_for(lambda: [each for each in stage.public() if "next book is" in each.content])
    assert "Emma" in closed[-1].content
    assert ": 2" in closed[-1].content
    assert stage.labels(poll) == ["Dracula", "Emma (Jane Austen)"]
    assert not [each for each in stage.public() if "You voted" in each.content]


async def _votes(stage: Stage, poll: Message, place: int, *, by: object) -> None:
    """Press a button of a poll, and wait for the private reply."""
    voted, title = stage.press(f".choose:1|{place}", poll, by=by), stage.labels(poll)[place].split(" (")[0]
    await stage.wait_for(
        lambda: [one for one in (*voted.messages, *stage.told(by)) if f"You voted for *{title}*" in one.content]
    )
