"""The retrieval strategies: passages at the model's wish, along with the question, or after one search."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.answering.context import with_history
from core.answering.strategies import (
    AlwaysRetrieveStrategy,
    PrefetchStrategy,
    RetrievalStrategy,
    ToolUseRetrievalStrategy,
)
from core.answering.tools.search_book import DEFINITION, LIMITED_SOURCES, search_tool
from core.domain.chat_event import ChatEvent, TokenUsageEvent, ToolInvocationEvent, ToolResultEvent
from core.domain.conversation import Role
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.question import Question, TurnLog
from core.domain.tool_use import ChatResponse, GenerationOptions, PromptMessage, TokenUsage
from tests.builders import a_message, a_passage, a_question, says
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch
from tests.unit.agent.test_response_generator import a_rule

_SYSTEM = PromptMessage(role="system", content="Be kind.")
_EARLIER = [PromptMessage(role="user", content="Hello"), PromptMessage(role="assistant", content="Hi.")]
_QUESTION = PromptMessage(role="user", content="Who carries the compass?")
_PROMPT = [_SYSTEM, *_EARLIER, _QUESTION]


def _asked(search: CannedSearch | None = None, events: list[ChatEvent] | None = None) -> Question:
    log = TurnLog(on_event=None if events is None else events.append)
    return a_question(_QUESTION.content, search or CannedSearch(), log=log)


def test_ca_3_the_tool_use_strategy_offers_search_book() -> None:
    assert ToolUseRetrievalStrategy().offers_tools


def test_ca_3_strategies_that_always_retrieve_offer_no_tools() -> None:
    assert not AlwaysRetrieveStrategy().offers_tools


async def test_always_retrieve_searches_first_and_asks_once(scripted: Scripted) -> None:
    usage = TokenUsage(input_tokens=80, output_tokens=6)
    provider, search, events = scripted(says("Ada (p. 1).", usage=usage)), CannedSearch(a_passage()), list[ChatEvent]()
    outcome = await AlwaysRetrieveStrategy().run(provider, _asked(search, events), _PROMPT)
    query = _QUESTION.content
    assert search.asked == [(query, 5)]
    assert provider.asked[0].tools is None
    *before, passages, question = provider.asked[0].messages
    assert (before, question) == ([_SYSTEM, *_EARLIER], _QUESTION)
    assert passages.role == "user"
    assert passages.content.endswith(f"[p. 1]\nThe ferry left Marrow Quay at dawn.\n\n{LIMITED_SOURCES}")
    assert (outcome.text, outcome.sources, outcome.usage) == ("Ada (p. 1).", (a_passage(),), usage)
    assert events == [
        ToolInvocationEvent(tool_name="search_book", arguments={"query": query, "top_k": 5}),
        ToolResultEvent(query=query, result_count=1, results=[a_passage()]),
        TokenUsageEvent(input_tokens=80, output_tokens=6, model="scripted-1"),
    ]


_REWRITE = "Other words, please."


@pytest.fixture
def rewriting(tmp_path: Path) -> AlwaysRetrieveStrategy:
    rule = a_rule(tmp_path, f"---\nmodel: small-1\nmax_tokens: 60\n---\n{_REWRITE}")
    return AlwaysRetrieveStrategy(rewrite=rule, options=GenerationOptions(model="large-1", max_tokens=900))


async def test_a_search_that_finds_nothing_is_made_again_in_better_words(
    scripted: Scripted, rewriting: AlwaysRetrieveStrategy
) -> None:
    usage = TokenUsage(input_tokens=10, output_tokens=1)
    provider = scripted(says("brass\ncoat", usage=usage), says("ferry quay", usage=usage), says("Ada.", usage=usage))
    search = CannedSearch(a_passage())
    outcome = await rewriting.run(provider, _asked(search), _PROMPT)
    assert [query for query, _ in search.asked] == [_QUESTION.content, "brass coat", "ferry quay"]
    assert (outcome.retrieval_attempts, outcome.rewritten_query) == (3, "ferry quay")
    assert (outcome.iterations, outcome.usage) == (3, TokenUsage(input_tokens=30, output_tokens=3))
    assert [message.content for message in provider.asked[0].messages] == [_REWRITE, _QUESTION.content]
    assert [(asked.options.model, asked.options.max_tokens) for asked in provider.asked if asked.options] == [
        ("small-1", 60), ("small-1", 60), ("large-1", 900),
    ]  # fmt: skip


@pytest.mark.parametrize("answer", [says(_QUESTION.content), says(" "), LLMError(LLMErrorCode.TIMEOUT, "slow")])
async def test_no_better_words_end_the_attempts(
    scripted: Scripted, rewriting: AlwaysRetrieveStrategy, answer: ChatResponse | LLMError
) -> None:
    outcome = await rewriting.run(scripted(answer, says("I can't say.")), _asked(), _PROMPT)
    assert (outcome.text, outcome.retrieval_attempts, outcome.rewritten_query) == ("I can't say.", 1, None)


async def test_prefetch_gives_the_passages_along_with_the_question(scripted: Scripted) -> None:
    provider, search = scripted(says("Ada (p. 1).")), CannedSearch(a_passage())
    outcome = await PrefetchStrategy().run(provider, _asked(search), _PROMPT, [search_tool(search)])
    assert search.asked == [(_QUESTION.content, 5)]
    (asked,) = provider.asked
    assert [tool.name for tool in asked.tools or ()] == [DEFINITION.name]
    *before, question = asked.messages
    assert before == [_SYSTEM, *_EARLIER]
    assert question.content.startswith("Passages from the pages read so far:\n\n[p. 1]\nThe ferry left")
    assert question.content.endswith(_QUESTION.content)
    assert (outcome.sources, outcome.iterations, outcome.tool_calls) == ((a_passage(),), 1, ())
    (kept,) = outcome.messages
    assert (kept.went_along, kept.reveals_page, kept.content) == (True, 1, "[p. 1]")


@pytest.mark.parametrize("strategy", [PrefetchStrategy(), AlwaysRetrieveStrategy()], ids=["prefetch", "always"])
@pytest.mark.parametrize(("answer", "sources"), [("Ada (p. 1).", [1]), ("Ada (pp. 1-3).", [1, 2, 3]), ("Ada.", [1])])
async def test_what_goes_along_is_sent_once_and_is_a_source_where_it_is_cited(
    scripted: Scripted, strategy: RetrievalStrategy, answer: str, sources: list[int]
) -> None:
    found, *others = [a_passage(f"Ada, {page}.", page=page, chunk_id=page) for page in (1, 2, 3, 4)]
    provider, search, events = scripted(says(answer)), CannedSearch(found), list[ChatEvent]()
    question = replace(_asked(search, events), along=(found, *others))
    outcome = await strategy.run(provider, question, _PROMPT, [search_tool(search)])
    sent = "\n".join(each.said for each in provider.asked[0].messages)
    assert [sent.count(f"[p. {page}]\nAda, {page}.") for page in (1, 2, 3, 4)] == [1, 1, 1, 1]
    assert LIMITED_SOURCES in sent
    assert [each.result_count for each in events if isinstance(each, ToolResultEvent)] == [1]
    assert [source.start_page for source in outcome.sources] == sources
    assert (outcome.messages[0].content, outcome.messages[0].reveals_page) == ("[p. 1]\n[p. 2]\n[p. 3]\n[p. 4]", 4)


@pytest.mark.parametrize(("found", "is_noted"), [(1, True), (2, True), (3, False), (5, False)])
async def test_where_few_passages_are_found_the_prompt_says_so(scripted: Scripted, found: int, is_noted: bool) -> None:
    search = CannedSearch(*(a_passage("Ada carries the compass.", chunk_id=number) for number in range(found)))
    for strategy in (PrefetchStrategy(), AlwaysRetrieveStrategy()):
        provider = scripted(says("Ada."))
        await strategy.run(provider, _asked(search), _PROMPT)
        assert (LIMITED_SOURCES in "\n".join(each.said for each in provider.asked[0].messages)) is is_noted


@pytest.mark.parametrize(
    ("said", "searched"),
    [
        ("Why did he?", "Why did he? Where is Tobias Fenn?"),
        ("And then?", "And then? Where is Tobias Fenn?"),
        ("Where is the brass compass?", "Where is the brass compass?"),
    ],
)
async def test_a_question_that_points_back_is_searched_with_the_one_before(
    scripted: Scripted, said: str, searched: str
) -> None:
    search = CannedSearch(a_passage())
    before = [a_message("Where is Tobias Fenn?"), a_message("Hi.", role=Role.ASSISTANT)]
    question = with_history(a_question(said, search), before)
    prompt = [_SYSTEM, PromptMessage(role="user", content=said)]
    outcome = await PrefetchStrategy().run(scripted(says("Ada.")), question, prompt)
    assert search.asked == [(searched, 5)]
    assert outcome.rewritten_query == (None if searched == said else searched)
