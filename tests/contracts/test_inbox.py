"""What every Inbox does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from core.domain.inbound import EventState, InboundEvent
from core.domain.question import Reply
from core.ports.inbox import Inbox
from tests.contracts.stores import Stores


@pytest.fixture
def inbox(stores: Stores) -> Inbox:
    return stores.inbox


def _event(message_id: str, *, place: str = "c1", platform: str = "discord") -> InboundEvent:
    return InboundEvent(platform=platform, place=place, message_id=message_id, payload={"text": f"Who {message_id}?"})


async def test_an_event_is_taken_in_once(inbox: Inbox) -> None:
    assert [await inbox.take_in(_event("1")) for _ in range(3)] == [True, False, False]
    assert await inbox.unfinished("discord") == [_event("1")]


async def test_what_is_not_finished_comes_back_oldest_first(inbox: Inbox) -> None:
    for number in ("1", "2", "3"):
        await inbox.take_in(_event(number))
    await inbox.finish(_event("2"))
    assert [event.message_id for event in await inbox.unfinished("discord")] == ["1", "3"]
    assert await inbox.unfinished("slack") == []


async def test_a_finished_event_is_still_known(inbox: Inbox) -> None:
    await inbox.take_in(_event("1"))
    await inbox.finish(_event("1"))
    assert not await inbox.take_in(_event("1"))
    assert await inbox.unfinished("discord") == []


async def test_what_was_taken_in_is_known_for_good_and_only_there(inbox: Inbox) -> None:
    await inbox.take_in(_event("1"))
    await inbox.finish(_event("1"))
    asked = [("discord", "c1", "1"), ("discord", "c1", "2"), ("discord", "c2", "1"), ("slack", "c1", "1")]
    known = [await inbox.knows(platform=one, place=place, message_id=key) for one, place, key in asked]
    assert known == [True, False, False, False]


async def test_what_is_posted_is_finished_along_with_what_comes_next(inbox: Inbox) -> None:
    numbers = ("1", "2", "3")
    for number in numbers:
        await inbox.take_in(_event(number))
    for number in numbers[:2]:
        await inbox.settle(_event(number), Reply(text="Ada."))
        await inbox.posted(_event(number), ["discord:c1:9"])
    assert await inbox.take_in(_event("4"), finished=[_event("1"), _event("3")])
    assert [one.message_id for one in await inbox.unfinished("discord")] == ["2", "3", "4"]
    assert not await inbox.take_in(_event("4"), finished=[_event("2")])
    assert [one.message_id for one in await inbox.unfinished("discord")] == ["3", "4"]


async def test_what_is_put_back_is_not_finished_with_what_is_posted(inbox: Inbox) -> None:
    for number in ("1", "2", "3"):
        await inbox.take_in(_event(number))
    for number in ("1", "2"):
        await inbox.settle(_event(number), Reply(text="Ada."))
    await inbox.posted(_event("1"), ["discord:c1:9"])  # and of the second it could not be stored
    await inbox.finish_posted([_event("1"), _event("2"), _event("3")])
    (left,) = await inbox.unfinished("discord")
    assert (left.message_id, left.state) == ("3", EventState.RECEIVED)


async def test_the_latest_of_each_place_is_remembered(inbox: Inbox) -> None:
    for number, place in (("1", "c1"), ("2", "c2"), ("3", "c1")):
        await inbox.take_in(_event(number, place=place))
    await inbox.finish(_event("3"))
    assert await inbox.latest_message_ids("discord") == {"c1": "3", "c2": "2"}
    assert await inbox.latest_message_ids("slack") == {}


async def test_how_far_was_heard_is_remembered_beside_the_places(inbox: Inbox) -> None:
    assert await inbox.last_watermark("discord") is None
    await inbox.take_in(_event("1"))
    for number in ("7", "9"):
        await inbox.note_watermark("discord", number)
    assert await inbox.last_watermark("discord") == "9"
    assert await inbox.last_watermark("slack") is None
    assert await inbox.latest_message_ids("discord") == {"c1": "1"}
    assert await inbox.unfinished("discord") == [_event("1")]


async def test_what_is_posted_is_frozen_until_it_is_done(inbox: Inbox) -> None:
    await inbox.take_in(_event("1"))
    reply = Reply(text="Ada (p. 1).", position=4, turn_id=7, failed=True, footer="up to p. 4", has_more=True)
    for each in (Reply(text="Ada."), reply):
        await inbox.settle(_event("1"), each)
    (answered,) = await inbox.unfinished("discord")
    assert (answered.state, answered.reply, answered.payload) == (EventState.ANSWERED, reply, {"text": "Who 1?"})
    assert answered.reply is not None
    assert answered.reply.is_kept
    await inbox.finish(_event("1"))
    await inbox.settle(_event("1"), reply)
    assert await inbox.unfinished("discord") == []


async def test_ids_of_what_was_done_long_ago_are_forgotten_but_for_what_threads_begin_with(inbox: Inbox) -> None:
    done = [
        _event("1"),
        _event("2", platform="discord/used"),
        _event("3", platform="slack", place="T1/C1"),
        _event("4", platform="slack", place="T1/C1/9.1"),
    ]
    for event in (*done, _event("5")):
        await inbox.take_in(event)
    for event in done:
        await inbox.finish(event)
    await inbox.note_watermark("discord", "7")
    assert await inbox.prune(datetime.now(UTC) - timedelta(days=1)) == 0
    assert await inbox.prune(datetime.now(UTC) + timedelta(seconds=1)) == 3
    assert await inbox.knows(platform="slack", place="T1/C1", message_id="3")
    assert not await inbox.knows(platform="slack", place="T1/C1/9.1", message_id="4")
    assert [one.message_id for one in await inbox.unfinished("discord")] == ["5"]
    assert await inbox.last_watermark("discord") == "7"


def _of(inbox: Inbox, bot: str) -> Inbox:
    return inbox.of_bot(lambda: bot)


async def test_what_two_bots_hear_is_each_ones_own(inbox: Inbox) -> None:
    heard = [replace(_event("1"), bot=bot) for bot in ("b1", "b2")]
    assert [await inbox.take_in(event) for event in (*heard, *heard)] == [True, True, False, False]
    assert await inbox.begin(heard[0]) == 1
    await inbox.finish(heard[1])
    assert [one.bot for one in await inbox.unfinished("discord")] == ["b1"]
    assert await _of(inbox, "b2").unfinished("discord") == []
    assert not await _of(inbox, "b3").knows(platform="discord", place="c1", message_id="1")
    await _of(inbox, "b1").note_watermark("discord", "7")
    await _of(inbox, "b2").note_watermark("discord", "9")
    assert [await _of(inbox, bot).last_watermark("discord") for bot in ("b1", "b2", "b3")] == ["7", "9", None]
    assert await _of(inbox, "b1").latest_message_ids("discord") == {"c1": "1"}
    await _of(inbox, "b2").inherit("discord", crashed=False)
    assert [one.state for one in await inbox.unfinished("discord")] == [EventState.BEGUN]


async def test_what_is_posted_stays_so_until_it_is_done(inbox: Inbox) -> None:
    await inbox.take_in(_event("1"))
    await inbox.settle(_event("1"), Reply(text="Ada."))
    await inbox.posted(_event("1"), ["discord:c1:2"])
    await inbox.inherit("discord", crashed=False)
    (posted,) = await inbox.unfinished("discord")
    assert (posted.state, posted.reply) == (EventState.POSTED, Reply(text="Ada."))
    await inbox.finish(_event("1"))
    await inbox.posted(_event("1"), ["discord:c1:2"])
    assert await inbox.unfinished("discord") == []
