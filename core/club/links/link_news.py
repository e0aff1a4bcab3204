"""Tells a club what happened in the club it is linked with: a moved page, a new book, changed dates.

It does not say who did it, nor what was said there. It describes the state at the time of telling.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.commands.values import Choice
from core.club.links.link_words import asked
from core.club.position.asked_back import UNDO_CLUB
from core.club.position.move_effects import opened_at
from core.club.schedule.schedules import HEAD, Schedules, kept_at, lines
from core.club.timers.due import DueMessage, TimerKind
from core.domain.club_link import LINK_NEWS, News, where
from core.domain.messages import plain_name
from core.domain.position import announce, page_names
from core.domain.reading import Reading
from core.domain.timer import Timer
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.club_links import ClubLinks
from core.ports.readings import ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkNews(TimerKind):
    """Posts the news in the club's place, and sets the reminders for dates that the other club has changed."""

    links: ClubLinks
    readings: ReadingRepository
    books: BookTexts
    schedules: Schedules
    threads: ThreadService
    clock: Clock
    name: str = LINK_NEWS

    async def due(self, timer: Timer) -> Sequence[DueMessage]:
        """Return the news; empty if it is outdated."""
        what, there = News(timer.payload["what"]), where(timer.payload["scope"])
        if what is News.ASKED:
            return await self._asked(timer)
        if what is News.PARTED:
            text = say("The club {where} reads on its own again, and so do you, each from where it is.", where=there)
            return (DueMessage(thread=timer.thread, text=text),)
        reading = await self.readings.current(scope=timer.thread.scope, place=timer.thread.place)
        if reading is None or reading.reading_id != timer.reading_id:
            return ()
        if what is News.MOVED:
            return await self._moved(timer, reading, there)
        told = await (self._dates if what is News.DATES else self._opened)(timer, reading, there)
        return (DueMessage(thread=timer.thread, text=told),) if told else ()

    async def missed(self, timer: Timer) -> Sequence[DueMessage]:
        """Return nothing for news that is a week late, but set the reminders."""
        if timer.reading_id is not None:
            await self.schedules.reset_timers(timer.thread, timer.reading_id)
        return ()

    async def _asked(self, timer: Timer) -> Sequence[DueMessage]:
        """Ask the organiser who gave the code, privately, whether to link both clubs."""
        offer = await self.links.offer_of(timer.thread, now=self.clock.now())
        if offer is None or str(offer.offer_id) != timer.payload["offer"] or not offer.agreed or offer.terms is None:
            return ()
        book_id = offer.terms.book_id
        text, choices = asked(offer, offer.terms, await self.books.get(book_id), await self._name(book_id))
        return (DueMessage(thread=timer.thread, text=text, member_id=timer.member_id, choices=choices),)

    async def _moved(self, timer: Timer, reading: Reading, there: str) -> Sequence[DueMessage]:
        """Tell where the page is, unless it has moved again, which has its own news."""
        before, after = (int(page) if page else None for page in (timer.payload["from"], timer.payload["to"]))
        if before == after or reading.current_page != after:
            return ()
        outline = await self.books.outline(reading.book_id)
        line = announce(
            say("The club {where}", where=there),
            before,
            after,
            outline.counted_at(after),
            name=page_names(outline),
            what=sentence("the page of both clubs"),
        )
        made = await self.readings.arrived(reading, told_in=timer.thread)
        reached = made.standing.public(self.clock.now())
        opened = opened_at(reached, made.opened, story_end=outline.at(reached).story_end, thread=timer.thread)
        change_id = timer.payload.get("change")
        undo = (Choice(label=say("Undo"), command=UNDO_CLUB, text=change_id),) if change_id else ()
        return (DueMessage(thread=timer.thread, text=line + opened.told, choices=(*undo, *opened.choices)),)

    async def _dates(self, timer: Timer, reading: Reading, there: str) -> str:
        kept = await self.schedules.reset_timers(timer.thread, reading.reading_id)
        if "silent" in timer.payload:
            return ""
        if kept is None:
            return say(
                "The club {where} ended the schedule of both clubs. There are no more dates or reminders.", where=there
            )
        shown = lines(kept, await self._name(reading.book_id), now=self.schedules.now())
        told = say("The club {where} changed the dates of both clubs.", where=there)
        return "\n".join((told, say(HEAD), *shown, kept_at(kept)))

    async def _opened(self, timer: Timer, reading: Reading, there: str) -> str:
        """Tell that both clubs now read a book: they were just linked, or the other club opened it."""
        kept = await self.schedules.reset_timers(timer.thread, reading.reading_id)
        book, name = await self.books.get(reading.book_id), await self._name(reading.book_id)
        title, at = plain_name(book.title), say("No page is set yet. `/setpage` tells me how far you've all read.")
        if reading.current_page is not None:
            at = say("You're at p. {page}.", page=name(reading.current_page))
        if News(timer.payload["what"]) is News.OPENED:
            opened = (say("The club {where} opened {title}, and both clubs now read it.", where=there, title=title), at)
            return " ".join(opened)
        told = (
            say("**You now read {title} together with the club {where}.**", title=title, where=there),
            at,
            say("Anyone who can move the page in one club moves it in both."),
            say("Both clubs share the dates, too.") if kept is not None else "",
            say("What you say, your own pages, quotes and predictions stay here. `/club` tells you more."),
        )
        return " ".join(filter(None, told))

    async def _name(self, book_id: str) -> Callable[[int], str]:
        return page_names(await self.books.outline(book_id))
