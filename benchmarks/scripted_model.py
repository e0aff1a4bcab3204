"""A model in the process that searches as often as it is told to, then says a sentence of what it was shown.

It costs next to nothing, so that what is measured is the house's own. What it says rests on the pages that it was
shown, as an answer must to be posted; what it said for each question is kept, to be compared with what was posted.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.ports.chat_provider import ChatProvider

_CHECKS: Final = "You check an answer"
_JUDGES: Final = "You decide whether a message"
_NUMBERED: Final = re.compile(r"^(\d+)\. ", re.MULTILINE)
_SHOWN: Final = re.compile(r"^\[p\. (\d+)\]$", re.MULTILINE)
_PASSAGE: Final = re.compile(r"\[Pages (\d+)-\d+\]\n(.+?)(?=\n\n\[Pages |\n\nThe message:|\Z)", re.DOTALL)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_QUOTES: Final = str.maketrans("", "", '“”‘"')
_SHORTEST, _LONGEST = 60, 200
_NOTHING: Final = "I can't say anything about that from the pages read so far."


class ScriptedModel(ChatProvider):
    """Searches for each of `searches` in turn, then answers; `{question}` in one stands for what was asked."""

    name = "scripted"
    model = "scripted-1"

    def __init__(self, questions: Sequence[str], *, searches: Sequence[str] = ("{question}",)) -> None:
        self._questions = questions
        self._searches = searches
        self.said: dict[str, set[str]] = defaultdict(set)

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        """Judge or check: all that is asked is the club's business, and all that is said is supported."""
        system, asked = messages[0].content, messages[-1].content
        if system.startswith(_JUDGES):
            return ChatResponse(text="90 about the book")
        if system.startswith(_CHECKS):
            numbers = _NUMBERED.findall(asked.rpartition("Sentences:")[2])
            page = _SHOWN.search(asked)
            verdict = f"SUPPORTED p{page[1]}" if page else "OPINION"
            return ChatResponse(text="\n".join(f"{number} {verdict}" for number in numbers))
        return self._answer(messages)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        """Search what is not searched for yet, then answer."""
        at = _last_question(messages)
        searched = sum(message.role == "tool_result" for message in messages[at:])
        if searched == len(self._searches) or not tools:
            return self._answer(messages)
        query = self._searches[searched].format(question=self._asked(messages[at]))
        call = ToolInvocation(
            tool_name="search_book", arguments={"query": query}, invocation_id=f"call-{id(messages)}-{searched}"
        )
        return ChatResponse(tool_invocations=(call,))

    def _answer(self, messages: Sequence[PromptMessage]) -> ChatResponse:
        at = _last_question(messages)
        shown = _PASSAGE.findall("\n\n".join(message.content for message in messages[at:]))
        said = next((f"{words} (p. {page})." for page, text in shown for words in _statements(text)), _NOTHING)
        self.said[self._asked(messages[at])].add(said)
        return ChatResponse(text=said)

    def _asked(self, message: PromptMessage) -> str:
        """Return the question alone: passages and a name may stand before it, lines about the club behind it."""
        return max((each for each in self._questions if each in message.content), key=message.content.rfind)


def _last_question(messages: Sequence[PromptMessage]) -> int:
    return max(at for at, message in enumerate(messages) if message.role == "user" and not message.is_reminder)


def _statements(text: str) -> list[str]:
    """Return the sentences of a passage that can stand alone, without their full stops and quotation marks."""
    sentences = _SENTENCE.split(" ".join(text.split()).translate(_QUOTES))
    return [one.rstrip(".") for one in sentences if _SHORTEST <= len(one) <= _LONGEST and one.endswith(".")]
