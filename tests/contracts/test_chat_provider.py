"""What every ChatProvider does, whether or not it is a model; the wires have their own tests."""

import pytest

from core.answering.tools.search_book import DEFINITION
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import GenerationOptions, PromptMessage
from core.ports.chat_provider import ChatProvider
from tests.builders import an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider

_PROMPT = [PromptMessage(role="user", content="Who?")]


def test_a_provider_has_a_name_for_the_record() -> None:
    provider: ChatProvider = ScriptedChatProvider()
    assert provider.name == provider.name.strip().lower() != ""
    assert isinstance(provider.model, str)


async def test_ctu_4_a_model_answers_with_text_or_with_a_tool() -> None:
    provider = ScriptedChatProvider(says("Ada."), wants(an_invocation()))
    text, tool = [await provider.chat_with_tools(_PROMPT, [DEFINITION]) for _ in range(2)]
    assert (text.text, text.tool_invocation) == ("Ada.", None)
    assert (tool.text, tool.tool_invocation) == (None, an_invocation())


async def test_ctu_4_an_empty_list_of_tools_is_the_same_as_chat() -> None:
    provider, options = ScriptedChatProvider(says("Ada."), says("Ada.")), GenerationOptions(max_tokens=9)
    assert await provider.chat_with_tools(_PROMPT, [], options) == await provider.chat(_PROMPT, options)
    assert provider.asked[0] == provider.asked[1]


async def test_what_fails_is_an_llm_error() -> None:
    provider = ScriptedChatProvider(*[LLMError(LLMErrorCode.UNAVAILABLE, "down")] * 2)
    for call in (provider.chat(_PROMPT), provider.chat_with_tools(_PROMPT, [DEFINITION])):
        with pytest.raises(LLMError) as caught:
            await call
        assert caught.value.code is LLMErrorCode.UNAVAILABLE


async def test_a_script_that_is_not_played_to_its_end_fails() -> None:
    provider = ScriptedChatProvider(says("Ada."), says("Bo."))
    await provider.chat(_PROMPT)
    with pytest.raises(AssertionError, match="1 scripted answers"):
        provider.done()
    await provider.chat(_PROMPT)
    provider.done()
    with pytest.raises(AssertionError, match="beyond the script"):
        await provider.chat(_PROMPT)
