"""The fixture that hands out scripted models and holds them to their scripts."""

from collections.abc import Iterator
from typing import Protocol

import pytest

from core.domain.errors import LLMError
from core.domain.tool_use import ChatResponse
from tests.fakes.chat_provider import ScriptedChatProvider


class Scripted(Protocol):
    """Makes a model from its script."""

    def __call__(self, *script: ChatResponse | LLMError) -> ScriptedChatProvider: ...


@pytest.fixture
def scripted() -> Iterator[Scripted]:
    """Make scripted models; each must have said all it had to say when the test ends."""
    made: list[ScriptedChatProvider] = []

    def make(*script: ChatResponse | LLMError) -> ScriptedChatProvider:
        made.append(ScriptedChatProvider(*script))
        return made[-1]

    yield make
    for provider in made:
        provider.done()
