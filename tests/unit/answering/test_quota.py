"""A club's day and a member's minute are bounded; the terminal is not."""

from datetime import timedelta

import pytest

from core.answering.quota import Quota
from core.domain.errors import LLMError, LLMErrorCode, ThusfarError
from core.domain.messages import describe
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from tests.builders import says
from tests.fakes.fixtures import Scripted
from tests.unit.world import THREAD, World, incoming

LOCAL = Thread(scope=LOCAL_SCOPE, place="chat", thread="1")


async def test_a_member_may_ask_so_often_in_any_minute(world: World) -> None:
    quota = Quota(clubs=world.clubs, clock=world.clock, questions_a_minute=2)
    for _ in range(2):
        await quota.take(THREAD, "ada")
    world.clock.advance(timedelta(seconds=59))
    with pytest.raises(ThusfarError, match="give me a minute"):
        await quota.take(THREAD, "ada")
    await quota.take(THREAD, "bo")
    await quota.take(Thread(scope="slack:1", place="x", thread="1"), "ada")
    world.clock.advance(timedelta(seconds=1))
    await quota.take(THREAD, "ada")


async def test_a_clock_that_is_set_back_keeps_nobody_waiting(world: World) -> None:
    quota = Quota(clubs=world.clubs, clock=world.clock, questions_a_minute=1)
    await quota.take(THREAD, "ada")
    world.clock.set_back(timedelta(hours=1))
    world.clock.advance(timedelta(minutes=1))
    await quota.take(THREAD, "ada")


@pytest.mark.parametrize(("tokens", "is_spent"), [(999, False), (1000, True), (5000, True)])
async def test_a_club_has_so_many_tokens_a_day(world: World, tokens: int, is_spent: bool) -> None:
    await world.took(tokens=tokens)
    quota = Quota(clubs=world.clubs, clock=world.clock, tokens_a_day=1000)
    if not is_spent:
        await quota.take(THREAD, "ada")
        return
    with pytest.raises(LLMError) as caught:
        await quota.take(THREAD, "ada")
    assert caught.value.code is LLMErrorCode.BUDGET_SPENT
    await quota.take(Thread(scope=THREAD.scope, place="another club", thread="1"), "ada")


async def test_the_terminal_is_not_bounded(world: World) -> None:
    await world.took(tokens=5000, thread=LOCAL)
    quota = Quota(clubs=world.clubs, clock=world.clock, tokens_a_day=1, questions_a_minute=1)
    for _ in range(3):
        await quota.take(LOCAL, "me")


async def test_a_spent_day_is_answered_with_quotations_and_no_model_is_asked(world: World, scripted: Scripted) -> None:
    await world.took(tokens=1000)
    world.quota = Quota(clubs=world.clubs, clock=world.clock, tokens_a_day=1000)
    await world.reading(position=4)
    reply = await world.answer_message(scripted()).execute(incoming("Where did Tobias hide the ledger?"))
    sentence = describe(LLMError(LLMErrorCode.BUDGET_SPENT, ""))
    assert reply.text.startswith(f"{sentence}\n\n")
    assert "Tobias hid the ledger under the coal." in reply.text
    assert reply.failed


async def test_who_asks_too_fast_is_told_so_and_can_ask_again(world: World, scripted: Scripted) -> None:
    world.quota = Quota(clubs=world.clubs, clock=world.clock, questions_a_minute=1)
    await world.reading(position=4)
    answering = world.answer_message(scripted(says("Hello!"), says("Hello again!")))
    assert (await answering.execute(incoming("Hello"))).text == "Hello!"
    assert "give me a minute" in (await answering.execute(incoming("Hello"))).text
    world.clock.advance(timedelta(minutes=1))
    assert (await answering.execute(incoming("Hello"))).text == "Hello again!"


@pytest.mark.parametrize(("cents", "is_warned", "is_spent"), [(79, False, False), (80, True, False), (100, True, True)])
async def test_all_clubs_share_the_dollars_of_a_month(
    world: World, cents: int, is_warned: bool, is_spent: bool
) -> None:
    await world.took(tokens=1000, cost=cents * 5_000)
    await world.took(tokens=1000, cost=cents * 5_000, thread=Thread(scope="slack:1", place="x", thread="1"))
    await world.took(tokens=1000)
    quota = Quota(clubs=world.clubs, clock=world.clock, dollars_a_month=1.0)
    assert bool(await quota.warning()) == is_warned
    if is_spent:
        with pytest.raises(LLMError) as caught:
            await quota.take(THREAD, "ada")
        assert caught.value.code is LLMErrorCode.MONTH_SPENT
    else:
        await quota.take(THREAD, "ada")
    await quota.take(LOCAL, "me")


async def test_the_sum_of_the_month_is_looked_up_again_and_begins_anew_with_the_month(world: World) -> None:
    quota = Quota(clubs=world.clubs, clock=world.clock, dollars_a_month=1.0)
    assert await quota.share_of_month() == 0
    await world.took(tokens=1000, cost=2_000_000)
    assert await quota.share_of_month() == 0
    world.clock.advance(timedelta(seconds=30))
    assert await quota.share_of_month() == 2
    warned = await quota.warning()
    world.clock.advance(timedelta(days=32))
    assert await quota.share_of_month() == 0
    await world.took(tokens=1000, cost=1_000_000)
    world.clock.advance(timedelta(seconds=30))
    assert await quota.warning() not in {warned, ""}


async def test_without_a_limit_nothing_is_looked_up(world: World) -> None:
    await world.took(tokens=1000, cost=9_000_000)
    assert await Quota(clubs=world.clubs, clock=world.clock).warning() == ""
