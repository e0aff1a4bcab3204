"""Checks members' posts for spoilers, in clubs with `/watch` on; only the author is told, at most once a day.

Members whose own page is not ahead of the thread's are never told anything, since that would confirm a guess.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from cachetools import FIFOCache

from core.answering.threads import ThreadService
from core.catalogue.sentences import say
from core.club.schedule.schedules import Schedules
from core.domain.position import page_names
from core.domain.question import IncomingMessage
from core.domain.thread import Thread, ThreadState
from core.ports.books import BookTexts
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.guard import Guard
from core.ports.watches import Watches

_A_DAY: Final = timedelta(days=1)
_MOST_SEEN: Final = 200

_HIDDEN: Final = re.compile(r"\|\|.+?\|\||>!(?:(?!>!).)+?!<", re.DOTALL)
"""Each `>!` is searched only up to the next one, so a post full of them stays fast."""
_CODE: Final = re.compile(r"```.+?```", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>(?!>>)[^\n]*", re.MULTILINE)
_QUOTED_REST: Final = re.compile(r"^[ \t]*>>>.*", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"<?\bhttps?://\S+")
_EMOJI: Final = re.compile(r":[\w+-]+:")
_MENTIONED: Final = re.compile(r"[@#]\w+(?:[ ]+[^\W\d_a-zß-öø-ÿ]\w*)*")
_CUT: Final = "\n\n"
"""Replaces a cut, so that the text before it and after it never form one sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPost:
    """A post that was not to the bot, in a watched club; `names` are those of the thread's members."""

    message: IncomingMessage
    names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """The notice to an author: the thread's page as shown to members, and a section thread that suits them, if any."""

    page: str
    section: int | None = None
    thread: str = ""

    def text(self, *, here: str, hides_by: str, there: str) -> str:
        """Return the text; `here` and `there` name the two threads, `hides_by` is the platform's spoiler mark."""
        advice = say("to change what you wrote")
        if hides_by:
            advice = say("to put {mark} before and after what you wrote there", mark=hides_by)
        if self.section is not None:
            advice = say("{advice}, or section {number}'s thread{link}", advice=advice, number=self.section, link=there)
        return say(
            "You've read further than {here} ({page}). You may want {advice}. Only you see this.",
            here=here,
            page=self.page,
            advice=advice,
        )


class PostWatch:
    """Checks posts, and decides which authors to nudge."""

    def __init__(
        self,
        *,
        watches: Watches,
        threads: ThreadService,
        clubs: ClubRepository,
        books: BookTexts,
        schedules: Schedules,
        guard: Guard,
        clock: Clock,
    ) -> None:
        self._watches = watches
        self._threads = threads
        self._clubs = clubs
        self._books = books
        self._schedules = schedules
        self._guard = guard
        self._clock = clock
        self._seen: FIFOCache[str, SeenPost] = FIFOCache(maxsize=_MOST_SEEN)

    def see(self, message: IncomingMessage, state: ThreadState, names: Collection[str]) -> None:
        """Remember a post if its club is watched; the platform gets it with `take`."""
        if state.is_watched and message.ref is not None:
            self._seen[message.ref] = SeenPost(message=message, names=frozenset(names))

    def take(self, ref: str) -> SeenPost | None:
        """Return the post with this ref, once; None if it need not be checked."""
        return self._seen.pop(ref, None)

    async def nudge(self, post: SeenPost) -> Nudge | None:
        """Return the notice to the author, which counts towards the daily limit; None if there is none.

        It goes by the current state: the watch may be off since, or the page further on.

        Raises:
            BookError: the book is gone.
            StorageError: the store cannot be used.
        """
        text, now, member_id = said_openly(post.message.text), self._clock.now(), post.message.author.member_id
        state = await self._threads.state(post.message.thread) if text else None
        if state is None or not state.is_watched:
            return None
        reading, page = state.standing.reading, state.standing.public(now)
        if page is None:
            return None
        own_page = await self._clubs.member_position(reading.reading_id, member_id)
        if own_page is None or own_page <= page:
            return None
        book = await self._books.get(reading.book_id)
        speakers = post.names | {post.message.author.display_name}
        if await self._guard.gives_away(text, book=book, position=page, own_page=own_page, speakers=speakers) is None:
            return None
        if not await self._watches.take_turn(reading.reading_id, member_id, now=now, since=now - _A_DAY):
            return None
        name = page_names(await self._books.outline(reading.book_id))
        section, thread = await self._suitable_section(post.message.thread, reading.reading_id, own_page)
        read = say("p. {page}", page=name(page)) if page else say("nothing read yet")
        return Nudge(page=read, section=section, thread=thread)

    async def _suitable_section(self, here: Thread, reading_id: str, own_page: int) -> tuple[int | None, str]:
        """Return the first section whose thread has read as far as the member."""
        kept = await self._schedules.get(reading_id)
        for section in kept.sections if kept is not None else ():
            if not section.thread or section.thread == here.thread or section.last_page < own_page:
                continue
            state = await self._threads.state(Thread(scope=here.scope, place=here.place, thread=section.thread))
            position = state.standing.public(self._clock.now()) if state is not None else None
            if position is not None and position >= own_page:
                return section.number, section.thread
        return None, ""


def said_openly(text: str) -> str:
    """Return the text of a post that everyone can read, or "".

    Left out are spoilers between bars (even if the platform has no such mark: the author meant to hide them),
    quotations (`> `), links, names of emoji, and mentioned people with all their names.
    """
    for pattern in (_CODE, _HIDDEN, _QUOTED_REST, _QUOTED_LINE):
        text = pattern.sub(_CUT, text)
    for pattern in (_LINK, _EMOJI, _MENTIONED):
        text = pattern.sub(" ", text)
    return text.strip()
