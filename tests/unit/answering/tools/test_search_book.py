"""The search tool: what a model is offered, what it may send, what it reads."""

import json
import math

import pytest

from core.agent.executor import ToolExecutor, ToolOutput
from core.answering.tools.search_book import DEFINITION, NOTHING_FOUND, format_passages, search_tool
from core.domain.tool_use import ToolInvocation
from tests.builders import a_passage, an_invocation
from tests.fakes.strategies import CannedSearch


async def _search(invocation: ToolInvocation, search: CannedSearch) -> ToolOutput:
    return await ToolExecutor([search_tool(search)]).run(invocation)


def test_ca_4_the_definition_of_search_book() -> None:
    properties = DEFINITION.parameters["properties"]
    assert DEFINITION.name == "search_book"
    assert "search" in DEFINITION.description.lower()
    assert DEFINITION.parameters["type"] == "object"
    assert DEFINITION.parameters["required"] == ["query"]
    assert isinstance(properties, dict)
    assert {name: schema["type"] for name, schema in properties.items()} == {"query": "string", "top_k": "integer"}
    assert properties["top_k"]["default"] == 5


def test_nothing_a_model_can_send_names_a_book_or_a_page_bound() -> None:
    assert set(json.loads(json.dumps(DEFINITION.parameters))["properties"]) == {"query", "top_k"}


@pytest.mark.parametrize(
    ("sent", "used"),
    [
        (1, 1),
        (5, 5),
        (20, 20),
        (21, 20),
        (10**15, 20),
        ("7", 7),
        ("700", 20),
        (-3, 1),
        (0, 1),
        (None, 5),
        ("x", 5),
        ("", 5),
        (2.5, 2),
        (0.2, 1),
        (math.nan, 5),
        (True, 1),
        ([3], 5),
        ({"top_k": 3}, 5),
        ("9" * 5000, 5),
    ],
    ids=lambda value: repr(value)[:12],
)
async def test_top_k_is_clamped_whatever_a_model_sends(sent: object, used: int) -> None:
    search = CannedSearch()
    await _search(an_invocation("compass", top_k=sent), search)
    assert search.asked == [("compass", used)]


async def test_top_k_may_be_left_out() -> None:
    search = CannedSearch()
    await _search(an_invocation("compass"), search)
    assert search.asked == [("compass", 5)]


async def test_ca_4_passages_stand_under_their_pages() -> None:
    search = CannedSearch(a_passage("One.", page=3), a_passage("Two.\n\nThree.", chunk_id=2, page=14))
    found = await _search(an_invocation("x"), search)
    assert found.text == "[p. 3]\nOne.\n\n[p. 14]\nTwo.\n\nThree."


async def test_ca_4_a_search_without_results_says_so() -> None:
    assert (await _search(an_invocation("x"), CannedSearch())).text == NOTHING_FOUND
    assert format_passages(()) == "No relevant passages found."


@pytest.mark.parametrize(
    ("held", "shown"), [((), [1, 2]), ((1,), [2, 3]), ((1, 2), [3, 4]), ((1, 2, 3), [4]), ((1, 2, 3, 4), [1, 2, 3, 4])]
)
async def test_what_was_shown_makes_room_for_what_comes_next(held: tuple[int, ...], shown: list[int]) -> None:
    search = CannedSearch(*[a_passage(chunk_id=number, page=number) for number in range(1, 5)])
    tool = search_tool(search, shown=held)
    output = await ToolExecutor([tool]).run(an_invocation("ferry", top_k=2))
    assert [passage.chunk_id for passage in output.passages] == shown
    assert (output.count, output.text) == (len(shown), format_passages(output.passages))
