"""History at a position holds nothing that was written or reveals later."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.context import SummarisingContextStrategy
from core.domain.conversation import ChatMessage, Role
from core.domain.position import Position
from tests.builders import a_message, a_tool_result, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.memory import give_back_databases
from tests.unit.world import World, question_in, told_beyond

_WRITTEN = st.none() | st.integers(min_value=0, max_value=6)
_POSITIONS = st.integers(min_value=0, max_value=6)


async def _sees(world: World, position: int, history: Sequence[ChatMessage]) -> list[str]:
    conversation = await world.reading(position=position)
    await world.remember(conversation, *history)
    provider = ScriptedChatProvider(says("Hm."))
    chat = world.chat(provider, context=SummarisingContextStrategy(max_messages=100, max_turns=100))
    await chat.execute(conversation.conversation_id, "And now?")
    return [question_in(message) for message in provider.asked[0].messages[1:]]


@pytest.mark.parametrize(
    ("message", "seen_at"),
    [
        (a_message("x", position=None), [0, 1, 3]),
        (a_message("x", position=0), [0, 1, 3]),
        (a_message("x", position=1), [1, 3]),
        (a_message("x", position=3), [3]),
        (a_message("x", position=4), []),
        (a_message("x", position=1, reveals_page=3), [3]),
        (a_message("x", position=1, reveals_page=4), []),
        (a_message("x", position=None, reveals_page=1), [1, 3]),
        (a_message("x", position=2, role=Role.ASSISTANT), [3]),
        (a_message("x", position=1, reveals_page=2, role=Role.ASSISTANT), [3]),
        (a_tool_result("x", position=1, reveals_page=1), [1, 3]),
        (a_tool_result("x", position=1, reveals_page=3), [3]),
        (a_tool_result("x", position=6), []),
    ],
)
@pytest.mark.parametrize("position", [0, 1, 3])
async def test_a_message_is_seen_only_from_where_it_was_written_and_from_what_it_reveals(
    world: World, message: ChatMessage, seen_at: list[int], position: int
) -> None:
    assert ("x" in await _sees(world, position, [message])) is (position in seen_at)


@given(
    st.lists(st.tuples(st.sampled_from(list(Role)), _WRITTEN, st.none() | st.integers(1, 6)), max_size=12), _POSITIONS
)
async def test_at_no_position_does_anything_later_reach_the_model(
    drawn: list[tuple[Role, Position, int | None]], position: int
) -> None:
    history = [
        ChatMessage(
            role=role,
            content=f"{written or 0}:{reveals or 0}",
            position=written,
            reveals_page=reveals,
            invocation=an_invocation(invocation_id=f"call_{at}") if role is Role.TOOL_RESULT else None,
        )
        for at, (role, written, reveals) in enumerate(drawn)
    ]
    give_back_databases()
    seen = [text for text in await _sees(World(), position, history) if ":" in text]
    fitting = [m.content for m in history if max(map(int, m.content.split(":"))) <= position]
    assert seen == fitting


async def test_when_the_position_goes_back_later_talk_is_gone_and_comes_again(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=1)
    provider = scripted(
        wants(an_invocation("brass compass")),
        says("Ada carries it (p. 1)."),
        wants(an_invocation("magistrate confessed")),
        says("The magistrate confessed in the chapel (p. 6)."),
        wants(an_invocation("magistrate compass pilot glove")),
        says("I can't say."),
        says("He did."),
    )
    chat = world.chat(provider)
    await chat.execute(conversation.conversation_id, "Who carries the compass?")
    await world.stand(conversation, 6)
    await chat.execute(conversation.conversation_id, "Was it the magistrate who drowned the pilot?")
    await world.stand(conversation, 1)
    await chat.execute(conversation.conversation_id, "What now?")
    went_out = [m.said for asked in provider.asked[4:6] for m in asked.messages]
    assert "Ada carries it (p. 1)." in went_out
    assert [text for text in went_out if "magistrate" in text.lower()] == []
    assert told_beyond(went_out, 1) == []
    await world.stand(conversation, 6)
    await chat.execute(conversation.conversation_id, "And then?")
    assert "The magistrate confessed in the chapel (p. 6)." in [m.content for m in provider.asked[6].messages]


@given(
    st.integers(min_value=0, max_value=6), st.lists(st.sampled_from(["compass", "magistrate", "ledger glove clocks"]))
)
async def test_no_tool_argument_brings_an_unread_page_into_a_prompt(position: int, queries: list[str]) -> None:
    give_back_databases()
    world = World()
    conversation = await world.reading(position=position)
    asks = [
        an_invocation(query, invocation_id=f"call_{at}", top_k=20, position=6, page=6, last_page=6)
        for at, query in enumerate(["the harbour chapel", *queries])
    ]
    provider = ScriptedChatProvider(wants(*asks), says("Hm."))
    await world.chat(provider).execute(conversation.conversation_id, "Tell me everything.")
    assert told_beyond([m.content for asked in provider.asked for m in asked.messages], position) == []
