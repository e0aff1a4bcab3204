"""A model that notes the pages it is shown, in JSON or not quite, and remembers what it was asked."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence

from core.domain.errors import LLMError
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, TokenUsage, ToolDefinition
from core.ports.chat_provider import ChatProvider

_PAGE = re.compile(r"^\[p\. (\d+)\]\n(.*?)(?=\n\n\[p\. |\Z)", re.MULTILINE | re.DOTALL)
Answering = Callable[[dict[int, str]], str | LLMError]
"""Makes an answer of the pages of a call."""


def in_json(pages: dict[int, str]) -> str:
    """What a good model answers: a note of the first words of each page."""
    noted = [{"page": page, "notes": [f"It is told that {first_words(text)}."]} for page, text in pages.items()]
    return json.dumps({"pages": noted})


def first_words(text: str) -> str:
    return " ".join(text.split()[:6]).rstrip(".")


class NotingModel(ChatProvider):
    """Answers by `answering`, where `held` not before `go_on` is set; `shown` are the pages of each call."""

    name = "scripted"
    model = "scripted-1"

    def __init__(self, answering: Answering = in_json, *, held: bool = False) -> None:
        self.answering = answering
        self.shown: list[list[int]] = []
        self.prompts: list[str] = []
        self.schemas: list[bool] = []
        self.at_once = self.most_at_once = 0
        self.go_on = asyncio.Event()
        self.begun = asyncio.Event()
        if not held:
            self.go_on.set()

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        asked = messages[-1].content
        pages = {int(number): text for number, text in _PAGE.findall(asked)}
        self.prompts.append("\n\n".join(message.content for message in messages))
        self.shown.append(list(pages))
        self.schemas.append(options is not None and options.answer_schema is not None)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.begun.set()
        try:
            await self.go_on.wait()
            answer = self.answering(pages)
        finally:
            self.at_once -= 1
        if isinstance(answer, LLMError):
            raise answer
        return ChatResponse(text=answer, usage=TokenUsage(input_tokens=100, output_tokens=10), model="scripted-1-today")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)
