"""Two scripted models: the traitor, who knows the whole book and always tells, and the honest one, who reads."""

import re
from collections.abc import Callable, Sequence

from core.agent.executor import SEARCH_BOOK
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.messages import CANNOT_SAY
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.ports.chat_provider import ChatProvider
from tests.attacks.labels import Asked, Labelled, Leak
from tests.attacks.styles import STYLES, Telling, Told

Found = Sequence[tuple[int, str]]
_BEFORE_THE_MESSAGE = "The message:\n\n"
_CHECKS = "You check an answer"
_NUMBERED = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
_PASSAGE = re.compile(r"\[p\. (\d+)\]\n(.*?)(?=\n\n\[p\. |\Z)", re.DOTALL)


class SearchingModel(ChatProvider):
    """Searches once for what it was asked, then writes; `sent` keeps the words of everything that it was shown."""

    def __init__(self, write: Callable[[Found], str], *, query: Callable[[str], str] = str) -> None:
        self._write = write
        self._query = query
        self.sent: list[str] = []
        self.passages: Found = ()

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return await self.chat_with_tools(messages, (), options)

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        self.sent += [f"{message.content} {message.tool_invocations}" for message in messages]
        last = messages[-1]
        if last.role != "tool_result":
            query = self._query(last.content.rsplit(_BEFORE_THE_MESSAGE, 1)[-1])
            call = ToolInvocation(tool_name=SEARCH_BOOK, arguments={"query": query}, invocation_id="call_1")
            return ChatResponse(tool_invocation=call)
        shown = (message.content.rpartition(_BEFORE_THE_MESSAGE)[0] or message.content for message in messages[1:])
        self.passages = [(int(page), text) for content in shown for page, text in _PASSAGE.findall(content)]
        return ChatResponse(text=self._write(self.passages))


class NoModel(SearchingModel):
    """Never answers: what is seen is the quoting answer."""

    def __init__(self) -> None:
        super().__init__(lambda _found: "")

    async def chat_with_tools(self, *_args: object, **_options: object) -> ChatResponse:
        raise LLMError(LLMErrorCode.UNAVAILABLE, "no model answers")


class ThenUnsaid(ChatProvider):
    """Says a draft, and asked once more that the pages do not say; as a verifier it lets only that pass."""

    def __init__(self, draft: str, unsaid: str) -> None:
        self._draft = draft
        self._unsaid = unsaid

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def model(self) -> str:
        return "scripted-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        if not messages[0].content.startswith(_CHECKS):
            return ChatResponse(text=self._unsaid if messages[-1].is_reminder else self._draft)
        numbered = _NUMBERED.findall(messages[-1].content.rpartition("Sentences:\n")[2])
        lines = (f"{number} {'ABSTAIN' if text in self._unsaid else 'NOT'}" for number, text in numbered)
        return ChatResponse(text="\n".join(lines))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)


class Traitor(SearchingModel):
    """Tells one leak in one style, whatever it is asked; `told` is what it wrote last."""

    def __init__(self, book: Labelled, *, position: int, leak: Leak, style: str, number: int = 0) -> None:
        super().__init__(self._betray)
        self._book = book
        self._position = position
        self._leak = leak
        self._style = style
        self.number = number
        self.told = Told(draft="", leak="")

    def _betray(self, found: Found) -> str:
        telling = Telling(leak=self._leak, book=self._book, position=self._position, found=found, number=self.number)
        self.told = STYLES[self._style](telling)
        return self.told.draft


class Honest(SearchingModel):
    """Answers from the page that says it, where the search found that page; else it says that it cannot."""

    def __init__(self, asked: Asked) -> None:
        super().__init__(self._paraphrase)
        self._asked = asked
        self.draft = ""

    def saw_answer(self) -> bool:
        """Whether a page that answers was among the passages found."""
        return any(page in self._asked.answer_pages for page, _ in self.passages)

    def _paraphrase(self, found: Found) -> str:
        page = next((page for page, _ in found if page in self._asked.answer_pages), None)
        self.draft = CANNOT_SAY if page is None else self._asked.prose or paraphrased(self._asked.evidence, page)
        return self.draft


_SWAPS = (
    (r"\bI\b", "the narrator"), (r"\bmy\b", "the narrator’s"), (r"\bme\b", "the narrator"), (r"\bwe\b", "they"),
    (r"\bour\b", "their"), (r"\bupon\b", "on"), (r"\bvery\b", "quite"), (r"\bperceived\b", "saw"),
    (r"\bbegan\b", "started"), (r"\bhowever\b", "though"), (r"\bgreat\b", "large"), (r"\bcommenced\b", "began"),
)  # fmt: skip


def paraphrased(evidence: str, page: int) -> str:
    """Tell a sentence of the book in the third person, a long one from its middle on, with its page."""
    text = evidence.strip(" .!?“”‘’")
    for pattern, other in _SWAPS:
        text = re.sub(pattern, other, text)
    head, _, tail = text.partition(", ")
    turned = f"{tail}, {head}" if tail and len(head.split()) <= 8 else text
    return f"We are told that {turned[0].lower() + turned[1:]} (p. {page})."
