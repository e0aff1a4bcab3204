"""The quoting answer: a running passage with its place, or the one sentence for all that cannot be said."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering.context import with_history
from core.domain.book import BookText, Chapter
from core.domain.chat_event import ChatEvent
from core.domain.conversation import ChatMessage, TurnOutcome
from core.domain.messages import CANNOT_SAY, HERE_FOR_THE_BOOK
from core.domain.question import TurnLog
from tests.builders import STORY, a_book_text, a_passage, a_question
from tests.fakes.strategies import CannedSearch
from tests.unit.world import World

_PASSAGES = [a_passage(text, chunk_id=page, page=page) for page, text in enumerate(STORY, start=1)]


async def _ask(
    question: str,
    search: CannedSearch,
    events: list[ChatEvent] | None = None,
    *,
    before: Sequence[ChatMessage] = (),
    text: BookText | None = None,
) -> TurnOutcome:
    world = World()
    book = await world.add_book(text)
    log = TurnLog(on_event=None if events is None else events.append)
    asked = a_question(question, search, book=book, position=book.pages, log=log)
    return await world.quoting.answer(with_history(asked, before))


async def test_the_answer_is_running_text_with_its_pages_above_it_and_its_pieces_as_sources() -> None:
    outcome = await _ask("Who carried the brass compass?", CannedSearch(*_PASSAGES[:2]))
    assert outcome.text == f"**pp. 1-3**\n> {STORY[0]}\n>\n> {STORY[1]}\n>\n> {STORY[2]}"
    assert [source.start_page for source in outcome.sources] == [1, 2, 3]
    assert (outcome.provider, outcome.model, outcome.iterations) == ("none", None, 0)


@pytest.mark.parametrize("said", ["Hello!", "Thanks, that was lovely.", "Who are you?"])
async def test_small_talk_gets_a_kind_sentence_and_no_search(said: str) -> None:
    search, events = CannedSearch(*_PASSAGES), list[ChatEvent]()
    outcome = await _ask(said, search, events)
    assert (outcome.text, outcome.sources, outcome.quotes_only) == (HERE_FOR_THE_BOOK, (), True)
    assert (search.asked, events) == ([], [])


@pytest.mark.parametrize(
    ("question", "passages"),
    [("Who carried the compass?", []), ("Where do kangaroos race?", _PASSAGES)],
)
async def test_where_nothing_fits_it_says_the_one_fixed_sentence(question: str, passages: list[object]) -> None:
    outcome = await _ask(question, CannedSearch(*_PASSAGES[: len(passages)]))
    assert (outcome.text, outcome.sources) == (CANNOT_SAY, ())


_MOTTO = "A sermon on the whale, which a widow heard."
_LIST = " ".join(f"Plate {number} shows a ship of the line under sail." for number in range(40))
_BEGINS = "The sermon began, and the whale was in it."


@pytest.mark.parametrize(
    ("question", "found", "quoted"),
    [
        ("What was the sermon on the whale?", [1, 3], [False, True]),
        ("What was the sermon on the whale?", [1], [True, False]),
        ("Which widow heard the sermon on the whale?", [1, 3], [True, False]),
    ],
)
async def test_what_stands_before_the_story_comes_first_only_where_it_holds_more_of_what_is_asked(
    question: str, found: list[int], quoted: list[bool]
) -> None:
    text = a_book_text(
        (_MOTTO, _LIST, _BEGINS), chapters=[Chapter(number=1, title="Chapter 1", first_page=3, last_page=3)]
    )
    search = CannedSearch(*(a_passage(text.pages[page - 1].text, chunk_id=page, page=page) for page in found))
    outcome = await _ask(question, search, text=text)
    first = outcome.text.split("\n\n**")[0]
    assert [said in first for said in (_MOTTO, _BEGINS)] == quoted


@given(st.text(max_size=200) | st.lists(st.sampled_from(" ".join(STORY).split()), max_size=9).map(" ".join))
async def test_for_any_question_it_quotes_what_stands_there_or_says_that_it_cannot(question: str) -> None:
    outcome = await _ask(question, CannedSearch(*_PASSAGES))
    quoted = [
        line.removeprefix(">").partition(" (p. ")[0].strip() for line in outcome.text.splitlines() if line[:1] == ">"
    ]
    assert all(said.strip("… ") in " ".join(STORY) for said in quoted)


@given(st.text(max_size=40))
async def test_for_any_text_of_the_book_it_never_fails(text: str) -> None:
    search = CannedSearch(a_passage(text), a_passage(STORY[0], chunk_id=2, page=2))
    outcome = await _ask("Who carried the brass compass?", search, text=a_book_text((text, STORY[0])))
    assert "Ada Lindqvist carried a brass compass in her coat." in outcome.text
