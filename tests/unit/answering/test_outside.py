"""What stands outside the story is shown by name, once the story is read."""

from dataclasses import replace

import pytest

from core.answering.ask import AskRequest
from core.domain.book import OutsidePart, PartRole
from core.ports.chat_provider import ChatProvider
from tests.builders import ADA, a_book_text, says
from tests.fakes.fixtures import Scripted
from tests.unit.world import World

_PAGES = (
    "The critics were cold to the novel. Its heroine was drawn from the author's sister.",
    "The ferry left Marrow Quay at dawn with a brass compass.",
    "The magistrate confessed in the chapel to the keeper.",
    "Which of the two brothers do you pity? Why does the keeper forgive him?",
    "The pier burned down in the first chapter of the next book.",
)
_TEXT = replace(
    a_book_text(_PAGES),
    first_story_page=2,
    last_story_page=3,
    outside=(
        OutsidePart(role=PartRole.FRONT, title="Introduction by J. Reeve", first_page=1, last_page=1),
        OutsidePart(role=PartRole.BACK, title="Questions for Discussion", first_page=4, last_page=4),
        OutsidePart(role=PartRole.EXCERPT, title="Preview of The Pier", first_page=5, last_page=5),
    ),
)


async def _said(world: World, model: ChatProvider, text: str, page: int) -> str:
    book = await world.add_book(_TEXT)
    request = AskRequest(question=text, book_id=book.book_id, page=page, author=ADA)
    return (await world.ask(model).execute(request)).outcome.text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("What does the introduction say about the heroine?", "drawn from the author's sister"),
        ("show me the questions for discussion", "Which of the two brothers"),
        ("read this introduction to us", "The critics were cold"),
    ],
)
async def test_at_the_end_it_is_shown_by_name_and_no_model_is_asked(
    world: World, scripted: Scripted, text: str, shown: str
) -> None:
    said = await _said(world, scripted(), text, 3)
    assert said.startswith("From *")
    assert shown in said


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What does the introduction to the second edition say?", "Introduction to the Second Edition"),
        ("What does the conversation with the author say?", "A Conversation with the Author"),
        ("What does the introduction say?", "Introduction by J. Reeve"),
    ],
)
async def test_of_several_parts_the_one_is_shown_whose_title_is_named(
    world: World, scripted: Scripted, text: str, title: str
) -> None:
    titles = ("Introduction by J. Reeve", "Introduction to the Second Edition", "The Author", title)
    parts = [
        OutsidePart(role=PartRole.BACK, title=each, first_page=page, last_page=page)
        for page, each in zip((1, 4, 5, 6), dict.fromkeys(titles), strict=False)
    ]
    book = await world.add_book(
        replace(a_book_text([*_PAGES, "The sixth page."]), first_story_page=2, last_story_page=3, outside=tuple(parts))
    )
    request = AskRequest(question=text, book_id=book.book_id, page=3, author=ADA)
    said = (await world.ask(scripted()).execute(request)).outcome.text
    assert said.startswith(f"From *{title}*")


async def test_before_the_end_it_is_a_question_like_any_other(world: World, scripted: Scripted) -> None:
    said = await _said(world, scripted(says("A brass compass (p. 2).")), "What does the introduction say?", 2)
    assert said == "A brass compass (p. 2)."


@pytest.mark.parametrize("text", ["What happens in the preview of The Pier?", "Which questions did the keeper ask?"])
async def test_another_story_and_other_questions_open_nothing(world: World, scripted: Scripted, text: str) -> None:
    assert await _said(world, scripted(says("The ferry (p. 2).")), text, 3) == "The ferry (p. 2)."
