"""What commands show of reading notes: marked, each with its page, of read pages alone, and first."""

import pytest

from core.domain.book import Chapter
from core.domain.errors import LLMError
from core.domain.note import Note
from core.domain.tool_use import ChatResponse
from tests.builders import BO, a_book_text
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.unit.club_house import House

_CHAPTERS = [Chapter(number=n, title=f"Chapter {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)]
_NOTES = (
    (1, "Ada Lindqvist takes the ferry with a compass."),
    (2, "Tobias Fenn is the keeper of the lighthouse."),
    (3, "Tobias hides the ledger from a stranger."),
    (4, "A thief takes the compass of Ada by night."),
    (5, "Tobias Fenn finds a glove."),
    (6, "The magistrate confesses that he drowned the pilot."),
)
_WHOLE = "Ada takes the ferry (p. 1). The compass is stolen at night (p. 4)."
_WHO = "Tobias Fenn keeps the lighthouse (p. 2)."
_MARK = "From reading notes, not the book's words:"
_IN_SHORT = "**In short** (reading notes, not the book's words): "


async def _house(
    *answers: str | LLMError, position: int = 4, has_model: bool = False
) -> tuple[House, ScriptedChatProvider]:
    model = ScriptedChatProvider(*(ChatResponse(text=each) if isinstance(each, str) else each for each in answers))
    house = House(model if answers or has_model else None)
    book = await house.add_book(a_book_text(chapters=_CHAPTERS))
    await house.notes.replace(book.book_id, [Note(page=page, text=text) for page, text in _NOTES])
    await house.reading(position=position, book=book)
    return house, model


@pytest.mark.parametrize("position", range(1, 7))
@pytest.mark.parametrize(
    "use", ["recap", "recap last", "recap since p. 1", "recap ch 1", "who Tobias", "cast", "discuss"]
)
async def test_no_note_of_an_unread_page_is_shown(position: int, use: str) -> None:
    house, _ = await _house(position=position)
    words, _, text = use.partition(" ")
    response = await house.use(words, text)
    shown = response.text + response.announcement
    assert [page for page, note in _NOTES if note in shown and page > position] == []
    assert f"(p. {position + 1})" not in shown


async def test_a_recap_tells_each_chapter_by_its_notes_in_order() -> None:
    house, _ = await _house()
    text = (await house.use("recap")).text
    assert text.startswith(f"**The story so far** (pp. 1-4):\n\n{_MARK}\n- **Chapter 1** (pp. 1-2)")
    assert [text.count(f"{note} (p. {page})") for page, note in _NOTES] == [1, 1, 1, 1, 0, 0]
    assert "“" not in text.partition("You stopped at: ")[0]
    since = (await house.use("recap", "since p. 2")).text
    assert [note in since for _, note in _NOTES] == [False, False, True, True, False, False]


async def test_a_chapter_is_told_by_its_notes_and_a_sentence_of_their_pages() -> None:
    house, _ = await _house()
    text = (await house.use("recap", "ch 2")).text
    assert f"{_IN_SHORT}{_NOTES[2][1]} (p. 3) {_NOTES[3][1]} (p. 4)\n\n> " in text
    assert text.count("\n> ") == 1


async def test_somebody_is_told_by_who_they_are_and_the_latest_about_them() -> None:
    house, _ = await _house()
    text = (await house.use("who", "Tobias Fenn")).text
    assert (
        f"{_IN_SHORT}{_NOTES[1][1]} (p. 2)\n\n> The lighthouse keeper, Tobias Fenn, kept seven clocks. (p. 2)" in text
    )
    await house.use("mypage", "5")
    assert f"{_NOTES[1][1]} (p. 2) {_NOTES[4][1]} (p. 5)" in (await house.use("who", "Tobias Fenn")).text
    assert _NOTES[4][1] not in (await house.use("who", "Tobias Fenn", by=BO)).text


async def test_the_cast_says_who_each_is() -> None:
    house = House()
    book = await house.add_book(a_book_text(["So Fenn said no, and Ada laughed.", "Then Fenn said yes."]))
    notes = [Note(page=1, text="Ada is a girl."), Note(page=1, text="Fenn refuses."), Note(page=2, text="Fenn agrees.")]
    await house.notes.replace(book.book_id, notes)
    await house.reading(position=1, book=book)
    told = (await house.use("cast")).text
    assert told.startswith(
        f"Who has come up so far:\n{_MARK}\n- **Fenn** once (p. 1). Fenn refuses. (p. 1)\n"
        "- **Ada** once (p. 1). Ada is a girl. (p. 1)\n"
    )


async def test_questions_begin_with_a_note_and_a_sentence_of_its_page() -> None:
    house, _ = await _house()
    first = (await house.use("discuss")).text.partition("**2.**")[0]
    assert any(
        first.startswith(f"**1.** {_IN_SHORT}{note} (p. {page})\n\n> ") and f" (p. {page})\nWhat do" in first
        for page, note in _NOTES[2:4]
    )


async def test_what_the_guard_holds_back_is_not_shown() -> None:
    house, _ = await _house()
    house.guard.leaking["thief"] = 6
    for words in ("recap", "recap ch 2", "who Ada", "cast", "discuss"):
        name, _, text = words.partition(" ")
        assert "thief" not in (await house.use(name, text)).text


async def test_with_a_model_the_whole_is_written_over_all_notes_in_one_call_and_paid_once() -> None:
    house, model = await _house(_WHOLE)
    first = await house.use("recap")
    assert first.text.startswith(f"**The story so far** (pp. 1-4):\n\n{_WHOLE}\n\n{_MARK}\n- **Chapter 1**")
    asked = model.asked[0].messages[-1].content
    assert [note in asked for _, note in _NOTES] == [True, True, True, True, False, False]
    assert "not the book's words:" in asked
    assert (await house.use("recap", by=BO)).text == first.text
    model.done()


@pytest.mark.parametrize("draft", ["The magistrate did it (p. 4).", "It ends (p. 6).", "It is told nowhere."])
async def test_a_draft_that_is_unusable_leaves_the_notes(draft: str) -> None:
    house, _ = await _house(*[draft] * 2)
    house.guard.leaking["magistrate"] = 6
    text = (await house.use("recap")).text
    assert draft not in text
    assert text.startswith(f"**The story so far** (pp. 1-4):\n\n{_MARK}\n- **Chapter 1**")


async def test_with_a_model_somebody_is_told_as_of_the_last_page_that_names_them_and_paid_once() -> None:
    house, model = await _house(_WHO, position=5)
    first = await house.use("who", "Tobias Fenn")
    assert f"(p. 2)\n\n{_WHO}\n\n> " in first.text
    assert "who Tobias Fenn is by page 2 of the book" in model.asked[0].messages[-1].content
    assert _NOTES[4][1] not in model.asked[0].messages[-1].content
    await house.use("mypage", "6", by=BO)
    assert _WHO in (await house.use("who", "Tobias Fenn", by=BO)).text
    model.done()


async def test_two_people_of_the_same_pages_are_not_confused() -> None:
    other = "Tobias keeps clocks (p. 2)."
    house, model = await _house(_WHO, other)
    assert _WHO in (await house.use("who", "Tobias Fenn")).text
    assert other in (await house.use("who", "lighthouse keeper")).text or other in (await house.use("who", "Fenn")).text
    model.done()
