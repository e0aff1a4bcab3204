"""What is kept of a turn never comes back too early: members' own messages, and what a model wrote into its calls."""

import pytest

from adapters.llm.arguments import readable_arguments
from core.answering.drafting import WITHHELD, WITHHELD_ERROR
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import ToolInvocation
from tests.builders import ADA, BO, STORY, an_invocation, says, wants
from tests.fakes.fixtures import Scripted
from tests.fakes.guard import MarkedGuard
from tests.unit.world import World, question_in

_SPOILING = "I have heard that the magistrate did it. Who carried the compass?"


@pytest.fixture
def world() -> World:
    world = World()
    world.guard = MarkedGuard(leaking={"magistrate": 5, "glove": 5}, strict=True, ungrounded={"compass"})
    return world


async def test_a_members_message_is_stored_with_the_page_that_it_reveals(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    chat = world.chat(scripted(says("Ada did."), says("Yes, on a quay.")))
    for text in (_SPOILING, "Where was it?"):
        await chat.run(conversation.conversation_id, text, position=2, author=ADA)
    stored = await world.stored(conversation)
    assert [(m.content, m.reveals_page) for m in stored if m.author] == [(_SPOILING, 5), ("Where was it?", None)]


async def test_what_a_member_gave_away_is_answered_and_then_kept_from_every_later_context(
    world: World, scripted: Scripted
) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(says("Ada did."), says("On a quay."), says("I see."), says("He did."))
    chat = world.chat(provider)
    await chat.run(conversation.conversation_id, _SPOILING, position=2, author=ADA)
    await chat.run(conversation.conversation_id, "Where was it?", position=2, author=BO)
    await chat.run(conversation.conversation_id, "And now?", position=4, author=ADA)
    await chat.run(conversation.conversation_id, "Who did it?", position=5, author=BO)
    heard = [[question_in(m) for m in asked.messages if m.role == "user"] for asked in provider.asked]
    assert heard == [
        [f"Ada: {_SPOILING}"],
        ["Bo: Where was it?"],
        ["Bo: Where was it?\n[looked at: pp. 1-2]", "Ada: And now?"],
        [
            f"Ada: {_SPOILING}\n[looked at: pp. 1-2]",
            "Bo: Where was it?\n[looked at: pp. 1-2]",
            "Ada: And now?\n[looked at: pp. 3-4]",
            "Bo: Who did it?",
        ],
    ]


async def test_a_spoiling_question_that_is_taken_up_again_after_a_crash_is_asked_once(
    world: World, scripted: Scripted
) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(LLMError(LLMErrorCode.TIMEOUT, "slow"), says("Ada did."))
    chat = world.chat(provider)
    with pytest.raises(LLMError):
        await chat.run(conversation.conversation_id, _SPOILING, position=2, asked_by="discord:1:2")
    await chat.run(conversation.conversation_id, _SPOILING, position=2, asked_by="discord:1:2")
    assert [question_in(m) for m in provider.asked[1].messages if m.role == "user"] == [_SPOILING]


@pytest.mark.parametrize(
    ("invocation", "kept"),
    [
        (an_invocation("compass", top_k=1), an_invocation("compass", top_k=1)),
        (an_invocation("the magistrate’s compass", top_k=1), an_invocation(WITHHELD, top_k=1)),
        (an_invocation("compass", top_k=1, because="the magistrate did it"), an_invocation(WITHHELD, top_k=1)),
        (an_invocation("compass", top_k=1, magistrate=1), an_invocation(WITHHELD, top_k=1)),
        (an_invocation(["compass", "magistrate"]), an_invocation(WITHHELD)),
        (an_invocation("compass", tool_name="tell_the_magistrate"), an_invocation(WITHHELD)),
    ],
    ids=["nothing unread", "the query", "another argument", "a key", "a list", "the tool's name"],
)
async def test_arguments_that_leak_are_neither_stored_nor_replayed(
    world: World, scripted: Scripted, invocation: ToolInvocation, kept: ToolInvocation
) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(wants(invocation), says("Ada did."), says("On a quay."))
    chat = world.chat(provider)
    outcome = await chat.run(conversation.conversation_id, "Who?", position=2)
    assert [(call.tool, call.params) for call in outcome.tool_calls] == [(kept.tool_name, kept.arguments)]
    assert "magistrate" not in (outcome.rewritten_query or "")
    (stored,) = [m for m in await world.stored(conversation) if m.invocation and not m.went_along]
    assert stored.invocation == kept
    result = f"[p. 1]\n{STORY[0]}"
    if not isinstance(invocation.arguments["query"], str):
        result = "Error: search_book needs `query`, a text that is not empty."
    assert stored.content == (WITHHELD_ERROR if invocation.tool_name != "search_book" else result)
    await chat.run(conversation.conversation_id, "Where?", position=2)
    replayed = provider.asked[-1].messages
    assert [m.tool_invocations for m in replayed if m.tool_invocations] == [(kept,)]
    assert "magistrate" not in str(replayed)


async def test_why_a_call_could_not_be_run_is_told_and_kept(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    unreadable = ToolInvocation(
        tool_name="search_book", arguments=readable_arguments('{"query": '), invocation_id="call_1"
    )
    provider = scripted(wants(unreadable), says("Ada did."))
    outcome = await world.chat(provider).run(conversation.conversation_id, "Who?", position=2)
    told = "Error: The arguments are no valid JSON. search_book needs `query`, a text that is not empty."
    assert provider.asked[1].messages[-1].content == told
    assert [(call.params, call.result) for call in outcome.tool_calls] == [(unreadable.arguments, told)]
