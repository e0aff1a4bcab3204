"""A whole book lived through, from the suggestions to the archive, with a process of its own for each week.

The last assertion reads what was exported and holds it against what was done.
"""

import asyncio
import html
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from bot.platforms import platform_services
from bot.settings import Embeddings, Settings
from bot.wiring import Application, build
from tests.adapters.platform.conftest import staged
from tests.adapters.platform.stages import Bot, Message, Stage
from tests.bot.running import thusfar
from tests.fakes.clock import FrozenClock
from tests.property.clubs import line_of, the_book

_WEEKS: Final = 4
_WEEK: Final = timedelta(weeks=1)
_KINDS: Final = ("section", "quote")


class Life:
    """A club on a platform, and what it did, as its archive should have it."""

    def __init__(self, stage: Stage, clock: FrozenClock, home: Path) -> None:
        """Nothing has been done."""
        self.stage = stage
        self.clock = clock
        self.pages: list[int] = []
        self.quotes: list[tuple[str, str, int]] = []
        self.predictions: list[tuple[str, str, int]] = []
        self.questions: list[tuple[str, str, int]] = []
        self._home = home
        club = stage.club
        self.ada, self.ben, self.olga, self.cy = club.ada, club.ben, club.organiser, stage.newcomer("Cy")
        self.bot: Bot
        self.house: Application

    @asynccontextmanager
    async def process(self) -> AsyncIterator[None]:
        """A process over the one home, which ends before the next one begins."""
        self.house = build(Settings(thusfar_home=self._home, THUSFAR_EMBEDDINGS=Embeddings.NONE), clock=self.clock)
        try:
            async with self.stage.running(platform_services(self.house)) as self.bot:
                yield
                await self.bot.settled()
        finally:
            await self.house.close()

    async def week_passes(self) -> None:
        """Let a week pass, and work off what falls due in it at its moment."""
        end = self.clock.now() + _WEEK
        while moments := [moment for moment in await self._coming() if moment <= end]:
            self.clock.advance(max(min(moments) - self.clock.now(), timedelta()))
            await self.house.due.work_off(self.bot.served)
        self.clock.advance(end - self.clock.now())

    async def uses(self, words: str, text: str = "", *, by: Any) -> Any:
        """Use a command, until it is carried out."""
        used = self.stage.use(words, text, by=by)
        await self.stage.over(used, self.bot)
        return used

    async def presses(self, command: str, message: Message, *, by: Any) -> Any:
        """Press a button, until that is carried out."""
        used = self.stage.press(command, message, by=by)
        await self.stage.over(used, self.bot)
        return used

    async def public(self, words: str) -> Message:
        """Wait for the latest of what all see that holds some words."""
        return (await self.stage.wait_for(lambda: self._holding(self.stage.public, words)))[-1]

    async def alone(self, used: Any, by: Any, words: str) -> Message:
        """Wait for the latest of what somebody alone sees that holds some words."""
        shown = lambda: [*used.messages, *self.stage.told(by)]  # noqa: E731
        return (await self.stage.wait_for(lambda: self._holding(shown, words)))[-1]

    def shown(self, message: Message) -> str:
        """What a message says, without the marks of its platform."""
        return html.unescape(message.content.replace("\\", ""))

    def _holding(self, messages: Callable[[], Any], words: str) -> list[Message]:
        return [one for one in messages() if words in self.shown(one)]

    async def _coming(self) -> list[datetime]:
        place = self.stage.place()
        waiting = [timer for kind in _KINDS for timer in await self.house.timers.waiting(thread=place, kind=kind)]
        return [timer.due for timer in waiting]


async def _chooses_the_book(life: Life) -> None:
    """Three suggestions, a vote that is even, and one more among the two."""
    for member, title in ((life.ada, "The Bridge"), (life.ben, "Dracula"), (life.cy, "Emma by Jane Austen")):
        await life.uses("suggest", title, by=member)
    await life.uses("poll", "next", by=life.olga)
    poll = await life.public("What should we read next?")
    assert life.stage.labels(poll) == ["Dracula", "Emma (Jane Austen)", "The Bridge"]
    await life.presses(".choose:1|2", poll, by=life.ada)
    await life.presses(".choose:1|0", poll, by=life.ben)
    await life.uses("poll", "close", by=life.olga)
    again = await life.public("once more:")
    assert life.stage.labels(again) == ["Dracula", "The Bridge"]
    for member in (life.ada, life.ben, life.cy):
        await life.presses(".choose:2|1", again, by=member)
    await life.uses("poll", "close", by=life.olga)
    assert "The next book is *The Bridge*" in life.shown(await life.public("The next book is")).replace("**", "")


async def _begins(life: Life, file: bytes) -> None:
    """The book comes, with sections, their reminders, and a quote a week."""
    life.stage.share(None, "bridge.txt", file, text="book add The Bridge", by=life.olga)
    await life.stage.wait_for(lambda: [one for one in life.stage.told(life.olga) if "The Bridge" in one.content])
    await life.bot.settled()
    place = life.stage.place()
    (book,) = await life.house.library.in_scope(scope=place.scope)
    await life.house.threads.use(place, book_id=book.book_id)
    plan = await life.uses("schedule make", f"{_WEEKS} weeks Sundays 19:00 Europe/Berlin", by=life.olga)
    await life.presses(".schedule", await life.alone(plan, life.olga, "how I would divide"), by=life.olga)
    await life.uses("schedule remind", "on", by=life.olga)
    weekly = await life.uses("quotes", "on", by=life.olga)
    await life.alone(weekly, life.olga, "one of your quotes here each week")
    await life.uses("setpage", "0", by=life.olga)
    life.pages.append(0)


async def _reads(life: Life, week: int) -> None:
    """A week: its reminder moves the page, which opens what was left for it."""
    await life.week_passes()
    page = 2 * week
    await life.presses(".all-read", await life.public("It's time for"), by=life.olga)
    life.pages.append(page)
    line = await life.public(f"to p. {page} (")
    if week > 1:
        await life.presses(".prediction", line, by=life.ben)
        opened = await life.public(f"“Week {week - 1} ends badly”")
        for member in (life.ada, life.ben):
            voted = await life.presses(life.stage.pressable(opened)[0], opened, by=member)
            await life.alone(voted, member, "Your vote counts as right")


async def _leaves(life: Life, week: int) -> None:
    """What members leave in a week: a prediction, a quote, one out of somebody's message, a question."""
    page = 2 * week
    if week < _WEEKS:
        await life.uses("predict", f"Week {week} ends badly until p. {page + 2}", by=life.ada)
        life.predictions.append(("Ada", f"Week {week} ends badly", page + 2))
    if week == 1:
        kept = await life.uses("quote", line_of(6), by=life.ada)
        await life.alone(kept, life.ada, "I don't find these words in the pages you've read.")
        life.quotes.append(("Ada", line_of(6), 6))
    await life.uses("quote", line_of(page - 1), by=life.ben)
    await life.public(f"{line_of(page - 1)} (p. {page - 1})\nchosen by Ben")
    said = life.stage.chat(f"This one: “{line_of(page)}”. Brr!", by=life.ada)
    await life.stage.over(life.stage.choose("Quote this", said, by=life.cy), life.bot)
    await life.public(f"{line_of(page)} (p. {page})\nchosen by Cy")
    life.quotes += [("Ben", line_of(page - 1), page - 1), ("Cy", line_of(page), page)]
    asked = f"Who came over the bridge and asked for {line_of(page).split()[-3]}?"
    answer = await life.stage.answer_to(life.stage.ask(asked, by=life.cy))
    await life.bot.settled()
    assert line_of(page).split()[0] in life.shown(answer)
    life.questions.append(("Cy", asked, page))


async def _ends(life: Life) -> dict[str, bytes]:
    """The club looks back, three of it rate the book, and an organiser takes the archive."""
    at_end = await life.public("That's the end of the book")
    pressed = await life.presses(".finish", at_end, by=life.olga)
    ended = await life.public("You have finished")
    assert "4 weeks, 4 questions, 9 quotes, 3 predictions." in life.shown(ended)
    rates = [one for one in life.stage.pressable(ended) if one.startswith(".rate:")]
    for member, stars, told in (
        (life.ada, 5, "★★★★★."),
        (life.ben, 4, "★★★★."),
        (life.cy, 3, "4.0 of 5 stars, 3 votes"),
    ):
        rated = await life.presses(rates[stars - 1], ended, by=member)
        await life.alone(rated, member, told)
    offered = await life.alone(pressed, life.olga, "your own archive")
    exported = await life.presses(".export", offered, by=life.olga)
    await life.alone(exported, life.olga, "one file to read")
    return life.stage.files_for(life.olga, exported)


@pytest.mark.parametrize("platform", ["discord", "slack"])
async def test_a_whole_book(platform: str, own_home: Path) -> None:
    clock, file = FrozenClock(datetime.now(UTC)), "\f".join(page.text for page in the_book().pages).encode()
    first = build(Settings(thusfar_home=own_home, THUSFAR_EMBEDDINGS=Embeddings.NONE))
    await first.close()
    async with staged(platform, platform_services(first)) as stage:
        life = Life(stage, clock, own_home)
        async with life.process():
            await _chooses_the_book(life)
            await _begins(life, file)
        for week in range(1, _WEEKS + 1):
            async with life.process():
                await _reads(life, week)
                await _leaves(life, week)
        async with life.process():
            files = await _ends(life)
            place = stage.place()
        lines = [life.shown(one) for one in stage.public() if "A line from the pages" in one.content]
    assert len(lines) == len(set(lines)) == _WEEKS - 1
    archived = json.loads(files["the-bridge.json"])
    export = ("clubs", "export", place.place, "--for", place.scope)
    assert (await asyncio.to_thread(thusfar, *export, "--json")).json == archived
    assert (await asyncio.to_thread(thusfar, *export)).out.encode() == files["the-bridge.md"]
    assert _read_again(archived) == {
        "title": "The Bridge",
        "pages": life.pages,
        "quotes": sorted(life.quotes, key=lambda quote: quote[2]),
        "predictions": life.predictions,
        "questions": life.questions,
        "sections": [(number, 2 * number - 1, 2 * number) for number in range(1, _WEEKS + 1)],
    }


def _read_again(archived: dict[str, Any]) -> dict[str, Any]:
    """What was exported, as the test noted it down when it was done."""
    kept = {
        kind: [(one["member"], one["text"], one["opens_at"]) for one in archived[kind]]
        for kind in ("quotes", "predictions")
    }
    return kept | {
        "title": archived["title"],
        "pages": [move["page"] for move in archived["pages"]],
        "questions": [(one["asker"], one["question"], one["page"]) for one in archived["questions"]],
        "sections": [(one["number"], one["first_page"], one["last_page"]) for one in archived["sections"]],
    }
