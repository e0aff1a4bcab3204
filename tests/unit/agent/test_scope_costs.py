"""What the judge and the answer beside it took is counted, whichever of them comes to nothing."""

import asyncio
import gc
from collections.abc import Awaitable, Callable

import pytest

from core.agent.scope_guardrail import Asked, ScopeGuardrail
from core.agent.scope_judge import ScopeJudge
from core.domain.conversation import TurnOutcome
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import TokenUsage
from tests.builders import a_book_text, a_passage, chunks_of, says
from tests.fakes.books import InMemoryBookRepository
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch
from tests.unit.app.world import PROMPTS

_JUDGED = TokenUsage(input_tokens=50, output_tokens=5)
_ANSWERED = TokenUsage(input_tokens=100, output_tokens=10)


class LateJudge(ScopeJudge):
    """Says nothing before the answer beside it has come to its end."""

    ended: asyncio.Event

    async def judge(self, *arguments: object, **further: object) -> object:  # type: ignore[override]
        await self.ended.wait()
        return await super().judge(*arguments, **further)  # type: ignore[arg-type]


async def _around(scripted: Scripted, verdict: str, answer: Callable[[], Awaitable[TurnOutcome]]) -> TurnOutcome:
    text = a_book_text()
    book, _ = await InMemoryBookRepository().add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    judge = LateJudge(provider=scripted(says(verdict, usage=_JUDGED)), prompts_dir=PROMPTS)
    judge.ended = asyncio.Event()

    async def ending() -> TurnOutcome:
        try:
            return await answer()
        finally:
            judge.ended.set()

    asked = Asked(message="Is climate change real?", before="", book=book, search=CannedSearch(a_passage()))
    return await ScopeGuardrail(judge=judge).around(asked, ending)


async def _answered() -> TurnOutcome:
    return TurnOutcome(text="An answer.", usage=_ANSWERED, iterations=1)


async def _failed() -> TurnOutcome:
    error = LLMError(LLMErrorCode.OVERLOADED, "busy")
    error.usage = _ANSWERED
    raise error


async def test_an_answer_that_nobody_sees_was_paid_for(scripted: Scripted) -> None:
    outcome = await _around(scripted, "5 general knowledge", _answered)
    assert outcome.text != "An answer."
    assert (outcome.usage, outcome.iterations) == (_JUDGED + _ANSWERED, 2)


async def test_so_was_one_that_failed_and_nothing_is_said_of_it_later(
    scripted: Scripted, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = await _around(scripted, "5 general knowledge", _failed)
    gc.collect()
    await asyncio.sleep(0)
    assert outcome.usage == _JUDGED + _ANSWERED
    assert "never retrieved" not in caplog.text


async def test_a_failed_answer_takes_the_judges_tokens_along(scripted: Scripted) -> None:
    with pytest.raises(LLMError) as caught:
        await _around(scripted, "90 their talk", _failed)
    assert caught.value.usage == _JUDGED + _ANSWERED
