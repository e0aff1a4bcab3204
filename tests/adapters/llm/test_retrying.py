"""Our own retries: what is retried, how long it waits, and one budget for all calls of a turn."""

import asyncio

import pytest

from adapters.llm.retrying import with_retries
from core.domain.errors import LLMError, LLMErrorCode
from core.domain.tool_use import Deadline

_PASSING = {LLMErrorCode.RATE_LIMITED, LLMErrorCode.OVERLOADED, LLMErrorCode.UNAVAILABLE, LLMErrorCode.TIMEOUT}


class _Model:
    """Fails with the scripted errors, then answers; time passes only while waiting."""

    def __init__(self, *faults: LLMError) -> None:
        self._faults = list(faults)
        self.given: list[float] = []
        self.waited: list[float] = []

    def now(self) -> float:
        return sum(self.waited)

    async def sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    async def call(self, remaining: float) -> str:
        self.given.append(remaining)
        if self._faults:
            raise self._faults.pop(0)
        return "answered"

    def deadline(self, *, seconds: float = 60.0, retries: int = 2) -> Deadline:
        return Deadline(seconds=seconds, retries=retries, now=self.now)


def _fault(code: LLMErrorCode = LLMErrorCode.OVERLOADED, retry_after: float | None = None) -> LLMError:
    return LLMError(code, "for the test", retry_after=retry_after)


@pytest.mark.parametrize("code", list(LLMErrorCode))
async def test_only_transient_faults_are_retried(code: LLMErrorCode) -> None:
    model = _Model(_fault(code, 1.0))
    if code in _PASSING:
        assert await with_retries(model.call, deadline=model.deadline(), sleep=model.sleep) == "answered"
    else:
        with pytest.raises(LLMError) as caught:
            await with_retries(model.call, deadline=model.deadline(), sleep=model.sleep)
        assert caught.value.code is code
    assert model.waited == ([1.0] if code in _PASSING else [])


@pytest.mark.parametrize("retry_after", [None, 0.0])
async def test_waits_double_with_jitter_where_the_server_names_none(retry_after: float | None) -> None:
    model = _Model(*[_fault(retry_after=retry_after)] * 7)
    await with_retries(model.call, deadline=model.deadline(retries=7), sleep=model.sleep)
    for waited, longest in zip(model.waited, (0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0), strict=True):
        assert 0.75 * longest <= waited <= longest


@pytest.mark.parametrize(("retry_after", "waited"), [(59.9, [59.9]), (60.0, []), (4_233_600.0, [])])
async def test_a_wait_that_does_not_fit_ends_the_call_with_how_long_it_would_be(
    retry_after: float, waited: list[float]
) -> None:
    model = _Model(*[_fault(LLMErrorCode.RATE_LIMITED, retry_after)] * 2)
    with pytest.raises(LLMError) as caught:
        await with_retries(model.call, deadline=model.deadline(), sleep=model.sleep)
    assert (caught.value.code, caught.value.retry_after) == (LLMErrorCode.RATE_LIMITED, retry_after)
    assert model.waited == waited


async def test_a_call_that_does_not_end_is_cut_off_and_its_work_cancelled() -> None:
    ended: list[str] = []

    async def hang(_: float) -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")
        return "never"

    with pytest.raises(LLMError) as caught:
        await with_retries(hang, deadline=Deadline(seconds=0.02, retries=5))
    assert (caught.value.code, ended) == (LLMErrorCode.TIMEOUT, ["cancelled"])
