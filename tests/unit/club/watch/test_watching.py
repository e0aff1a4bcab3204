"""Who is nudged: members further than their thread alone, when it is certain, alone, and once a day."""

from dataclasses import replace
from datetime import date, time, timedelta

import pytest
from typing_extensions import override

from core.club.hearing import addressing
from core.club.watch.watching import Nudge
from core.domain.book import Book
from core.domain.conversation import AskedAs, Author
from core.domain.position import Position
from core.domain.question import IncomingMessage
from core.domain.schedule import DatedSection, Schedule
from core.domain.thread import Thread
from core.understanding.listening import Addressing
from tests.builders import ADA, BO
from tests.unit.club_house import House
from tests.unit.meant import meaning
from tests.unit.watched import IN_THREAD, WatchedClub
from tests.unit.world import OTHER_THREAD, THREAD

_LEAK = "I never trusted the magistrate"
_PAGE = 2


class Club(WatchedClub):
    """A club at page 2 of six in which Ada says of herself that she is at page 5, and a magistrate comes on page 5."""

    def __init__(self, *, has_model: bool = False) -> None:
        house = House()
        house.guard.leaking = {"magistrate": 5, "chapel": 6}
        super().__init__(house, house.guard, has_model=has_model)

    @override
    async def open(
        self, *, page: Position = _PAGE, own_page: Position = 5, on: bool = True, book: Book | None = None
    ) -> None:
        await super().open(page=page, own_page=own_page, on=on, book=book)

    @override
    async def says(
        self, text: str = _LEAK, *, by: Author = ADA, heard: Addressing = IN_THREAD, thread: Thread = THREAD
    ) -> Nudge | None:
        return await super().says(text, by=by, heard=heard, thread=thread)


@pytest.fixture
def club() -> Club:
    return Club()


async def test_a_member_who_is_further_is_told_the_threads_page(club: Club) -> None:
    await club.open()
    nudge = await club.says()
    assert nudge == Nudge(page="p. 2")
    assert nudge.text(here="this thread", hides_by="", there="") == (
        "You've read further than this thread (p. 2). You may want to change what you wrote. Only you see this."
    )


@pytest.mark.parametrize("own_page", [None, 0, 1, 2])
async def test_who_is_no_further_is_never_told_anything(club: Club, own_page: int | None) -> None:
    await club.open(own_page=own_page)
    assert await club.says() is None
    assert (await club.nudged(), club.house.guard.looked_at) == ([], [])


async def test_what_lies_beyond_the_members_own_page_is_a_guess_to_them(club: Club) -> None:
    await club.open(own_page=5)
    assert await club.says("I bet it happens in the chapel") is None


@pytest.mark.parametrize(
    "text",
    [
        "||I never trusted the magistrate||",
        "> I never trusted the magistrate",
        "I like the ferry",
        "@magistrate are you coming?",
        "",
    ],
)
async def test_what_is_hidden_quoted_or_told_by_nobody_is_left_alone(club: Club, text: str) -> None:
    await club.open()
    assert await club.says(text) is None


@pytest.mark.parametrize(
    "heard",
    [
        Addressing(in_thread=True, mentions_bot=True),
        Addressing(in_thread=True, replies_to_bot=True),
        Addressing(is_direct=True),
    ],
)
async def test_what_is_said_to_the_bot_is_left_alone(club: Club, heard: Addressing) -> None:
    await club.open()
    assert await club.says(heard=heard) is None


async def test_a_question_that_the_thread_hears_is_left_alone(club: Club) -> None:
    await club.open()
    assert await club.says("Who is the magistrate and what did he do?") is None
    assert club.asked in {AskedAs.LIKELY, AskedAs.YES}


async def test_what_only_may_be_a_question_is_looked_at_unless_it_has_the_mark_of_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_doubt = replace(meaning("Who is the magistrate?"), addressed=AskedAs.PERHAPS)
    monkeypatch.setattr(addressing, "understand", lambda *_said, **_options: in_doubt)
    club = Club(has_model=True)
    await club.open()
    await club.says("has everybody begun?")
    assert await club.says("the magistrate and his glove?") is None
    assert club.asked is AskedAs.PERHAPS
    assert await club.says("the magistrate and his glove") is not None
    assert club.asked is AskedAs.PERHAPS


async def test_nobody_is_told_where_it_is_off(club: Club) -> None:
    await club.open(on=False)
    assert await club.says() is None
    assert club.house.guard.looked_at == []
    await club.house.use("watch", "on", organiser=True)
    assert await club.says() is not None


@pytest.mark.parametrize("meanwhile", ["switched off", "moved on", "not moved"])
async def test_what_counts_is_how_things_stand_when_a_post_is_looked_at(club: Club, meanwhile: str) -> None:
    await club.open()
    await club.hearing.hear(IncomingMessage(thread=THREAD, author=ADA, text=_LEAK, ref="waits"), IN_THREAD)
    post = club.watch.take("waits")
    assert post is not None
    if meanwhile == "switched off":
        await club.house.use("watch", "off", organiser=True)
    elif meanwhile == "moved on":
        await club.house.moved("5")
    assert (await club.watch.nudge(post) is not None) is (meanwhile == "not moved")


async def test_once_a_day_and_each_member_for_themselves(club: Club) -> None:
    await club.open()
    await club.stand(6, member=BO)
    assert await club.says() is not None
    assert await club.says() is None
    assert await club.says(by=BO) is not None
    club.house.clock.advance(timedelta(hours=23))
    assert await club.says() is None
    club.house.clock.advance(timedelta(hours=1))
    assert await club.says() is not None


async def test_where_no_page_is_set_nobody_is_further(club: Club) -> None:
    await club.open(page=None)
    assert await club.says() is None


@pytest.mark.parametrize(
    ("own_page", "at", "section"), [(5, 5, 3), (5, 6, 3), (6, 6, 3), (6, 5, None), (5, 4, None), (5, None, None)]
)
async def test_a_sections_thread_is_named_where_it_has_room_for_all_that_the_member_has_read(
    club: Club, own_page: int, at: int | None, section: int | None
) -> None:
    await club.open(own_page=own_page)
    house = club.house
    first, last = [
        DatedSection(number=number, first_page=page, last_page=to, day=date(2026, 3, number), thread=thread)
        for number, page, to, thread in ((1, 1, 2, THREAD.thread), (3, 3, 6, OTHER_THREAD.thread))
    ]
    kept = Schedule(at=time(19), zone="UTC", weeks=1, sections=(first, last))
    await house.kept_schedules.keep(club.reading_id, kept)
    other = await house.threads.club(OTHER_THREAD)
    await house.readings.move(other.owner, at, member_id="x")
    nudge = await club.says()
    assert nudge is not None
    assert (nudge.section, nudge.thread) == (section, OTHER_THREAD.thread if section else "")
