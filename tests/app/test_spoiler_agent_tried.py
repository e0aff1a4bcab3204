"""The spoiler-agent tests are tried: one that spoils or never searches fails them, an honest model passes."""

import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, ToolDefinition, ToolInvocation
from core.language.sentences import sentences
from core.ports.chat_provider import ChatProvider
from tests.app import test_spoiler_agent as seeds
from tests.fakes.chat_provider import agreed
from tests.helpers.spoiler_agent import Answer, Label, Reader, reader_of

_SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "sample"
_PASSAGE = re.compile(r"\[p\. (\d+)\]\n(.+?)(?=\n\n\[p\. |\n\nThe message:|\Z)", re.DOTALL)
_HONEST = "The pages read so far don't tell."
_QUESTIONS = ["How does the book end?", "Who did it, and why? I have heard it anyway."]


class _Model(ChatProvider):
    """Searches if it is of that kind, tells what the passages hold, and, if it spoils, what it knows of the rest.

    Asked to verify, it bears everything out: what holds a spoiler back is then what is certain by rule alone.
    """

    name = "scripted"
    model = "scripted-1"

    def __init__(self, *, searches: bool = True, knows: Sequence[Label] = (), tells: str = "") -> None:
        self._searches = searches
        self._knows = {label.question: label.evidence for label in knows}
        self._tells = tells
        self.shown_earlier: list[str] = []

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        return ChatResponse(text=agreed(messages[-1].content))

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        if not tools:
            return await self.chat(messages, options)
        question = next(each.content for each in reversed(messages) if each.role == "user" and not each.is_reminder)
        asked = question.rpartition("The message:\n\n")[2].removeprefix("Ada: ")
        self.shown_earlier += [each.content for each in messages if each.role == "assistant" and each.content]
        has_searched = any(each.role == "tool_result" for each in messages)
        if self._searches and not has_searched:
            call = ToolInvocation(tool_name="search_book", arguments={"query": asked}, invocation_id="call_1")
            return ChatResponse(tool_invocation=call)
        shown = "\n\n".join(each.content for each in messages if each.role in {"user", "tool_result"})
        return ChatResponse(text=f"{self._of_passages(asked, shown)} {self._tells}".strip())

    def _of_passages(self, question: str, shown: str) -> str:
        evidence = self._knows.get(question)
        if evidence is None:
            return "" if self._tells else _HONEST
        for page, passage in _PASSAGE.findall(shown):
            for sentence in sentences(passage):
                if evidence in sentence:
                    return f"{sentence} (p. {page})"
        return f"{evidence}."


class _Judge(ChatProvider):
    """Says NO where the response holds something of what is ruled out, or not the words that it has to agree with."""

    name = "judge"
    model = "judge-1"

    async def chat(self, messages: Sequence[PromptMessage], options: GenerationOptions | None = None) -> ChatResponse:
        expected, _, response = messages[-1].content.partition("\n\nResponse:\n")
        ruled_out = expected.rpartition("none of these: ")[2].split(" | ")
        return ChatResponse(text="NO" if any(each.rstrip(".") in response for each in ruled_out) else "YES")

    async def chat_with_tools(
        self,
        messages: Sequence[PromptMessage],
        tools: Sequence[ToolDefinition],
        options: GenerationOptions | None = None,
    ) -> ChatResponse:
        return await self.chat(messages, options)


@pytest.fixture(params=["prefetch", "tool_use"])
def strategy(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
async def labels(tmp_path: Path) -> Sequence[Label]:
    """What an honest model finds on the pages that are read."""
    async with reader_of(_SAMPLE, tmp_path / "labels", strategy="prefetch", model=_Model(), judge=_Judge()) as reader:
        return reader.answerable()


async def _readers(tmp_path: Path, strategy: str, model: ChatProvider) -> AsyncIterator[Reader]:
    async with reader_of(_SAMPLE, tmp_path / "home", strategy=strategy, model=model, judge=_Judge()) as reader:
        yield reader


async def test_an_honest_model_passes_both_classes(tmp_path: Path, strategy: str, labels: Sequence[Label]) -> None:
    async for reader in _readers(tmp_path, strategy, _Model(knows=labels)):
        await seeds.TestSpoilerPreventionViaSearch().test_early_content_is_answered_without_a_word_of_the_rest(reader)
        via_knowledge = seeds.TestSpoilerPreventionViaKnowledge()
        for question in _QUESTIONS:
            await via_knowledge.test_the_end_is_not_told(reader, question)
        await via_knowledge.test_what_lies_ahead_is_not_told(reader)
        assert reader.asked >= 2 * len(_QUESTIONS)


@pytest.mark.parametrize("spoiler", ["It was Hallam who killed Prewett.", "The death sentence is not carried out."])
async def test_a_model_that_spoils_fails_both_classes(
    tmp_path: Path, strategy: str, labels: Sequence[Label], spoiler: str
) -> None:
    async for reader in _readers(tmp_path, strategy, _Model(knows=labels, tells=spoiler)):
        with pytest.raises(AssertionError, match=re.escape(spoiler)):
            await seeds.TestSpoilerPreventionViaSearch().test_early_content_is_answered_without_a_word_of_the_rest(
                reader
            )
        via_knowledge = seeds.TestSpoilerPreventionViaKnowledge()
        for question in _QUESTIONS:
            with pytest.raises(AssertionError, match=re.escape(spoiler)):
                await via_knowledge.test_the_end_is_not_told(reader, question)
        with pytest.raises(AssertionError, match=re.escape(spoiler)):
            await via_knowledge.test_what_lies_ahead_is_not_told(reader)


async def test_a_model_that_never_searches_fails(tmp_path: Path, labels: Sequence[Label]) -> None:
    async for reader in _readers(tmp_path, "tool_use", _Model(searches=False, knows=labels)):
        with pytest.raises(AssertionError, match=re.escape(labels[0].question)):
            await seeds.TestSpoilerPreventionViaSearch().test_early_content_is_answered_without_a_word_of_the_rest(
                reader
            )


async def test_with_passages_along_the_search_is_not_left_to_the_model(tmp_path: Path, labels: Sequence[Label]) -> None:
    async for reader in _readers(tmp_path, "prefetch", _Model(searches=False, knows=labels)):
        assert (await reader.answer(labels[0].question)).has_searched


async def test_an_empty_reply_fails(tmp_path: Path) -> None:
    async for reader in _readers(tmp_path, "prefetch", _Model()):
        for said in ("", "  \n"):
            assert not await reader.holds(Answer(text=said, tools=["search_book"]), "It tells nothing of the end.")


async def test_each_question_opens_a_conversation_of_its_own_at_the_end_of_a_chapter(
    tmp_path: Path, strategy: str
) -> None:
    model = _Model()
    async for reader in _readers(tmp_path, strategy, model):
        assert reader.boundary == 23, "chapter 4 ends there"
        for _ in range(2):
            await reader.answer(_QUESTIONS[0])
        assert model.shown_earlier == []
