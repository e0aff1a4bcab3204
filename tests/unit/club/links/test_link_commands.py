"""Two clubs agree to read as one: what each organiser is shown, what is refused, and what the other club hears."""

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest

from core.club.commands.values import CommandResponse
from core.club.links.link_news import LinkNews
from core.club.timers.due import DueMessage
from core.domain.club_link import AGREED_WITHIN, CODE_HOLDS, LINK_NEWS
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.scopes import LOCAL_SCOPE
from core.domain.thread import Thread
from tests.builders import a_book_text
from tests.unit.club_house import CHANNEL, House

_THERE = Thread(scope="slack:T1", place="C1", thread="")
_CODE = re.compile(r"\d+(?:-[2-9A-Z]{4}){3}")
_PAGES = [f"This is page {number}." for number in range(1, 101)]


class Houses(House):
    """One house with a club on Discord and another in Slack."""

    async def begin(self, *, here: str | None = "2", there: str | None = None, title: str = "A Book") -> None:
        """Let one club read a book of a hundred pages, and the other one too if it stands somewhere."""
        for place, page, name in ((CHANNEL, here, "A Book"), (_THERE, there, title)):
            if page is not None or place == CHANNEL:
                book = await self.add_book(a_book_text(_PAGES, title=name), scope=place.scope)
                reading = await self.readings.get_or_create(scope=place.scope, place=place.place, book_id=book.book_id)
                if page:
                    await self.move(reading.reading_id, int(page))

    async def link(self, text: str = "", *, thread: Thread = CHANNEL, organiser: bool = True) -> CommandResponse:
        return await self.use("club", text, thread=thread, organiser=organiser)

    async def code(self) -> str:
        found = _CODE.search((await self.link("link")).text)
        assert found is not None
        return found[0]

    async def join(self) -> None:
        """Let both organisers say yes."""
        shown = await self.link(f"link {await self.code()}", thread=_THERE)
        await self.press(shown.choices[0], thread=_THERE, organiser=True)
        (asked,) = await self.news(CHANNEL)
        await self.press(asked.choices[0], thread=CHANNEL, organiser=True)

    async def news(self, place: Thread) -> Sequence[DueMessage]:
        """Tell a club what there is to tell."""
        kind = LinkNews(
            links=self.links,
            readings=self.readings,
            books=self.books,
            schedules=self.schedules,
            threads=self.threads,
            clock=self.clock,
        )
        timers = await self.timers.waiting(thread=place, kind=LINK_NEWS)
        await self.timers.cancel(thread=place, kind=LINK_NEWS)
        return [message for timer in timers for message in await kind.due(timer)]

    async def told(self, place: Thread) -> list[str]:
        return [message.text for message in await self.news(place)]

    async def pages(self) -> list[int | None]:
        found = [await self.threads.place(place) for place in (CHANNEL, _THERE)]
        return [one.standing.reading.current_page if one else None for one in found]


async def test_who_takes_a_code_up_sees_what_would_be_one_and_whoever_gave_it_is_asked_last() -> None:
    house = Houses()
    await house.begin(here="30", there="20")
    shown = await house.link(f"link {await house.code()}", thread=_THERE)
    assert shown.text.startswith("That's the code of a club on Discord. Together you would read A Book by E. Hale. ")
    assert "Both clubs would be at p. 20." in shown.text
    assert [choice.label for choice in shown.choices] == ["Read together", "No"]
    assert (await house.link()).text == "The other club has used this club's code but hasn't confirmed yet."
    again = await house.link(thread=_THERE)
    assert (again.text, again.choices) == (shown.text, shown.choices)
    await house.press(shown.choices[0], thread=_THERE, organiser=True)
    assert (await house.link(thread=_THERE)).text.startswith("You said yes")
    (asked,) = await house.news(CHANNEL)
    assert asked.member_id == "m_ada"
    assert asked.text.startswith("An organiser of a club in Slack used your code")
    assert "Both clubs would be at p. 20, the lower of your two pages. Yours is p. 30 now." in asked.text
    assert await house.pages() == [30, 20]
    assert (await house.link()).choices == asked.choices
    await house.press(asked.choices[0], thread=CHANNEL, organiser=True)
    assert await house.pages() == [20, 20]
    for place, other in ((CHANNEL, "in Slack"), (_THERE, "on Discord")):
        (told,) = await house.told(place)
        assert told.startswith(f"**You now read A Book together with the club {other}.** You're at p. 20.")
        assert f"reads together with one {other}, since" in (await house.link(thread=place)).text


async def test_both_organisers_know_before_they_say_yes_that_the_text_itself_crosses_and_stays() -> None:
    house, crosses = Houses(), "Each club gets a copy of what you read together, and keeps it when you part."
    await house.begin()
    shown = await house.link(f"link {await house.code()}", thread=_THERE)
    assert crosses in shown.text
    await house.press(shown.choices[0], thread=_THERE, organiser=True)
    (asked,) = await house.news(CHANNEL)
    assert crosses in asked.text


@pytest.mark.parametrize("typed", ["link", "link 1-2222-2222-2222", "unlink"])
async def test_only_organisers_join_and_part_clubs(typed: str) -> None:
    house = Houses()
    await house.begin()
    with pytest.raises(NotPermittedError, match="Only organisers"):
        await house.link(typed, organiser=False)
    assert "reads on its own" in (await house.link(organiser=False)).text
    await house.code()
    assert "reads on its own" in (await house.link(organiser=False)).text
    for command in (".club-agree", ".club-join", ".club-decline"):
        with pytest.raises(NotPermittedError):
            await house.use(command, "1|x", thread=CHANNEL)


@pytest.mark.parametrize("scope", [LOCAL_SCOPE, "discord:dm:5", "slack:dm:T1:U5"])
async def test_who_reads_alone_is_told_so(scope: str) -> None:
    house = Houses()
    for typed in ("", "link", "link 1-2222-2222-2222"):
        told = await house.link(typed, thread=Thread(scope=scope, place="dm", thread="dm"))
        assert told.text.startswith("Only channels can read together")


async def test_a_code_that_does_not_hold_is_refused_in_the_same_words_whatever_the_reason() -> None:
    house = Houses()
    await house.begin()
    code = await house.code()
    wrong = f"{code[:-4]}{'2222' if not code.endswith('2222') else '3333'}"
    refusals = []
    for typed in (wrong, "99-2222-2222-2222", "please", "1-2222"):
        with pytest.raises(ThusfarError) as refused:
            await house.link(f"link {typed}", thread=_THERE)
        refusals.append(str(refused.value))
    fresh = await house.code()
    with pytest.raises(ThusfarError) as replaced:
        await house.link(f"link {code}", thread=_THERE)
    house.clock.advance(CODE_HOLDS)
    with pytest.raises(ThusfarError) as over:
        await house.link(f"link {fresh}", thread=_THERE)
    assert {*refusals, str(replaced.value), str(over.value)} == {
        "That code isn't valid. Codes work once, for 15 minutes."
    }


async def test_its_own_club_cannot_take_a_code_up_and_one_that_reads_nothing_gives_none() -> None:
    house = Houses()
    await house.begin()
    with pytest.raises(ThusfarError, match="own code"):
        await house.link(f"link {await house.code()}")
    with pytest.raises(ThusfarError, match="Choose a book first"):
        await house.link("link", thread=_THERE)


async def test_both_are_asked_anew_when_the_page_was_moved_meanwhile() -> None:
    house = Houses()
    await house.begin(here="20")
    shown = await house.link(f"link {await house.code()}", thread=_THERE)
    await house.use("setpage", "21", thread=CHANNEL)
    with pytest.raises(ThusfarError, match="out of date"):
        await house.press(shown.choices[0], thread=_THERE, organiser=True)
    again = await house.link(thread=_THERE)
    assert "p. 21" in again.text
    await house.press(again.choices[0], thread=_THERE, organiser=True)
    (asked,) = await house.news(CHANNEL)
    await house.use("setpage", "22", thread=CHANNEL)
    with pytest.raises(ThusfarError, match="out of date"):
        await house.press(asked.choices[0], thread=CHANNEL, organiser=True)
    assert await house.links.link_of(CHANNEL) is None


async def test_what_is_not_agreed_to_within_a_day_is_over() -> None:
    house = Houses()
    await house.begin()
    shown = await house.link(f"link {await house.code()}", thread=_THERE)
    house.clock.advance(AGREED_WITHIN + timedelta(seconds=1))
    with pytest.raises(ThusfarError, match="out of date"):
        await house.press(shown.choices[0], thread=_THERE, organiser=True)


async def test_a_no_of_either_changes_nothing() -> None:
    house = Houses()
    await house.begin()
    shown = await house.link(f"link {await house.code()}", thread=_THERE)
    told = await house.press(shown.choices[1], thread=_THERE, organiser=True)
    assert told.text == "Nothing has changed. Each club reads on its own."
    with pytest.raises(ThusfarError):
        await house.press(shown.choices[0], thread=_THERE, organiser=True)


async def test_the_stricter_rule_of_both_says_who_moves_the_page_of_both() -> None:
    house = Houses()
    await house.begin()
    await house.join()
    await house.use("pagecontrol", "organisers", thread=_THERE, organiser=True)
    with pytest.raises(NotPermittedError, match="the club that reads with yours"):
        await house.use("setpage", "5", thread=CHANNEL)
    await house.use("setpage", "5", thread=CHANNEL, organiser=True)
    assert await house.pages() == [5, 5]
    await house.use("setpage", "9", thread=Thread(scope=CHANNEL.scope, place=CHANNEL.place, thread="t"))
    assert await house.pages() == [5, 5]  # a thread's own page is its club's alone
    await house.link("unlink", thread=_THERE)
    await house.use("setpage", "6", thread=CHANNEL)
    assert await house.pages() == [6, 5]


@pytest.mark.parametrize(
    ("said", "is_command"),
    [
        ("club", True),
        ("club link", True),
        ("club unlink", True),
        ("club link 7-2345-ABCD-EFGH", True),
        ("club link 7 2345", True),
        ("club foot of the captain", False),
        ("club link between the two brothers?", False),
    ],
)
def test_a_question_that_begins_with_club_is_one(*, said: str, is_command: bool) -> None:
    assert (House().commands.said(said) is not None) is is_command
