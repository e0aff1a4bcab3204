"""What a tool gave in an earlier turn stands as its query and its pages."""

import pytest

from core.answering.context import recalled
from core.domain.conversation import ChatMessage
from core.domain.tool_use import ToolInvocation, named_pages
from tests.builders import a_tool_result


def _result(content: str, *, tool: str = "search_book", **arguments: object) -> ChatMessage:
    return a_tool_result(content, invocation=ToolInvocation(tool_name=tool, arguments=dict(arguments)))


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (_result("[p. 62]\nApples.\n\n[p. 64]\nMore.", query="apple\nbarrel"), '[searched "apple barrel": pp. 62, 64]'),
        (_result("[p. 3]\nOne.\n\n[p. 4]\nTwo.", tool="read_pages", first_page=3), "[read_pages 3: pp. 3-4]"),
        (_result("One (part 1 of 2)\n\n[p. 9]\nSo.", tool="read_chapter", chapter=1), "[read_chapter 1: p. 9]"),
        (_result("1. The Ferry (p. 1 to 9)\n" * 20, tool="list_chapters"), "[list_chapters]"),
        (_result(f"Ada stands 2 times.\nFirst, p. 1: {'so ' * 99}", tool="find_mentions"), "Ada stands 2 times."),
        (_result("No relevant passages found.", query="whales"), "No relevant passages found."),
    ],
)
def test_a_result_is_told_as_query_and_pages(result: ChatMessage, told: str) -> None:
    assert recalled(result).content == told
    assert recalled(result).invocation == result.invocation
    assert recalled(recalled(result)) == recalled(result)


@pytest.mark.parametrize(
    ("pages", "named"),
    [
        ([7], "p. 7"),
        ([7, 7], "p. 7"),
        ([64, 62], "pp. 62, 64"),
        ([1, 2, 3, 9], "pp. 1-3, 9"),
        (range(1, 40, 2), "pp. 1, 3, 5, 7, 9, 11, 13, 15, ..."),
    ],
)
def test_pages_are_named_in_runs(pages: list[int], named: str) -> None:
    assert named_pages(pages) == named
