"""Is a message for the bot? Who speaks is present, and what is edited or deleted on the platform is so here."""

from datetime import timedelta

import pytest

from adapters.persistence.tables import MemberPositionRow
from core.answering.running_turns import RunningTurns
from core.club.hearing.addressing import AddressingService, KeptMessages, Presence, WaitingQuestions
from core.domain.conversation import AskedAs, Author, ChatMessage, Role
from core.domain.question import IncomingMessage
from core.domain.thread import Thread
from core.understanding.listening import Addressing, RecentLines, opens_thread
from tests.builders import ADA
from tests.unit.club_house import CHANNEL, House
from tests.unit.world import OTHER_THREAD, THREAD

IN_OWN = Addressing(in_thread=True, thread_opened_by_bot=True)
IN_OTHERS = Addressing(in_thread=True)
ANSWERED = {AskedAs.YES, AskedAs.LIKELY}


@pytest.mark.parametrize(
    ("heard", "opens"),
    [
        (Addressing(mentions_bot=True), True),
        (Addressing(mentions_bot=True, in_thread=True), False),
        (Addressing(mentions_bot=True, is_direct=True), False),
        (Addressing(replies_to_bot=True), False),
        (Addressing(), False),
    ],
)
def test_what_opens_a_thread(heard: Addressing, opens: bool) -> None:
    assert opens_thread(heard) is opens


def _hearing(house: House, *, has_model: bool = False) -> AddressingService:
    kept = KeptMessages(
        messages=house.messages, conversations=house.conversations, books=house.books, guard=house.guard
    )
    return AddressingService(
        threads=house.threads,
        presence=Presence(clubs=house.clubs, clock=house.clock),
        kept=kept,
        recent_lines=RecentLines(),
        waiting=WaitingQuestions(),
        running=RunningTurns(),
        has_model=has_model,
    )


def _says(text: str, thread: Thread = THREAD, author: Author = ADA, ref: str | None = None) -> IncomingMessage:
    return IncomingMessage(thread=thread, author=author, text=text, ref=ref)


QUESTION = "Who is the harbour master again?"
TALK = "lol same here"


async def test_a_thread_is_heard_as_it_was_told_to_listen() -> None:
    house = House()
    await house.reading(THREAD)
    book = (await house.books.in_scope(scope="discord:1"))[0]
    await house.reading(OTHER_THREAD, book=book)
    hearing = _hearing(house)
    assert (await hearing.hear(_says(QUESTION), IN_OTHERS)).addressed is AskedAs.NO
    await house.use("listen", "all", thread=OTHER_THREAD)
    assert (await hearing.hear(_says(TALK, OTHER_THREAD), IN_OTHERS)).addressed is AskedAs.YES
    assert (await hearing.hear(_says(TALK), IN_OWN)).addressed is AskedAs.NO
    assert (await hearing.hear(_says(QUESTION), IN_OWN)).addressed in ANSWERED
    await house.use("listen", "mentions")
    assert (await hearing.hear(_says(QUESTION), IN_OWN)).addressed is AskedAs.NO
    await house.use("listen", "questions")
    assert (await hearing.hear(_says(QUESTION), IN_OTHERS)).addressed in ANSWERED


async def test_what_a_club_was_told_holds_in_the_threads_that_the_bot_opened_alone() -> None:
    house = House()
    await house.reading(THREAD)
    hearing = _hearing(house)
    await house.use("listen", "all", thread=CHANNEL, organiser=True)
    assert (await hearing.hear(_says(TALK), IN_OWN)).addressed is AskedAs.YES
    assert (await hearing.hear(_says(TALK), IN_OTHERS)).addressed is AskedAs.NO
    await house.use("listen", "mentions", thread=CHANNEL, organiser=True)
    assert (await hearing.hear(_says(QUESTION), IN_OWN)).addressed is AskedAs.NO
    assert (await hearing.hear(_says(QUESTION), Addressing(in_thread=True, mentions_bot=True))).addressed is AskedAs.YES
    await house.use("listen", "questions")
    assert (await hearing.hear(_says(QUESTION), IN_OWN)).addressed in ANSWERED


async def test_what_follows_an_answer_is_heard_as_such() -> None:
    house = House()
    await house.reading()
    hearing = _hearing(house)
    hearing.answered(_says("Who lit the lamp?", ref="m:1"), "The keeper lit it, or his son (p. 2). Which do you mean?")
    assert (await hearing.hear(_says("the son", ref="m:2"), IN_OWN)).addressed in ANSWERED
    assert (await _hearing(house).hear(_says("the son", ref="m:2"), IN_OWN)).addressed is AskedAs.NO


async def test_a_message_that_comes_again_is_judged_as_before_and_a_deleted_one_says_nothing() -> None:
    house = House()
    await house.reading()
    hearing = _hearing(house, has_model=True)
    hearing.answered(_says("Who lit the lamp?", ref="m:1"), "The keeper did (p. 2).")
    first = (await hearing.hear(_says("and why", ref="m:2"), IN_OWN)).addressed
    assert (await hearing.hear(_says("and why", ref="m:2"), IN_OWN)).addressed is first
    await hearing.edited("m:2", "see you on Friday")
    await hearing.deleted("m:2")
    assert (await hearing.hear(_says("and why", ref="m:2"), IN_OWN)).addressed is first


async def test_who_speaks_in_a_thread_about_a_book_is_present() -> None:
    house = House()
    conversation = await house.reading()
    await house.use("mypage", "4")
    house.clock.advance(timedelta(days=3))
    await _hearing(house).hear(_says(TALK), IN_OTHERS)
    (member,) = (await house.places.reading_standing(conversation.reading_id)).members
    assert (member.position, member.last_spoke_at) == (4, house.clock.now())


@pytest.mark.parametrize("reads", [True, False])
async def test_talk_in_a_channel_makes_nobody_present(reads: bool) -> None:
    house = House()
    if reads:
        await house.reading()
    hearing = _hearing(house)
    assert (await hearing.hear(_says(TALK, CHANNEL), Addressing())).addressed is AskedAs.NO
    assert (await hearing.hear(_says(QUESTION, CHANNEL), Addressing(mentions_bot=True))).addressed is not AskedAs.NO
    assert await house.rows(MemberPositionRow) == []


async def test_an_edit_replaces_the_text_and_a_deletion_empties_it() -> None:
    house = House()
    conversation = await house.reading()
    for ref in ("a", "b"):
        said = ChatMessage(role=Role.USER, content=f"said {ref}", position=2, author=ADA, platform_ref=ref)
        await house.remember(conversation, said)
    hearing = _hearing(house)
    await hearing.edited("a", "said better")
    await hearing.deleted("b")
    await hearing.deleted("unknown")
    assert await house.said(conversation) == [("user", "said better"), ("user", "")]
