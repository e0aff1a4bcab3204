"""A long thread: the latest messages whole, the rest in short, and the same beginning for several turns."""

import itertools
from dataclasses import replace

import pytest

from core.agent.context import SummarisingContextStrategy
from core.domain.conversation import ChatMessage, Role
from tests.builders import ADA, BO, a_message, a_tool_result

_SYSTEM = "Be kind."


def _thread(turns: int) -> list[ChatMessage]:
    said = []
    for number in range(1, turns + 1):
        said.append(a_message(f"Question {number}?", author=ADA if number % 2 else BO))
        said.append(a_message(f"Answer {number} (p. {number}). And more.", role=Role.ASSISTANT))
    return said


def _context(messages: list[ChatMessage], *, most: int = 8) -> list[str]:
    context = SummarisingContextStrategy(max_messages=most).build_context(messages, _SYSTEM)
    return [message.said for message in context]


def test_a_short_thread_is_whole() -> None:
    messages = _thread(4)
    assert _context(messages) == [_SYSTEM, *(
        f"{message.author.display_name}: {message.content}" if message.author else message.content
        for message in messages
    )]  # fmt: skip


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


@pytest.mark.parametrize("turns", range(1, 40))
def test_no_more_than_the_window_goes_out_and_it_begins_with_a_question(turns: int) -> None:
    _, *rest = _context([*_thread(turns), a_message("And now?", author=BO)])
    whole = [text for text in rest if not text.startswith("Earlier")]
    assert 1 <= len(whole) <= 8
    assert whole[0].startswith(("Ada: ", "Bo: "))
    assert sum(len(text) for text in rest) < 4_000


def test_the_beginning_stays_for_several_turns() -> None:
    prompts = [_context([*_thread(turns), a_message("And now?")]) for turns in range(4, 16)]
    changed = [a[1] != b[1] for a, b in itertools.pairwise(prompts)]
    assert sum(changed) <= len(changed) // 2


def test_what_a_position_hides_is_not_told() -> None:
    messages = [message for message in _thread(9) if "3" not in message.content]
    assert "Question 3" not in "\n".join(_context(messages))


def test_long_messages_are_shortened_and_forgotten_ones_left_out() -> None:
    messages = [a_message("word " * 200, author=ADA), a_message("", author=None), *_thread(6)]
    _, summary, *_ = _context(messages)
    assert len(summary.splitlines()[1]) < 200
    assert "Somebody" not in summary


def test_results_of_earlier_turns_are_short_from_the_next_turn_on() -> None:
    searched = a_tool_result("[p. 2]\nThe lighthouse keeper.")
    messages = [a_message("Who?", author=ADA), searched, a_message("Ada (p. 1).", role=Role.ASSISTANT)]
    contexts = [
        SummarisingContextStrategy(recalls=recalls).build_context([*messages, a_message("And now?")], _SYSTEM)
        for recalls in (True, False)
    ]
    results = [[each.content for each in context if each.role == "tool_result"] for context in contexts]
    assert results == [['[searched "compass": p. 2]'], [searched.content]]


def test_a_question_of_an_earlier_turn_names_the_pages_that_were_looked_at() -> None:
    asked = replace(a_message("Who?", author=ADA), looked_at=(1, 2, 5))
    _, question, _ = SummarisingContextStrategy().build_context([asked, a_message("And now?")], _SYSTEM)
    assert question.said == "Ada: Who?\n[looked at: pp. 1-2, 5]"
    assert question.content == "Who?"
