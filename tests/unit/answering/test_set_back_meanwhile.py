"""What becomes of an answer whose thread is set back, forgotten or without its book before it can be given."""

import asyncio
from dataclasses import replace

import pytest

from adapters.persistence.tables import TurnRow
from core.answering.answer_message import AnswerMessage
from core.domain.conversation import Conversation, TurnOutcome, TurnStatus
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import ASK_POSITION, GONE_MEANWHILE
from core.domain.position import Position
from core.domain.question import Reply
from tests.builders import an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import HeldRetrievalStrategy
from tests.unit.world import World, incoming, told_beyond

_QUESTION = incoming("Who carried the brass compass?")
_REPLAYED = replace(_QUESTION, ref="discord:c1:1")
_CONFESSED = says("The magistrate confessed in the chapel (p. 6).")


async def _answered_meanwhile(world: World, conversation: Conversation, *, set_back_to: Position) -> Reply:
    held = HeldRetrievalStrategy()
    answering = asyncio.create_task(_held(world, held).execute(_QUESTION))
    await held.until_began(_QUESTION.text)
    await world.stand(conversation, set_back_to)
    held.release(_QUESTION.text)
    return await answering


def _held(world: World, held: HeldRetrievalStrategy) -> AnswerMessage:
    return world.answer_message(ScriptedChatProvider(), strategy=held)


async def test_an_answer_whose_thread_was_set_back_meanwhile_quotes_what_is_read_now(world: World) -> None:
    conversation = await world.reading(position=6)
    reply = await _answered_meanwhile(world, conversation, set_back_to=1)
    assert (reply.position, reply.turn_id, reply.failed) == (1, None, False)
    assert "brass compass" in reply.text
    assert "You asked" not in reply.text
    assert [source.end_page for source in reply.sources] == [1]
    [turn] = await world.rows(TurnRow)
    assert (turn.status, turn.position) == (TurnStatus.ANSWERED, 6)
    assert not [message for message in await world.stored(conversation) if message.fits(1)]


async def test_an_answer_whose_thread_went_on_meanwhile_is_given_as_it_is(world: World) -> None:
    reply = await _answered_meanwhile(world, await world.reading(position=2), set_back_to=6)
    assert (reply.text, reply.position) == (f"You asked: {_QUESTION.text}", 2)


async def test_where_the_page_was_reset_meanwhile_it_is_asked_for(world: World) -> None:
    reply = await _answered_meanwhile(world, await world.reading(position=6), set_back_to=None)
    assert reply == Reply(text=ASK_POSITION)


@pytest.mark.parametrize("now", [1, 5])
async def test_a_stored_answer_is_not_given_again_beyond_where_the_thread_stands_by_now(
    world: World, scripted: Scripted, now: int
) -> None:
    conversation = await world.reading(position=6)
    provider = scripted(wants(an_invocation("magistrate confessed chapel", top_k=1)), _CONFESSED)
    answer = world.answer_message(provider)
    first = await answer.execute(_REPLAYED)
    assert "The magistrate confessed" in first.text
    assert (await answer.execute(_REPLAYED)).text == first.text
    await world.stand(conversation, now)
    again = await answer.execute(_REPLAYED)
    assert again.position == now
    assert told_beyond([again.text], now) == []


async def test_quotations_beside_a_failure_hold_to_where_the_thread_stands_by_now(world: World) -> None:
    conversation = await world.reading(position=6)
    broken = LLMError(LLMErrorCode.UNAVAILABLE, "down")

    class _SetsBack(HeldRetrievalStrategy):
        async def run(self, *_args: object, **_kwargs: object) -> TurnOutcome:
            await world.stand(conversation, 1)
            raise broken

    reply = await world.answer_message(ScriptedChatProvider(), strategy=_SetsBack()).execute(_QUESTION)
    assert (reply.position, reply.failed) == (1, True)
    assert told_beyond([reply.text], 1) == []


@pytest.mark.parametrize(
    ("forgets", "words"),
    [(False, "We talked about The Marrow Light here, but that book has been removed."), (True, GONE_MEANWHILE)],
    ids=["the book is removed", "the thread is forgotten"],
)
async def test_what_is_gone_in_mid_turn_is_said_without_an_id(world: World, *, forgets: bool, words: str) -> None:
    conversation, held = await world.reading(position=6), HeldRetrievalStrategy()
    answering = asyncio.create_task(_held(world, held).execute(_QUESTION))
    await held.until_began(_QUESTION.text)
    if forgets:
        await world.clubs.forget_conversation(conversation.conversation_id)
    else:
        await world.books.remove(conversation.book_id)
    held.release(_QUESTION.text)
    assert await answering == Reply(text=words, failed=True)
