"""A long thread: the latest messages whole, the rest in short, and the same beginning for several turns."""

import itertools

import pytest

from core.answering.context import SummarisingContextStrategy
from core.domain.conversation import ChatMessage, Role
from core.domain.tool_use import WENT_ALONG, ToolInvocation
from tests.builders import ADA, BO, a_message, a_tool_result

_SYSTEM = "Be kind."
_ALONG = a_tool_result(
    "[p. 1]\nThe ferry left.\n\n[p. 2]\nThe quay.\n\n[p. 5]\nSo.",
    invocation=ToolInvocation(tool_name="search_book", arguments={}, invocation_id=WENT_ALONG),
)


def _thread(turns: int) -> list[ChatMessage]:
    said = []
    for number in range(1, turns + 1):
        said.append(a_message(f"Question {number}?", author=ADA if number % 2 else BO))
        said.append(a_message(f"Answer {number} (p. {number}). And more.", role=Role.ASSISTANT))
    return said


def _context(messages: list[ChatMessage], *, most: int = 8) -> list[str]:
    context = SummarisingContextStrategy(max_messages=most).build_context(messages, _SYSTEM)
    return [message.said for message in context]


def test_what_is_cut_is_told_in_short() -> None:
    system, summary, *rest = _context([*_thread(5), a_message("And now?", author=BO)])
    assert system == _SYSTEM
    assert summary == (
        "Earlier in this thread, in short:\n"
        "- Ada: Question 1?\n  You answered: Answer 1 (p. 1).\n"
        "- Bo: Question 2?\n  You answered: Answer 2 (p. 2)."
    )
    assert rest[0] == "Ada: Question 3?"
    assert rest[-1] == "Bo: And now?"


def test_the_beginning_stays_for_several_turns() -> None:
    prompts = [_context([*_thread(turns), a_message("And now?")]) for turns in range(4, 16)]
    changed = [a[1] != b[1] for a, b in itertools.pairwise(prompts)]
    assert sum(changed) <= len(changed) // 2


def test_long_messages_are_shortened_and_forgotten_ones_left_out() -> None:
    messages = [a_message("word " * 200, author=ADA), a_message("", author=None), *_thread(6)]
    _, summary, *_ = _context(messages)
    assert len(summary.splitlines()[1]) < 200
    assert "Somebody" not in summary


def _turns(count: int, *found: ChatMessage) -> list[ChatMessage]:
    answer = a_message("Ada (p. 1).", role=Role.ASSISTANT)
    return [each for at in range(count) for each in (a_message(f"Who {at}?", author=ADA), *found, answer)]


@pytest.mark.parametrize("max_messages", range(1, 12))
def test_the_rows_that_are_too_many_never_part_a_question_from_its_passages(max_messages: int) -> None:
    strategy = SummarisingContextStrategy(max_messages=max_messages, max_turns=3)
    context = strategy.build_context([*_turns(4, _ALONG, a_tool_result()), a_message("And now?")], _SYSTEM)
    asked = [each for each in context if each.role == "user" and each.content.startswith("Who")]
    assert all(each.looked_at == (1, 2, 5) for each in asked)
    assert "quay" not in " ".join(each.said for each in context)
