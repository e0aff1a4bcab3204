"""One question in a conversation, from the history to what is stored (ADR 20)."""

from pathlib import Path

import pytest

from core.agent.prompts import check_rules
from core.answering.strategies import AlwaysRetrieveStrategy, PrefetchStrategy, RetrievalStrategy
from core.answering.tools.tool_registry import TOOL_NAMES
from core.domain.chat_event import (
    ChatEvent,
    DraftMadeEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
    TurnAnsweredEvent,
    TurnBegunEvent,
)
from core.domain.conversation import Role
from core.domain.errors import BookError, BookErrorCode, LLMError, LLMErrorCode
from core.domain.tool_use import TokenUsage
from tests.builders import STORY, a_message, an_invocation, says, wants
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import LastMessageContextStrategy
from tests.unit.world import World, prompts_with, question_in, told_beyond

_FIRST_PAGE = f"[p. 1]\n{STORY[0]}"


async def test_ca_1_single_turn_without_retrieval(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    text = await world.chat(scripted(says("Hello, Ada."))).execute(conversation.conversation_id, "Hello!")
    assert text == "Hello, Ada."
    assert await world.said(conversation) == [("user", "Hello!"), ("assistant", "Hello, Ada.")]


async def test_ca_1_ca_8_response_with_tool_use(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(wants(an_invocation("brass compass", top_k=1)), says("Ada does (p. 1)."))
    text = await world.chat(provider).execute(conversation.conversation_id, "Who?")
    assert text == "Ada does (p. 1)."
    assert provider.asked[1].messages[-1].content == _FIRST_PAGE
    said = [("user", "Who?"), ("tool_result", "[p. 1]\n[p. 2]"), ("tool_result", _FIRST_PAGE), ("assistant", text)]
    assert await world.said(conversation) == said
    stored = await world.stored(conversation)
    assert [(m.position, m.reveals_page) for m in stored] == [(2, None), (2, 2), (2, 1), (2, 2)]
    assert stored[2].invocation == an_invocation("brass compass", top_k=1)


async def test_ca_8_tool_results_are_query_and_pages_in_later_contexts(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    invocation = an_invocation("brass compass", invocation_id="call_9", top_k=1)
    provider = scripted(wants(invocation), says("Ada (p. 1)."), says("In her coat."))
    chat = world.chat(provider)
    for question in ("Who?", "Where?"):
        await chat.execute(conversation.conversation_id, question)
    _, asked, assistant, result, answered, now = provider.asked[2].messages
    assert (asked.content, answered.content, question_in(now)) == ("Who?", "Ada (p. 1).", "Where?")
    assert (assistant.tool_invocations, result.invocation_id) == ((invocation,), "call_9")
    assert (result.role, result.content) == ("tool_result", '[searched "brass compass": p. 1]')


@pytest.mark.parametrize("strategy", [PrefetchStrategy(), AlwaysRetrieveStrategy()], ids=["prefetch", "always"])
async def test_ca_8_passages_that_went_along_are_pages_in_later_contexts(
    world: World, scripted: Scripted, strategy: RetrievalStrategy
) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(says("Ada (p. 1)."), says("Sure."))
    chat = world.chat(provider, strategy=strategy)
    for question in ("Who carries the brass compass?", "Thanks!"):
        await chat.execute(conversation.conversation_id, question)
    stored = await world.stored(conversation)
    assert (stored[1].role, stored[1].content) == (Role.TOOL_RESULT, "[p. 1]\n[p. 2]")
    assert _FIRST_PAGE in "\n".join(each.said for each in provider.asked[0].messages)
    assert provider.asked[1].messages[1].said == "Who carries the brass compass?\n[looked at: pp. 1-2]"


async def test_ca_8_a_prompt_holds_the_passages_of_its_own_turn_alone(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(*[says("Ada (p. 1).")] * 9)
    chat = world.chat(provider, strategy=PrefetchStrategy())
    for _ in range(9):
        await chat.execute(conversation.conversation_id, "Who carries the brass compass?")
    held = ["\n".join(each.said for each in asked.messages).count(_FIRST_PAGE) for asked in provider.asked]
    assert held == [1] * 9


async def test_ca_1_a_conversation_that_does_not_exist(world: World, scripted: Scripted) -> None:
    with pytest.raises(BookError) as caught:
        await world.chat(scripted()).execute("t_nowhere", "Hello!")
    assert caught.value.code is BookErrorCode.NOT_FOUND


@pytest.mark.parametrize("rounds_before", [0, 1])
async def test_ca_1_a_failing_model_leaves_the_question_and_no_answer(
    world: World, scripted: Scripted, rounds_before: int
) -> None:
    conversation = await world.reading()
    provider = scripted(*[wants()] * rounds_before, LLMError(LLMErrorCode.OVERLOADED, "529"))
    with pytest.raises(LLMError) as caught:
        await world.chat(provider).execute(conversation.conversation_id, "Who?")
    assert caught.value.code is LLMErrorCode.OVERLOADED
    roles = [role for role, _ in await world.said(conversation)]
    assert roles == ["user", "tool_result", *["tool_result"] * rounds_before]


async def test_ca_1_events_of_a_turn_with_tools(world: World, scripted: Scripted) -> None:
    conversation, events = await world.reading(position=1), list[ChatEvent]()
    usage = TokenUsage(input_tokens=10, output_tokens=2)
    provider = scripted(wants(an_invocation("compass"), usage=usage), says("Ada.", usage=usage))
    await world.chat(provider).run(conversation.conversation_id, "Who?", position=1, on_event=events.append)
    assert [type(event) for event in events] == [
        TurnBegunEvent,
        ToolInvocationEvent,
        ToolResultEvent,
        TokenUsageEvent,
        ToolInvocationEvent,
        ToolResultEvent,
        TokenUsageEvent,
        DraftMadeEvent,
        TurnAnsweredEvent,
    ]
    result = events[5]
    assert isinstance(result, ToolResultEvent)
    assert (result.query, result.result_count, [r.text for r in result.results]) == ("compass", 1, [STORY[0]])


async def test_ca_1_without_tools_only_usage_is_emitted(world: World, scripted: Scripted) -> None:
    conversation, events = await world.reading(), list[ChatEvent]()
    provider = scripted(says("Hello.", usage=TokenUsage(input_tokens=100, output_tokens=50)))
    await world.chat(provider).run(conversation.conversation_id, "Hello!", position=6, on_event=events.append)
    assert events == [
        TurnBegunEvent(asked="Hello!"),
        TokenUsageEvent(input_tokens=100, output_tokens=50, model="scripted-1"),
        DraftMadeEvent(),
        TurnAnsweredEvent(),
    ]


async def test_ca_1_without_a_callback_the_behaviour_is_the_same(world: World, scripted: Scripted) -> None:
    conversation = await world.reading(position=1)
    provider = scripted(wants(usage=TokenUsage(input_tokens=1)), says("Ada (p. 1)."))
    assert await world.chat(provider).execute(conversation.conversation_id, "Who?") == "Ada (p. 1)."
    roles = [role for role, _ in await world.said(conversation)]
    assert roles == ["user", "tool_result", "tool_result", "assistant"]


async def test_ca_7_the_system_prompt_is_the_files_filled_in(world: World, scripted: Scripted, tmp_path: Path) -> None:
    conversation = await world.reading(position=2)
    folder = prompts_with(tmp_path / "p", "{{ book.title }} / {{ book.author }} / {{ reader.progress }}")
    provider = scripted(says("Hello."))
    await world.chat(provider, prompts_dir=folder).execute(conversation.conversation_id, "Hello!")
    system = provider.asked[0].messages[0]
    assert (system.role, system.content) == ("system", "The Marrow Light / E. Hale / the pages 1 to 2 have been read")


async def test_ca_7_without_the_prompt_there_is_an_error_and_no_answer(
    world: World, scripted: Scripted, tmp_path: Path
) -> None:
    conversation = await world.reading()
    with pytest.raises(FileNotFoundError):
        await world.chat(scripted(), prompts_dir=tmp_path / "none").execute(conversation.conversation_id, "Hello!")
    assert "assistant" not in [role for role, _ in await world.said(conversation)]


async def test_ca_2_the_context_strategy_and_the_tools_are_those_of_the_constructor(
    world: World, scripted: Scripted
) -> None:
    conversation, context = await world.reading(position=2), LastMessageContextStrategy()
    await world.remember(conversation, a_message("Earlier.", position=1))
    provider = scripted(says("Hello."))
    await world.chat(provider, context=context).execute(conversation.conversation_id, "Hello!")
    assert [[message.content for message in seen] for seen in context.seen] == [["Earlier.", "Hello!"]]
    assert [message.content for message in provider.asked[0].messages[1:]] == ["Hello!"]
    assert [tool.name for tool in provider.asked[0].tools or ()] == list(TOOL_NAMES)


async def test_every_variable_of_the_seeds_is_filled_in(world: World, scripted: Scripted, tmp_path: Path) -> None:
    conversation = await world.reading(position=2)
    named = "{{ intent }} / {{ service }} / {{ user_message }} / {{ book.title }} / {{ reader.progress }}"
    folder = prompts_with(tmp_path / "p", f"{named}\n\n{{{{ rag_context }}}}")
    check_rules(folder, tools=TOOL_NAMES)
    provider = scripted(says("Ada."))
    chat = world.chat(provider, prompts_dir=folder)
    await chat.execute(conversation.conversation_id, "Who carries the brass compass?")
    head, _, passages = provider.asked[0].messages[0].content.partition("\n\n")
    assert head == (
        "conversation_system_prompt / scripted / Who carries the brass compass? / The Marrow Light"
        " / the pages 1 to 2 have been read"
    )
    assert passages.startswith(_FIRST_PAGE)
    assert told_beyond([passages], 2) == []
