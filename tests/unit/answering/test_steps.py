"""What a turn is seen to do: words of the question and pages read, and the same with a second draft."""

import pytest

from core.answering.steps import TurnSteps, shared_words
from core.domain.chat_event import ChatEvent, DraftMadeEvent, ToolInvocationEvent, ToolResultEvent, TurnBegunEvent
from tests.builders import a_passage

FIRST = "Searching the pages read so far"
ASKED = "What happened to Hallam in the mire?"


def searches(query: str) -> ChatEvent:
    return ToolInvocationEvent(tool_name="search_book", arguments={"query": query})


def finds(page: int) -> ChatEvent:
    return ToolResultEvent(query="anything", result_count=1, results=[a_passage(page=page)])


def steps_of(*events: ChatEvent) -> list[str]:
    steps = TurnSteps()
    for event in events:
        steps.take(event)
    return steps.steps


@pytest.mark.parametrize(
    ("asked", "query", "words"),
    [
        (ASKED, "Hallam mire", "Hallam in the mire"),
        (ASKED, "the drowning of Verrick in the mire", "mire"),
        (ASKED, "Verrick the traitor", ""),
        ("who?", "Verrick", ""),
        ("Who is “the Marsh King”?", "marsh king Verrick", "Marsh King"),
        ("", "Verrick", ""),
    ],
)
def test_only_words_of_the_question_are_shown(asked: str, query: str, words: str) -> None:
    assert shared_words(asked, query) == words


def test_a_search_for_other_words_is_a_search_and_no_more() -> None:
    assert steps_of(TurnBegunEvent(asked=ASKED), searches("Verrick the traitor")) == [FIRST]


def test_a_question_that_tells_of_unread_pages_is_not_repeated() -> None:
    assert steps_of(TurnBegunEvent(asked=""), searches("Hallam in the mire"), finds(3)) == [FIRST, "Reading p. 3"]


def test_a_second_draft_is_not_seen() -> None:
    first = (TurnBegunEvent(asked=ASKED), searches("mire"), finds(3), DraftMadeEvent())
    second = (searches("Hallam"), finds(4), DraftMadeEvent())
    assert steps_of(*first) == steps_of(*first, *second)
    assert steps_of(*first)[-1] == "Checking what I wrote"


def test_a_step_is_named_once() -> None:
    again = (searches("mire"), finds(3))
    assert len(steps_of(TurnBegunEvent(asked=ASKED), *again, *again)) == 3
