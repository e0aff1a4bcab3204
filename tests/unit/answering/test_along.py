"""The pages that go along with a question to a model, beside those that a search finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.along import passages_along
from core.answering.context import with_history
from core.domain.book import Chapter
from core.domain.conversation import ChatMessage, Role
from tests.builders import a_book_text, a_message, a_question, says
from tests.fakes.fixtures import Scripted
from tests.fakes.strategies import CannedSearch
from tests.memory import give_back_databases
from tests.unit.world import World, question_in

_PAGES = [
    f"Page {number} tells of the tide. Nothing else is told there." if number != 3 else
    "Ivo Marsh was a tall pilot with a grey beard. Ivo Marsh kept a lamp. Ivo Marsh said nothing."
    for number in range(1, 31)
]  # fmt: skip
_CHAPTERS = [
    Chapter(number=at + 1, title=f"Chapter {at + 1}", first_page=at * 10 + 1, last_page=at * 10 + 10) for at in range(3)
]
_ANSWER = a_message("It was high tide (p. 7), and low again (pp. 12-13).", role=Role.ASSISTANT, position=26)


async def _pages(text: str, *, position: int = 26, history: tuple[ChatMessage, ...] = ()) -> list[int]:
    world = World()
    book = await world.add_book(a_book_text(_PAGES, chapters=_CHAPTERS))
    question = with_history(a_question(text, CannedSearch(), book=book, position=position), history)
    passages = await passages_along(question, world.quoting.read_book(book, position))
    return [passage.start_page for passage in passages]


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("Why is the water so low?", [25, 26]),
        ("What happens in chapter 2?", [11, 12, 14, 15, 16, 17, 19, 20, 25, 26]),
        ("Who is Ivo Marsh?", [3, 25, 26]),
        ("What happened in this chapter?", [21, 22, 23, 24, 25, 26]),
    ],
)
async def test_the_pages_of_the_kind_of_question_go_along_then_the_last_ones_read(text: str, pages: list[int]) -> None:
    assert await _pages(text) == pages


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("Why was that?", [7, 12, 13, 25, 26]),
        ("And who is he?", [7, 12, 13, 3, 25, 26]),
        ("No, that's wrong.", [7, 12, 13, 25, 26]),
        ("Why is the water so low?", [25, 26]),
    ],
)
async def test_a_follow_up_has_the_pages_of_the_last_answer_first(text: str, pages: list[int]) -> None:
    before = a_message("What does Ivo Marsh say of the tide?", position=26)
    assert await _pages(text, history=(before, _ANSWER)) == pages


async def test_a_long_answer_leaves_room_for_the_kind_of_a_follow_up() -> None:
    answer = a_message("All of it (pp. 1-20).", role=Role.ASSISTANT, position=26)
    before = a_message("What does Ivo Marsh say of the tide?", position=26)
    assert await _pages("And who is he?", history=(before, answer)) == [1, 7, 14, 20, 3, 25, 26]


@given(
    st.sampled_from(["What happens in chapter 3?", "Who is Ivo Marsh?", "And why?", "Recap, please."]),
    st.integers(min_value=0, max_value=30),
)
async def test_nothing_beyond_the_position_goes_along_even_after_a_move_back(text: str, position: int) -> None:
    give_back_databases()
    answer = a_message("All of it (pp. 1-30).", role=Role.ASSISTANT, position=30)
    pages = await _pages(text, position=position, history=(a_message("What of the tide?", position=30), answer))
    assert all(page <= position for page in pages)
    assert bool(pages) is (position > 0)


@pytest.mark.parametrize("text", ["Thanks!", "Hello!"])
async def test_nothing_goes_along_with_small_talk(world: World, scripted: Scripted, text: str) -> None:
    conversation = await world.reading(position=2)
    provider = scripted(says("You're welcome."))
    await world.chat(provider).execute(conversation.conversation_id, text)
    last = provider.asked[0].messages[-1]
    assert (last.content, question_in(last)) == (text, text)
    assert [role for role, _ in await world.said(conversation)] == ["user", "assistant"]
