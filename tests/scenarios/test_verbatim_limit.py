"""An answer quotes at most 150 words of the book, also where a model recites whole pages."""

import re
from pathlib import Path

import pytest

from bot.settings import load_settings
from bot.wiring import build
from core.answering.ask import AskRequest
from core.domain.scopes import LOCAL_SCOPE
from core.guard.citations import without_citations
from core.guard.draft import MOST_WORDS
from core.language.words import words
from tests.scenarios.dialogues import ModelStep
from tests.scenarios.wires import OpenAIWire

_NOVEL = Path(__file__).resolve().parents[2] / "fixtures" / "sample" / "novel.txt"
_PAGES = _NOVEL.read_text(encoding="utf-8").split("\f")
_RUN = 6


def _runs(text: str) -> list[tuple[str, ...]]:
    found = words(text)
    return [tuple(found[at : at + _RUN]) for at in range(len(found) - _RUN + 1)]


_OF_THE_BOOK = frozenset(_runs("\n".join(_PAGES)))


def _quoted(text: str) -> int:
    """How many words stand in runs of several that stand in the book."""
    runs = _runs(without_citations(text))
    at = {start + offset for start, run in enumerate(runs) if run in _OF_THE_BOOK for offset in range(_RUN)}
    return len(at)


def _cited_throughout(page: int) -> str:
    return " ".join(f"{sentence} (p. {page})" for sentence in re.split(r"(?<=[.!?])\s+", _PAGES[page - 1].strip()))


@pytest.mark.parametrize(
    "said",
    [
        f"{_PAGES[9]} (p. 10)",
        "\n\n".join(_PAGES[9:12]),
        "> " + " ".join(_PAGES[9].split()),
        f"{_cited_throughout(10)} {_cited_throughout(11)}",
    ],
    ids=["a page", "three pages", "in one block", "a page behind each sentence"],
)
async def test_a_model_that_recites_pages_is_quoted_no_further_than_the_limit(
    said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wire, novel = OpenAIWire(), tmp_path / "novel.txt"
    novel.write_text("\f".join(_PAGES[:20]), encoding="utf-8")
    async with wire.server:
        for name, value in wire.environment().items():
            monkeypatch.setenv(name, value)
        wire.script(ModelStep(text=said))
        thusfar = build(load_settings())
        try:
            book = (await thusfar.library.add(novel, scope=LOCAL_SCOPE)).book
            asked = AskRequest(question="What does Hallam say to Lacey?", book_id=book.book_id, page=20)
            answer = (await thusfar.ask.execute(asked)).outcome.text
        finally:
            await thusfar.close()
    assert _quoted(said) > MOST_WORDS
    assert 0 < _quoted(answer) <= MOST_WORDS
