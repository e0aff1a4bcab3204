"""With a model, notes are material for its draft and nothing else: what judges the draft looks at the book's text."""

import pytest

from core.answering.strategies import (
    AlwaysRetrieveStrategy,
    PrefetchStrategy,
    RetrievalStrategy,
    ToolUseRetrievalStrategy,
)
from core.domain.book import Book
from core.domain.conversation import TurnOutcome
from core.domain.note import Note
from core.domain.tool_use import PromptMessage
from core.guard.verifier import Verifier
from tests.builders import STORY, an_invocation, says, wants
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.unit.world import AGREEING, PROMPTS, STRATEGY, World

_NOTES = [
    Note(page=1, text="Ada has a compass of brass in her coat."),
    Note(page=4, text="Somebody climbs in and takes the compass by night."),
    Note(page=6, text="The magistrate killed the pilot for the compass."),
]
_QUESTION = "Who took the compass by night?"
_MARK = "Reading notes on pages read so far, not the book's words."


@pytest.fixture
async def book(world: World) -> Book:
    book = await world.add_book()
    await world.notes.replace(book.book_id, _NOTES)
    return book


async def _answered(
    world: World,
    book: Book,
    provider: ScriptedChatProvider,
    *,
    question: str = _QUESTION,
    position: int = 5,
    strategy: RetrievalStrategy = STRATEGY,
    verified: bool = False,
) -> TurnOutcome:
    verifier = Verifier(provider=provider, prompts_dir=PROMPTS) if verified else AGREEING
    conversation = await world.reading(position=position, book=book)
    chat = world.chat(provider, strategy=strategy, verifier=verifier)
    return await chat.run(conversation.conversation_id, question, position=position)


def _shown(messages: tuple[PromptMessage, ...]) -> str:
    return "\n".join(message.content for message in messages)


@pytest.mark.parametrize("strategy", [PrefetchStrategy(), AlwaysRetrieveStrategy()], ids=["prefetch", "always"])
async def test_notes_that_fit_go_along_marked_behind_the_books_text(
    world: World, book: Book, scripted: Scripted, strategy: RetrievalStrategy
) -> None:
    provider = scripted(says("It was stolen in the night (p. 4)."))
    await _answered(world, book, provider, strategy=strategy)
    shown = _shown(provider.asked[0].messages)
    passages, _, notes = shown.partition(_MARK)
    assert STORY[3] in passages
    assert f"(note on p. 4) {_NOTES[1].text}" in notes
    assert _NOTES[2].text not in shown


async def test_a_search_brings_those_that_went_not_along_before(world: World, book: Book, scripted: Scripted) -> None:
    again = wants(an_invocation("compass of brass by night"))
    provider = scripted(wants(an_invocation(_QUESTION)), again, says("It was stolen in the night (p. 4)."))
    await _answered(world, book, provider, strategy=ToolUseRetrievalStrategy())
    first, second = (message.content for message in provider.asked[-1].messages if message.role == "tool_result")
    assert _NOTES[1].text in first.partition(_MARK)[2]
    assert _NOTES[0].text in second.partition(_MARK)[2]
    assert _NOTES[1].text not in second


async def test_what_the_guard_does_not_let_through_is_shown_to_no_model(
    world: World, book: Book, scripted: Scripted
) -> None:
    world.guard.leaking["climbs"] = 6
    provider = scripted(says("It was stolen in the night (p. 4)."))
    await _answered(world, book, provider)
    assert _NOTES[1].text not in _shown(provider.asked[0].messages)


@pytest.mark.parametrize("draft", [f"{_NOTES[1].text[:-1]} (p. 4).", _NOTES[1].text], ids=["cited", "not cited"])
async def test_what_rests_on_a_note_alone_is_verified_by_the_books_text(
    world: World, book: Book, scripted: Scripted, draft: str
) -> None:
    """The verifier sees the page, not the note: that somebody climbed in stands nowhere, and falls."""
    stood = "The compass was stolen in the night (p. 4)."
    provider = scripted(says(f"{stood} {draft}"), says("1 SUPPORTED p4\n2 NOT"))
    outcome = await _answered(world, book, provider, verified=True)
    verifier = _shown(provider.asked[1].messages)
    assert STORY[3] in verifier
    assert _MARK not in verifier
    assert not any(note.text in verifier.partition("Question:")[0] for note in _NOTES)
    assert outcome.text == stood
    assert outcome.blocks == {"unsupported": 1}
