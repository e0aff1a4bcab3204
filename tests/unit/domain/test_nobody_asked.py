"""Where it is in doubt whether the bot was asked, the call that would answer may say that nobody did."""

from dataclasses import replace

import pytest

from adapters.persistence.tables import TurnRow
from core.domain.chat_event import ChatEvent, TurnAnsweredEvent
from core.domain.conversation import AskedAs, TurnStatus
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import ASK_POSITION, says_nobody_asked
from core.domain.question import IncomingMessage
from core.domain.tool_use import ChatResponse, TokenUsage
from tests.builders import ADA
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.unit.world import THREAD, World

NOBODY = ChatResponse(text="NOBODY ASKED", usage=TokenUsage(input_tokens=70, output_tokens=3))
ANSWER = ChatResponse(
    text='"None of his clocks ever agreed." (p. 2)', usage=TokenUsage(input_tokens=70, output_tokens=9)
)
QUESTION = IncomingMessage(thread=THREAD, author=ADA, text="and the clocks in the tower", ref="m:1")


@pytest.mark.parametrize("asked", [AskedAs.PERHAPS, AskedAs.LIKELY])
async def test_a_turn_in_which_nobody_asked_is_recorded_as_such_and_keeps_nothing(asked: AskedAs) -> None:
    world = World()
    conversation = await world.reading(position=2)
    model, events = ScriptedChatProvider(NOBODY), list[ChatEvent]()
    answering = world.answer_message(model)
    message = replace(QUESTION, asked=asked)
    reply = await answering.execute(message, events.append)
    assert (reply.text, reply.failed, reply.turn_id) == ("", False, None)
    (turn,) = await world.rows(TurnRow)
    assert (turn.status, turn.user_query, turn.agent_response) == (TurnStatus.IDLE, "", None)
    assert turn.input_tokens == 70
    assert await world.stored(conversation) == []
    assert not any(isinstance(event, TurnAnsweredEvent) for event in events)
    again = await answering.execute(message)  # as after a crash: it is not asked again
    assert again.text == ""
    model.done()


@pytest.mark.parametrize(("asked", "is_told"), [(AskedAs.YES, False), (AskedAs.PERHAPS, True), (AskedAs.LIKELY, True)])
async def test_the_model_is_told_how_to_say_so_where_it_is_in_doubt_alone(asked: AskedAs, is_told: bool) -> None:
    world = World()
    await world.reading(position=2)
    model = ScriptedChatProvider(ANSWER)
    reply = await world.answer_message(model).execute(replace(QUESTION, asked=asked))
    assert "None of his clocks ever agreed" in reply.text
    (call,) = model.asked
    assert ("NOBODY ASKED" in call.messages[-1].content) is is_told
    assert call.messages[-1].is_reminder is is_told


@pytest.mark.parametrize(
    ("asked", "is_silent"), [(AskedAs.PERHAPS, True), (AskedAs.LIKELY, False), (AskedAs.YES, False)]
)
async def test_who_may_not_have_asked_hears_of_no_trouble(asked: AskedAs, is_silent: bool) -> None:
    world = World()
    conversation = await world.reading(position=None)
    message = replace(QUESTION, asked=asked)
    reply = await world.answer_message(ScriptedChatProvider()).execute(message)
    assert reply.text == ("" if is_silent else ASK_POSITION)
    await world.stand(conversation, 2)
    failing = ScriptedChatProvider(LLMError(LLMErrorCode.OVERLOADED, "busy"))
    reply = await world.answer_message(failing).execute(replace(message, ref="m:2"))
    assert (reply.text == "") is is_silent


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        ("NOBODY ASKED", True),
        (" nobody asked.", True),
        ("`NOBODY ASKED`", True),
        ("**Nobody  asked**", True),
        ("Nobody asked him (p. 2).", False),
        ("", False),
    ],
)
def test_the_words_are_recognised_alone(draft: str, says: bool) -> None:
    assert says_nobody_asked(draft) is says
