"""What a model writes for recap and discuss: asked at the last page it is about, judged, kept, and paid once a club."""

import pytest

from adapters.persistence.club_life_tables import ClubTextRow
from core.domain.book import Chapter
from core.domain.club_text import TextKind
from core.domain.errors import LLMError
from core.domain.note import Note
from core.domain.tool_use import ChatResponse
from tests.builders import BO, a_book_text
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.unit.club_house import House

_CHAPTERS = [Chapter(number=n, title=f"Chapter {n}", first_page=2 * n - 1, last_page=2 * n) for n in (1, 2, 3)]
_OF_ONE = "Ada takes the ferry, and the keeper's clocks never agree (p. 2)."
_OF_TWO = "A stranger asks for the ledger, and the compass is stolen at night (p. 4)."
_QUESTIONS = """\
> “None of his clocks ever agreed.” (p. 2)
What do clocks that disagree say about Tobias?

> “The ferry left Marrow Quay at noon.” (p. 1)
Why at noon?

> “Ada Lindqvist carried a brass compass in her coat.” (p. 1)
What would you carry?
"""


async def _house(*answers: str | LLMError, position: int = 4) -> tuple[House, ScriptedChatProvider]:
    model = ScriptedChatProvider(*(ChatResponse(text=each) if isinstance(each, str) else each for each in answers))
    house = House(model)
    book = await house.add_book(a_book_text(chapters=_CHAPTERS))
    await house.reading(position=position, book=book)
    return house, model


def _asked(model: ScriptedChatProvider, call: int) -> str:
    return model.asked[call].messages[-1].content


def _sent(model: ScriptedChatProvider, call: int) -> str:
    return "\n".join(message.content for message in model.asked[call].messages)


async def test_each_chapter_is_told_in_a_sentence_that_was_asked_for_at_its_own_end() -> None:
    house, model = await _house(_OF_ONE, _OF_TWO)
    text = (await house.use("recap")).text
    assert f"- **Chapter 1** (pp. 1-2) {_OF_ONE}\n- **Chapter 2** (pp. 3-4)" in text
    assert _OF_TWO in text
    assert "You stopped at: " in text
    assert "pages 1 to 2 of the book" in _asked(model, 0)
    assert "the pages 1 to 2 have been read" in _sent(model, 0)
    assert "ledger" not in _sent(model, 0)
    model.done()


async def test_it_is_paid_once_for_the_whole_club() -> None:
    house, model = await _house(_OF_ONE, _OF_TWO)
    first = await house.use("recap")
    assert (await house.use("recap", by=BO)).text == first.text
    assert _OF_TWO in (await house.use("recap", "ch 2", by=BO)).text
    assert (await house.use("recap", "here")).announcement == first.text
    model.done()


async def test_nobody_at_an_earlier_page_is_shown_what_was_written_for_a_later_one() -> None:
    house, model = await _house(_OF_ONE, _OF_TWO, "At dawn the ferry left (p. 1).", position=1)
    await house.use("mypage", "4")
    assert _OF_TWO in (await house.use("recap")).text
    behind = (await house.use("recap", by=BO)).text
    assert "At dawn the ferry left (p. 1)." in behind
    assert _OF_ONE not in behind
    model.done()


@pytest.mark.parametrize(
    ("draft", "drafts"),
    [
        ("The magistrate did it.", 2),
        ("It ends badly (p. 6).", 2),
        ("The pages do not tell.", 1),
        (" ".join(["much"] * 70) + " (p. 2).", 1),
    ],
)
async def test_what_is_no_sentence_about_the_chapter_gives_the_books_own_and_is_not_tried_again(
    draft: str, drafts: int
) -> None:
    house, model = await _house(*[draft] * drafts, position=2)
    house.guard.leaking["magistrate"] = 6
    text = (await house.use("recap")).text
    assert draft not in text
    assert "“" in text
    assert (await house.use("recap")).text == text
    model.done()


async def test_notes_of_these_pages_go_along_marked_as_notes() -> None:
    house, model = await _house(_OF_ONE, position=2)
    (book,) = await house.books.in_scope(scope="discord:1")
    await house.notes.replace(book.book_id, [Note(page=n, text=f"Told on {n}.") for n in (2, 3)])
    await house.use("recap")
    assert "not the book's words:\n[p. 2] Told on 2." in _asked(model, 0)
    assert "Told on 3." not in _asked(model, 0)


async def test_questions_stand_behind_quotations_that_are_ones_and_before_the_frames() -> None:
    house, model = await _house(_QUESTIONS, position=2)
    shown = await house.use("discuss")
    assert shown.text.startswith(
        "**1.**\n> None of his clocks ever agreed. (p. 2)\nWhat do clocks that disagree say about Tobias?\n\n"
        "**2.**\n> Ada Lindqvist carried a brass compass in her coat. (p. 1)\nWhat would you carry?\n\n**3.**"
    )
    assert "noon" not in shown.text
    assert (await house.use("discuss", by=BO)).text == shown.text
    model.done()


async def test_a_member_adds_a_question_for_whoever_has_read_as_far() -> None:
    house, _ = await _house(_QUESTIONS, "no question", position=2)
    kept = await house.use("discuss", "add Why does Tobias keep seven clocks?")
    assert kept.text == "Saved. `/discuss` shows it to anyone who has read this far.\n\n(up to p. 2)"
    assert kept.announcement == ""
    assert (await house.use("discuss", by=BO)).text.startswith(
        "**1.** Why does Tobias keep seven clocks? (a member asks)\n\n**2.**\n> None"
    )
    await house.use("mypage", "1", by=BO)
    assert "seven clocks" not in (await house.use("discuss", by=BO)).text


@pytest.mark.parametrize(
    "text",
    [
        "Did the Magistrate do it?",
        "Is Zork real?",
        "Why does Compass betray them?",
        "Compass lies: why?",
    ],
)
async def test_a_name_that_no_read_page_has_is_refused_whether_it_comes_later_or_not(text: str) -> None:
    house, _ = await _house(position=2)
    refused = await house.use("discuss", f"add {text}")
    assert refused.text.startswith("I didn't save that one")
    assert await house.rows(ClubTextRow) == []


async def test_a_question_that_tells_what_comes_later_is_kept_for_the_end_and_nobody_hears_so() -> None:
    house, _ = await _house(_QUESTIONS, "no question", position=2)
    house.guard.leaking["drowned"] = 6
    guessed, harmless = [await house.use("discuss", f"add Who {did} the pilot?") for did in ("drowned", "painted")]
    assert guessed == harmless
    shown = (await house.use("discuss")).text
    assert ("painted" in shown, "drowned" in shown) == (True, False)
    assert [each.last_page for each in await house.rows(ClubTextRow) if each.kind == TextKind.ADDED] == [6, 2]
