"""`listen`, `pace`, `pagecontrol`, `usage`, and the three that forget."""

import pytest

from core.domain.conversation import TurnStatus
from core.domain.errors import BookError, NotPermittedError
from core.domain.position import Pace, PageControl
from core.domain.reading import Listen, ListeningRule
from core.domain.thread import Thread
from tests.builders import BO
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import THREAD

TOOK = "3 questions, 2 answered, 1200 tokens in (810 of them cached), 30 out"
ELSEWHERE = Thread(scope="discord:1", place="another", thread="t1")
NOTHING = "0 questions, 0 answered, 0 tokens in, 0 out"


async def _used(house: House, thread: Thread) -> None:
    """Let three questions have been asked, two of them answered."""
    for status in (TurnStatus.ANSWERED, TurnStatus.ANSWERED, TurnStatus.FAILED):
        await house.took(tokens=410, thread=thread, status=status, cost=4_700, cached=270)


@pytest.mark.parametrize("word", list(Listen))
async def test_a_thread_is_told_what_it_is_answered(word: Listen) -> None:
    house = House()
    conversation = await house.reading()
    told = await house.use("listen", f" {word.upper()} ", by=BO)
    assert await house.clubs.hearing(conversation.conversation_id) == ListeningRule(listen=word, said_here=True)
    assert told.announcement.endswith(".")
    assert told.text == ""


async def test_organisers_say_what_all_threads_of_a_club_are_answered() -> None:
    house = House()
    conversation = await house.reading()
    with pytest.raises(NotPermittedError, match="Only organisers"):
        await house.use("listen", "all", thread=CHANNEL)
    assert await house.clubs.hearing(conversation.conversation_id) == ListeningRule()
    told = await house.use("listen", "mentions", thread=CHANNEL, organiser=True)
    assert told.announcement.startswith("In the threads I open here I answer only mentions of me")
    assert await house.clubs.hearing(conversation.conversation_id) == ListeningRule(listen=Listen.MENTIONS)
    await house.use("listen", "questions")
    assert await house.clubs.hearing(conversation.conversation_id) == ListeningRule(said_here=True)


@pytest.mark.parametrize("word", list(Pace))
async def test_an_organiser_says_whom_the_reading_waits_for(word: Pace) -> None:
    house = House()
    conversation = await house.reading()
    told = await house.use("pace", word, organiser=True)
    assert (await house.readings.get(conversation.reading_id)).pace is word
    assert (told.text, told.announcement.startswith("Ada changed a setting: from now on ")) == ("", True)


@pytest.mark.parametrize("word", list(PageControl))
async def test_an_organiser_says_who_moves_the_page(word: PageControl) -> None:
    house = House()
    conversation = await house.reading()
    told = await house.use("pagecontrol", word, organiser=True)
    assert (told.text, told.announcement.startswith("Ada changed a setting: from now on ")) == ("", True)
    assert (await house.readings.get(conversation.reading_id)).page_control is word


@pytest.mark.parametrize("words", ["pace", "pagecontrol", "usage", "forget thread", "forget club", ".forget-thread"])
async def test_organisers_alone_settle_how_a_club_reads(words: str) -> None:
    house = House()
    conversation = await house.reading()
    what = f"`/{words.lstrip('.').replace('-', ' ')}`"
    with pytest.raises(NotPermittedError, match=f"{what} is for organisers"):
        await house.use(words, "slowest")
    assert await house.threads.current(THREAD) == conversation


@pytest.mark.parametrize(
    ("is_used", "said"),
    [
        (
            True,
            f"Today: {TOOK}, $0.01.\nIn the last 30 days: {TOOK}, $0.01.\nA question costs $0.0047 on average.",
        ),
        (False, f"Today: {NOTHING}.\nIn the last 30 days: {NOTHING}."),
    ],
)
async def test_usage_is_that_of_this_club(is_used: bool, said: str) -> None:
    house = House()
    await _used(house, ELSEWHERE)
    if is_used:
        await _used(house, THREAD)
    told = await house.use("usage", organiser=True)
    assert (told.text, told.announcement) == (said, "")


@pytest.mark.parametrize(
    ("words", "label"), [("forget thread", "Forget this thread"), ("forget club", "Forget this club")]
)
async def test_a_thread_or_a_club_is_forgotten_by_its_button_alone(words: str, label: str) -> None:
    house = House()
    conversation = await house.reading()
    sure = await house.use(words, organiser=True)
    assert [choice.label for choice in sure.choices] == [label]
    assert await house.threads.current(THREAD) == conversation
    await house.press(sure.choices[0], organiser=True)
    with pytest.raises(BookError):
        await house.conversations.get(conversation.conversation_id)
    assert (await house.threads.reading(THREAD) is None) is (words == "forget club")
