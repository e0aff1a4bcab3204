"""What goes to a model of the club with a question: only what it wants, and only what all readers may see there."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.book import Chapter
from core.domain.conversation import AskedAs, Author, Line
from core.domain.question import IncomingMessage
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.guard.guard import SpoilerGuard
from core.understanding.understand import understand
from tests.builders import ADA, BO, a_book_text, says
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.fakes.fixtures import Scripted
from tests.unit.club_house import House
from tests.unit.world import THREAD

_PAGES = [
    f"Page {number} tells of the tide. Ivo Marsh said nothing. “Come,” said Ivo Marsh." if number < 9 else
    f"Page {number}: Colin Verne said it. “Colin Verne,” said Colin Verne, and went."
    for number in range(1, 13)
]  # fmt: skip
_CHAPTERS = [Chapter(number=n, title=f"The Secret {n}", first_page=4 * n - 3, last_page=4 * n) for n in (1, 2, 3)]
_PLAN = "3 weeks from 2 March 2026, Sundays 19:00 Europe/Berlin"
_SCHEDULE = (
    "[Schedule of the club, 3 sections, each with its last page: section 1 (p. 4) by Sunday, 8 March; 2 (p. 8) by "
    "Sunday, 15 March; 3 (p. 12) by Sunday, 22 March; always at 19:00. It is Friday, 27 February 2026, 01:00.]"
)


class Club(House):
    """A house at the end of February, in a book where one person is met on page 1 and another on page 9."""

    async def begin(self, position: int = 6) -> None:
        self.clock.advance(datetime(2026, 2, 27, tzinfo=UTC) - self.clock.now())
        await self.reading(position=position, book=await self.add_book(a_book_text(_PAGES, chapters=_CHAPTERS)))

    async def plan(self) -> None:
        (button,) = (await self.use("schedule make", _PLAN, organiser=True)).choices
        await self.press(button, organiser=True)

    async def leave(self, text: str, *, opens_at: int, kind: SealedItemKind = SealedItemKind.PREDICTION) -> SealedItem:
        club = await self.threads.club(THREAD)
        item = SealedItem(
            reading_id=club.reading_id,
            kind=kind,
            member_id=BO.member_id,
            member_name="Bo",
            text=text,
            made_at=2,
            opens_at=opens_at,
        )
        return await self.sealed_items.keep(item)

    async def sent(self, text: str, *, by: Author = ADA, page: int | None = None) -> str:
        """Ask something; return the message that went to the model."""
        model = ScriptedChatProvider(says("Hm."))
        book_id = (await self.threads.club(THREAD)).book.book_id if page is not None else None
        message = IncomingMessage(thread=THREAD, author=by, text=text, page=page, book_id=book_id)
        await self.answer_message(model).answer(message)
        return model.asked[0].messages[-1].said


@pytest.fixture
async def club() -> Club:
    club = Club()
    await club.begin()
    return club


async def test_a_question_of_dates_has_the_schedule_as_members_see_it(club: Club) -> None:
    await club.plan()
    assert (await club.sent("Is chapter 2 a good stop for Sunday?")).endswith(f"Sunday?\n{_SCHEDULE}")
    assert "Secret 3" not in await club.sent("What do we read by next Sunday?")


async def test_no_other_question_has_the_schedule(club: Club) -> None:
    await club.plan()
    assert "Schedule" not in await club.sent("Why did Ivo Marsh say nothing?")


async def test_without_a_schedule_nothing_is_said_of_one(club: Club) -> None:
    assert "Schedule" not in await club.sent("Is chapter 2 a good stop for Sunday?")


async def test_of_the_sections_past_only_the_last_goes_along(club: Club) -> None:
    await club.plan()
    club.clock.advance(datetime(2026, 3, 16, tzinfo=UTC) - club.clock.now())
    sent = await club.sent("Is chapter 2 a good stop for Sunday?")
    assert "section 2 (p. 8) by Sunday, 15 March; 3 (p. 12) by Sunday, 22 March; always" in sent


@pytest.mark.parametrize("text", ["Who is who?", "What happened so far?", "Is Ivo Marsh a good leader, do you think?"])
async def test_who_was_met_goes_with_questions_of_people(club: Club, text: str) -> None:
    assert (await club.sent(text)).endswith("\n[Met so far, and where first: Marsh (p. 1)]")


@pytest.mark.parametrize("text", ["Who is Ivo Marsh?", "Why is the tide so low?", "Thanks!"])
async def test_no_other_question_has_them(club: Club, text: str) -> None:
    assert "Met so far" not in await club.sent(text)


async def test_a_prediction_goes_along_once_it_is_open_and_asked_for(club: Club) -> None:
    await club.leave("Ivo Marsh will talk.", opens_at=6)
    await club.leave("The tide will turn.", opens_at=7)
    asked = "What do you think of our predictions?"
    assert "[Predictions of members, by page: Bo (p. 6) “Ivo Marsh will talk.”]" in await club.sent(asked)
    assert "Ivo Marsh will talk" not in await club.sent("Why is the tide so low?")
    await club.moved("5")
    assert "will" not in (await club.sent(asked)).partition("The message:")[2]


async def test_what_tells_of_unread_pages_stays_away_though_it_is_open(club: Club) -> None:
    club.guard.leaking["Verne"] = 9
    await club.leave("Verne did it.", opens_at=6)
    await club.leave("He drowns on p. 11.", opens_at=6)
    item = await club.leave("The tide did it.", opens_at=6)
    await club.sealed_items.keep(replace(item, text="He drowns.", had_read_further=True))
    sent = await club.sent("What do you think of our predictions?")
    assert "[Predictions of members, by page: Bo (p. 6) “The tide did it.”]" in sent


async def test_a_quote_goes_along_where_quotes_are_asked_for(club: Club) -> None:
    await club.leave("Ivo Marsh said nothing.", opens_at=3, kind=SealedItemKind.QUOTE)
    await club.leave("Colin Verne said it.", opens_at=9, kind=SealedItemKind.QUOTE)
    sent = await club.sent("Which of the quotes is funny?")
    assert sent.endswith("[Quotes of members, by page: Bo (p. 3) “Ivo Marsh said nothing.”]")


async def test_an_answer_at_an_own_page_knows_where_the_others_are_but_nothing_sealed_there(club: Club) -> None:
    await club.leave("The tide will turn.", opens_at=7)
    await club.use("mypage", "8")
    sent = await club.sent("What do you think of our predictions?", page=8)
    assert "[Only Ada sees this answer. The others have read to p. 6.]" in sent
    assert "The tide will turn" not in sent


async def test_nobody_hears_how_far_a_member_is_who_asks_before_all(club: Club) -> None:
    await club.use("mypage", "5")
    await club.use("ask", "here")
    assert "p. 5." not in (await club.sent("Why is the tide so low?")).partition("The message:")[2]


async def test_a_schedule_can_be_talked_about_though_its_pages_are_unread(club: Club, scripted: Scripted) -> None:
    await club.plan()
    said = "For Sunday it's section 1, Ada; the last one runs to p. 12. It ends with a kiss (p. 11)."
    message = IncomingMessage(thread=THREAD, author=ADA, text="Is chapter 1 a good stop for Sunday?")
    reply = await club.answer_message(scripted(says(said))).execute(message)
    assert reply.text == "For Sunday it's section 1, Ada; the last one runs to p. 12."


async def test_a_place_weighed_against_the_dates_and_a_correction_are_for_the_model() -> None:
    house = House(ScriptedChatProvider())
    for text, command in (
        ("Is chapter 2 a good stop for Sunday?", None),
        ("When do we meet next?", ("schedule show", "")),
    ):
        meaning = understand(Line(text=text, mentions_bot=True))
        assert meaning.addressed is AskedAs.YES
        assert house.commands.said(text, meaning) == command
        assert House().commands.said(text, meaning) == ("schedule show", "")
    assert understand(Line(text="No, that was her brother.", mentions_bot=True)).needs_model


@pytest.mark.parametrize(("name", "shown"), [("Colin", "Colin"), ("Quillon", "A member"), ("Ivo", "Ivo")])
async def test_members_keep_their_names_where_people_have_such(club: Club, name: str, shown: str) -> None:
    club.guard.leaking |= {"Colin": 9, "Quillon": 9}
    sent = await club.sent("Why is the tide so low?", by=Author(member_id="discord:9", display_name=name))
    assert f"\n\n{shown}: Why is the tide so low?" in sent


@pytest.mark.parametrize("name", ["Colin", "Ivo"])
async def test_an_answer_may_speak_to_a_member_who_is_called_like_somebody_in_the_book(club: Club, name: str) -> None:
    guard, book = SpoilerGuard(books=club.books), (await club.threads.club(THREAD)).book
    said = f"{name}, you asked of the tide: page 6 tells of it."
    asked = "What does it tell of?"
    spoken_to = await guard.judge(said, book=book, position=6, question=asked, speakers={name})
    assert not any(each.leaks for each in spoken_to.sentences)
    told = await guard.judge("Colin said it and went.", book=book, position=6, question=asked, speakers={name})
    assert any(each.leaks for each in told.sentences)
