"""Is a message for the bot? Who speaks is present, and what is edited or deleted on the platform is so here."""

from datetime import timedelta

import pytest

from core.app.hear_message import HearMessage
from core.app.listening import Heard, opens_thread, wants_answer
from core.domain.conversation import ChatMessage, Role
from core.domain.reading import Listen
from tests.builders import ADA
from tests.unit.app.commands.house import CHANNEL, House
from tests.unit.app.world import OTHER_THREAD, THREAD

IN_OWN = Heard(in_thread=True, thread_opened_by_bot=True)
IN_OTHERS = Heard(in_thread=True)


@pytest.mark.parametrize(
    ("heard", "opened", "everything", "mentions"),
    [
        (Heard(is_direct=True), True, True, True),
        (Heard(mentions_bot=True), True, True, True),
        (Heard(mentions_bot=True, begins_with_other_mention=True), True, True, True),
        (Heard(replies_to_bot=True), True, True, True),
        (Heard(), False, False, False),
        (IN_OWN, True, True, False),
        (Heard(in_thread=True, thread_opened_by_bot=True, begins_with_other_mention=True), False, False, False),
        (IN_OTHERS, False, True, False),
        (Heard(in_thread=True, begins_with_other_mention=True), False, False, False),
        (Heard(in_thread=True, thread_opened_by_bot=True, replies_to_other=True), False, False, False),
        (Heard(mentions_bot=True, replies_to_other=True), True, True, True),
        (Heard(is_direct=True, replies_to_other=True), True, True, True),
        (Heard(in_thread=True, mentions_bot=True), True, True, True),
        (Heard(in_thread=True, replies_to_bot=True), True, True, True),
    ],
)
def test_what_is_answered(heard: Heard, opened: bool, everything: bool, mentions: bool) -> None:
    found = [wants_answer(heard, listen) for listen in (Listen.OPENED, Listen.ALL, Listen.MENTIONS)]
    assert found == [opened, everything, mentions]


@pytest.mark.parametrize(
    ("heard", "opens"),
    [
        (Heard(mentions_bot=True), True),
        (Heard(mentions_bot=True, in_thread=True), False),
        (Heard(mentions_bot=True, is_direct=True), False),
        (Heard(replies_to_bot=True), False),
        (Heard(), False),
    ],
)
def test_what_opens_a_thread(heard: Heard, opens: bool) -> None:
    assert opens_thread(heard) is opens


def _hearing(house: House) -> HearMessage:
    return HearMessage(
        threads=house.threads,
        clubs=house.clubs,
        messages=house.messages,
        conversations=house.conversations,
        books=house.books,
        guard=house.guard,
        clock=house.clock,
    )


async def test_a_thread_is_heard_as_it_was_told_to_listen() -> None:
    house = House()
    await house.reading(THREAD)
    book = (await house.books.in_scope(scope="discord:1"))[0]
    await house.reading(OTHER_THREAD, book=book)
    hearing = _hearing(house)
    await house.use("listen", "all", thread=OTHER_THREAD)
    assert not await hearing.wants_answer(THREAD, IN_OTHERS, member_id=ADA.member_id)
    assert await hearing.wants_answer(OTHER_THREAD, IN_OTHERS, member_id=ADA.member_id)
    await house.use("listen", "mentions")
    assert not await hearing.wants_answer(THREAD, IN_OWN, member_id=ADA.member_id)
    await house.use("listen", "opened")
    assert await hearing.wants_answer(THREAD, IN_OWN, member_id=ADA.member_id)


async def test_who_speaks_in_a_thread_about_a_book_is_present() -> None:
    house = House()
    conversation = await house.reading()
    await house.use("mypage", "4")
    house.clock.advance(timedelta(days=3))
    await _hearing(house).wants_answer(THREAD, IN_OTHERS, member_id=ADA.member_id)
    (member,) = house.readings.members[conversation.reading_id]
    assert (member.position, member.last_spoke_at) == (4, house.clock.now())


@pytest.mark.parametrize("reads", [True, False])
async def test_talk_in_a_channel_makes_nobody_present(reads: bool) -> None:
    house = House()
    if reads:
        await house.reading()
    hearing = _hearing(house)
    assert not await hearing.wants_answer(CHANNEL, Heard(), member_id=ADA.member_id)
    assert await hearing.wants_answer(CHANNEL, Heard(mentions_bot=True), member_id=ADA.member_id)
    assert not any(house.readings.members.values())


async def test_a_thread_without_a_book_is_heard_as_usual() -> None:
    hearing = _hearing(House())
    assert await hearing.wants_answer(THREAD, IN_OWN, member_id=ADA.member_id)
    assert not await hearing.wants_answer(THREAD, IN_OTHERS, member_id=ADA.member_id)


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


async def test_an_edit_is_judged_as_the_message_was() -> None:
    house = House()
    house.guard.leaking["magistrate"] = 5
    conversation = await house.reading(position=2)
    await house.remember(
        conversation, ChatMessage(role=Role.USER, content="Who?", position=2, author=ADA, platform_ref="a")
    )
    hearing = _hearing(house)
    for text, reveals in (("The magistrate did it!", 5), ("Never mind.", None)):
        await hearing.edited("a", text)
        stored = await house.messages.get_by_conversation(conversation.conversation_id)
        assert [(message.content, message.reveals_page) for message in stored] == [(text, reveals)]
