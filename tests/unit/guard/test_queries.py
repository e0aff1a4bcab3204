"""What a model searched for is kept as it was, unless it tells what only unread pages do."""

import pytest

from core.answering.drafting import redacted_results
from core.domain.book import Book, BookStatus, PageSource
from core.domain.position import Position
from core.domain.tool_use import ToolDefinition
from core.domain.verdict import Judgement
from tests.builders import a_question, a_tool_result, an_invocation
from tests.fakes.guard import MarkedGuard
from tests.fakes.strategies import CannedSearch
from tests.unit.guard.conftest import JudgeText

_BOOK = Book(
    book_id="b",
    scope="local",
    title="Short Weight",
    author=None,
    content_hash="h",
    pages=83,
    chapters=0,
    chunks=0,
    page_source=PageSource.ESTIMATED,
    status=BookStatus.COMPLETE,
)
_SEARCH = ToolDefinition(name="search_book", description="", parameters={"properties": {"query": {}}})


class _OfTheSample(MarkedGuard):
    def __init__(self, judged: JudgeText) -> None:
        super().__init__()
        self._judged = judged

    async def judge(self, text: str, *, position: Position, **_: object) -> Judgement:
        return self._judged(text, position or 0)


async def _kept(judged: JudgeText, query: str, page: int) -> object:
    result = a_tool_result(invocation=an_invocation(query))
    (kept,) = await redacted_results(
        [result], [_SEARCH], _OfTheSample(judged), a_question(query, CannedSearch(), book=_BOOK, position=page)
    )
    assert kept.invocation
    return kept.invocation.arguments["query"]


@pytest.mark.parametrize("page", [1, 3, 10, 27, 40])
@pytest.mark.parametrize(
    "query",
    [
        "ledger",
        "the harbour ledger",
        "murderer",
        "widow",
        "stolen letters",
        "who killed him",
        "where is the book hidden",
        "death of the weighman",
        "why did the bridge show more",
    ],
)
async def test_a_query_that_only_asks_is_kept(judged: JudgeText, query: str, page: int) -> None:
    assert await _kept(judged, query, page) == query


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("The dead weighman was really Wilfred Coupland, who was supposed to have drowned.", 10),
        ("Sixpence is Rhoda Aske, born Tanner", 20),
        ("Hallam signed all seventeen false certificates", 20),
        ("Rhoda Aske", 10),
    ],
)
async def test_a_query_that_tells_what_is_ahead_is_left_out(judged: JudgeText, query: str, page: int) -> None:
    assert await _kept(judged, query, page) == "(left out)"
