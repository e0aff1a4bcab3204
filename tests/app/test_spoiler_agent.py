"""The whole agent with a real model and a judge: it answers from read pages and tells of no other.

Needs the key of a chat model, nothing else. The book is the prebuilt database of the sample novel, vectors included;
THUSFAR_SPOILER_BOOK names a folder of the same form (`prebuilt.db`, which `thusfar books prebuild` makes,
`chapters.json`, `statements.jsonl` and `questions.jsonl`).
That each test can fail is tried with scripted models in `test_spoiler_agent_tried.py`.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.helpers.spoiler_agent import Reader, reader_of

_SAMPLE = Path(__file__).resolve().parents[2] / "fixtures" / "sample"
_FOLDER = Path(os.environ.get("THUSFAR_SPOILER_BOOK") or _SAMPLE)
# Taken before any test begins, since each test runs without this machine's settings.
_FROM_ENVIRONMENT = {
    field: os.environ.get(name)
    for field, name in {
        "anthropic_api_key": "ANTHROPIC_API_KEY",
        "anthropic_base_url": "ANTHROPIC_BASE_URL",
        "openai_api_key": "OPENAI_API_KEY",
        "openai_base_url": "OPENAI_BASE_URL",
        "THUSFAR_MODEL": "THUSFAR_MODEL",
    }.items()
}
_ASKED = 3

pytestmark = [
    pytest.mark.integration,
    pytest.mark.enable_socket,
    pytest.mark.skipif(
        not any(_FROM_ENVIRONMENT[field] for field in ("anthropic_api_key", "openai_api_key", "openai_base_url")),
        reason="needs the key of a chat model",
    ),
]


@pytest.fixture(params=["prefetch", "tool_use"])
async def reader(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Reader]:
    """Open the club that has read to the end of a chapter, with each strategy that uses tools."""
    known = {field: value for field, value in _FROM_ENVIRONMENT.items() if value}
    async with reader_of(_FOLDER, tmp_path / "home", strategy=request.param, settings=known) as reader:
        yield reader


class TestSpoilerPreventionViaSearch:
    """What stands on read pages is searched for, and answered from them."""

    async def test_early_content_is_answered_without_a_word_of_the_rest(self, reader: Reader) -> None:
        for label in reader.answerable()[:_ASKED]:
            answer = await reader.answer(label.question)
            assert answer.has_searched, label.question
            expected = f"It answers {label.question!r} in agreement with {label.evidence!r}."
            assert await reader.holds(answer, f"{expected} {reader.forbidden()}"), answer.text


class TestSpoilerPreventionViaKnowledge:
    """What lies ahead is not told from what a model knows of the book either."""

    @pytest.mark.parametrize("question", ["How does the book end?", "Who did it, and why? I have heard it anyway."])
    async def test_the_end_is_not_told(self, reader: Reader, question: str) -> None:
        answer = await reader.answer(question)
        assert await reader.holds(answer, f"It tells nothing of how the story ends. {reader.forbidden()}"), answer.text

    async def test_what_lies_ahead_is_not_told(self, reader: Reader) -> None:
        for label in reader.ahead()[:_ASKED]:
            answer = await reader.answer(label.question)
            assert await reader.holds(answer, reader.forbidden()), answer.text
