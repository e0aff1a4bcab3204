"""The sample novel, indexed once, and a judge of it at any page."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from core.domain.book import BookText
from core.domain.verdict import Judgement
from core.guard.book_index import BookIndex, index_book
from core.guard.judge import Exempt, Judge
from core.guard.score import fitted_score

_SAMPLE = Path(__file__).resolve().parents[3] / "fixtures" / "sample" / "novel.txt"

JudgeText = Callable[..., Judgement]


@pytest.fixture(scope="session")
def sample_text() -> BookText:
    return reader_for(_SAMPLE).read(_SAMPLE, title="Short Weight", author="Thusfar contributors")


@pytest.fixture(scope="session")
def sample_index(sample_text: BookText) -> BookIndex:
    return index_book(sample_text.pages)


@pytest.fixture(scope="session")
def judged(sample_index: BookIndex) -> JudgeText:
    """Judge a text of the sample: `judged(text, page, question=..., strict=..., any_language=...)`."""
    return partial(_judged, sample_index)


def _judged(
    index: BookIndex,
    text: str,
    page: int,
    *,
    question: str | None = None,
    strict: bool = False,
    any_language: bool = False,
) -> Judgement:
    exempt = Exempt.of("Short Weight", "Thusfar contributors", question)
    judge = Judge(index=index, last_page=page, fitted=fitted_score(), strict=strict)
    return judge.verdicts(text, exempt, question=question, any_language=any_language)
