"""`edition`, `calibrate`, and page numbers of other copies wherever a page is said."""

import pytest

from core.domain.errors import NotPermittedError, PositionError
from core.domain.thread import Thread
from tests.builders import ADA, BO, a_book_text
from tests.unit.club_house import House
from tests.unit.world import THREAD

ALONE = Thread(scope="discord:dm:m_ada", place="dm", thread="t1")
_PAGES = [f"On page {number} the shepherd met traveller number {number}." for number in range(1, 201)]


async def _club(*, position: int | None = None, thread: Thread = THREAD) -> tuple[House, str]:
    """A thread on a book of 200 pages."""
    house = House()
    book = await house.add_book(a_book_text(_PAGES, title="The Hill"), scope=thread.scope)
    return house, (await house.reading(thread, position=position, book=book)).reading_id


async def test_pages_of_ones_own_copy_are_converted_in_what_one_says() -> None:
    house, reading_id = await _club()
    noted = await house.use("edition", "400")
    assert noted.announcement == ""
    assert noted.text == (
        "Your copy: 400 pages. `/setpage` and `/mypage` go by its numbers now: its p. 200 is about p. 99 "
        "here. I round down."
    )
    own = await house.use("mypage", "200")
    assert own.text.startswith("Your own page is set: up to p. 99, about p. 200 of your copy. That copy's p. 200 is")
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 99
    moved = await house.use("setpage", "p. 100")
    assert moved.announcement == "Ada set the thread to p. 49 (24 %)."
    assert moved.text.startswith("That copy's p. 100 is about p. 49 here; I round down. The last words")
    assert (await house.use("setpage", "p. 100", by=BO)).text.startswith("From p. 49 to p. 100 of 200 is a big leap.")


@pytest.mark.parametrize(("said", "position"), [("50%", 94), ("end", 200), ("0", 0), ("reset", None)])
async def test_what_is_no_page_number_is_the_same_in_every_copy(said: str, position: int | None) -> None:
    house, reading_id = await _club()
    await house.use("edition", "400")
    await house.use("mypage", said)
    assert await house.clubs.member_position(reading_id, ADA.member_id) == position


async def test_the_clubs_copy_is_for_all_who_have_none_of_their_own() -> None:
    house, _ = await _club()
    with pytest.raises(NotPermittedError, match="`/edition club` is for organisers"):
        await house.use("edition", "club 400", by=BO)
    told = await house.use("edition", "club 400", organiser=True)
    assert told.text.startswith("The club's copy: 400 pages.")
    await house.use("setpage", "200", by=BO)
    assert await house.page_for_all() == 99
    await house.use("edition", "100 first 1", by=BO)
    await house.use("setpage", "50", by=BO)
    assert await house.page_for_all() == 99
    assert (await house.use("edition", "club", by=BO)).text.startswith("The club's copy: 400 pages.")
    own = await house.use("mypage", "200")
    assert own.text.startswith("Your own page is set: up to p. 99. That copy's p. 200 is")


@pytest.mark.parametrize(
    ("said", "why"),
    [("312x", "don't understand"), ("12 first 20", "A copy has 1 to"), ("0", "A copy has")],
)
async def test_a_copy_that_cannot_be_is_refused_and_nothing_is_kept(said: str, why: str) -> None:
    house, reading_id = await _club()
    with pytest.raises(PositionError, match=why):
        await house.use("edition", said)
    assert await house.places.edition(reading_id, ADA.member_id) is None


async def test_the_last_words_set_ones_own_page_and_offer_it_to_all() -> None:
    house, reading_id = await _club(position=30)
    told = await house.use("calibrate", "“the shepherd met traveller number 40”")
    assert told.announcement == ""
    assert told.text.startswith("These words are on p. 40. Your own page is set: up to p. 40. Use `/calibrate p. 81`")
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 40
    assert await house.page_for_all() == 30
    (for_all,) = told.choices
    assert (await house.press(for_all)).announcement == "Ada moved the thread from p. 30 to p. 40 (20 %)."


async def test_from_two_places_on_the_pages_of_a_copy_are_known() -> None:
    house, reading_id = await _club()
    first = await house.use("calibrate", "p. 80: the shepherd met traveller number 40.")
    assert "That's p. 80 of your copy. One more place like this" in first.text
    with pytest.raises(PositionError, match="I don't know your copy's numbers well enough"):
        await house.use("mypage", "100")
    second = await house.use("calibrate", "p. 100: the shepherd met traveller number 50.")
    assert second.text.endswith("That's p. 100 of your copy. I go by its numbers.")
    await house.use("mypage", "90")
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 44


async def test_several_places_are_offered_and_the_one_that_is_chosen_counts() -> None:
    house = House()
    pages = [f"{text} The bell rang over the quay." for text in "abcdefgh"]
    book = await house.add_book(a_book_text(pages, title="Bells"))
    conversation = await house.reading(position=2, book=book)
    asked = await house.use("calibrate", "p. 12: the bell rang over the quay")
    assert [choice.label for choice in asked.choices] == ["p. 1", "p. 2", "p. 3", "p. 4"]
    toll = "The bell rang over the quay"
    assert asked.text.splitlines()[1:] == [
        f"p. 1: “… a {toll}”",
        f"p. 2: “… a {toll}. b {toll}”",
        f"p. 3: “… a {toll}. b {toll}. c {toll}”",
        f"p. 4: “… the quay. b {toll}. c {toll}. d {toll}”",
    ]
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) is None
    told = await house.press(asked.choices[2])
    assert "up to p. 3" in told.text
    assert await house.clubs.member_position(conversation.reading_id, ADA.member_id) == 3
    edition = await house.places.edition(conversation.reading_id, ADA.member_id)
    assert edition is not None
    assert [point.page for point in edition.points] == [12]


async def test_words_that_are_a_leap_ahead_are_told_like_words_that_are_nowhere() -> None:
    house = House()
    pages = [*_PAGES[:149], "At dawn the miller buried his seven spoons.", *_PAGES[150:]]
    reading_id = (await house.reading(position=10, book=await house.add_book(a_book_text(pages)))).reading_id
    told = []
    for words in ("the miller buried his seven spoons", "the miller drowned in the well that night"):
        with pytest.raises(PositionError) as refused:
            await house.use("calibrate", f"p. 300 {words}")
        told.append(str(refused.value))
    assert told[0] == told[1]
    assert "`/mypage`" in told[0]
    assert await house.places.edition(reading_id, ADA.member_id) is None


async def test_a_private_answer_names_the_page_of_ones_own_copy() -> None:
    house, _ = await _club()
    await house.use("edition", "400")
    await house.use("mypage", "200")
    answer = await house.use("ask", "Who met traveller number 7?")
    assert answer.text.endswith("(up to p. 99, about p. 200 of your copy)")
    assert (await house.use("where")).announcement.startswith("The Hill, 200 pages: no page set.")


async def test_labels_are_shown_and_taken_where_the_book_has_them() -> None:
    house = House()
    labels = ["i", "ii", *(str(number) for number in range(1, 19))]
    book = await house.add_book(a_book_text(_PAGES[:20], title="Labelled", labels=labels))
    conversation = await house.reading(position=None, book=book)
    assert (await house.use("setpage", "ii")).announcement == "Ada set the thread to p. ii (10 %)."
    asked = await house.use("setpage", "p. 10")
    assert asked.text == "From p. ii to p. 10 of 20 is a big leap. Is that right?"
    assert asked.choices[0].label == "Yes, p. 10"
    assert asked.choices[0].text == f"{conversation.reading_id}|2|12"
    assert (await house.press(asked.choices[0])).announcement == "Ada moved the thread from p. ii to p. 10 (60 %)."
    assert (await house.use("where")).announcement == "▓▓▓▓▓▓░░░░ 60 %\nLabelled, 20 pages: up to p. 10."
    assert "up to p. 3" in (await house.use("mypage", "3")).text
    assert "These words are on p. 4" in (await house.use("calibrate", "met traveller number 6")).text
    with pytest.raises(PositionError, match="labels run from i to 18"):
        await house.use("setpage", "19")


async def test_kindle_locations_are_converted_in_what_one_says() -> None:
    house, reading_id = await _club()
    with pytest.raises(
        PositionError, match=r"how many locations your copy has: `/edition 5200 locations`, or say `45%`"
    ):
        await house.use("mypage", "loc 1234")
    noted = await house.use("edition", "4000 locations")
    assert noted.text == (
        "Your copy: 4000 locations. `/setpage` and `/mypage` go by its numbers now: its loc 2000 is about p. 99 here. "
        "I round down."
    )
    own = await house.use("mypage", "Kindle location 2000")
    assert "up to p. 99, about loc 2000 of your copy. That copy's loc 2000 is about p. 99 here" in own.text
    await house.use("mypage", "p. 120")
    assert await house.clubs.member_position(reading_id, ADA.member_id) == 120
    asked = await house.use("mypage", "80")
    assert [choice.label for choice in asked.choices] == ["p. 80", "Loc 80: p. 3"]


async def test_the_time_of_an_audiobook_is_converted_with_a_wider_margin() -> None:
    house, reading_id = await _club()
    with pytest.raises(PositionError, match=r"how long your audiobook is: `/edition 9h30`, or say `45%`"):
        await house.use("mypage", "2 hours left")
    noted = await house.use("edition", "audiobook 10:00")
    assert noted.text == (
        "Your copy: 10h00. `/setpage` and `/mypage` go by its numbers now: its 5h00 is about p. 95 here. I round down. "
        "Speeds vary, so I stay about 5 pages behind; chapters (`/edition ch 5 at 1h10`) make it less."
    )
    for said, position in (("5h", 95), ("5 hours left", 95), ("5:00:59", 95), ("5h of 20h", 45), ("5:00", 95)):
        asked = await house.use("mypage", said)
        if said == "5:00":
            assert [choice.label for choice in asked.choices] == ["5h00: p. 95", "0h05: the beginning"]
        else:
            assert await house.clubs.member_position(reading_id, ADA.member_id) == position
