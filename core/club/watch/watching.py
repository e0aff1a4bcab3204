"""What members' own posts give away, where an organiser wants it watched: told to their writer alone, and seldom.

A member whose own page lies not beyond the thread's is never told anything, so that no guess is ever confirmed.
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
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.guard import Guard
from core.ports.watches import Watches

_A_DAY: Final = timedelta(days=1)
_MOST_SEEN: Final = 200

_HIDDEN: Final = re.compile(r"\|\|.+?\|\||>!(?:(?!>!).)+?!<", re.DOTALL)
"""From each `>!` it looks no further than to the next one: a post full of them takes no longer than another."""
_CODE: Final = re.compile(r"```.+?```", re.DOTALL)
_QUOTED_LINE: Final = re.compile(r"^[ \t]*>(?!>>)[^\n]*", re.MULTILINE)
_QUOTED_REST: Final = re.compile(r"^[ \t]*>>>.*", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"<?\bhttps?://\S+")
_EMOJI: Final = re.compile(r":[\w+-]+:")
_MENTIONED: Final = re.compile(r"[@#]\w+(?:[ ]+[^\W\d_a-zß-öø-ÿ]\w*)*")
_APART: Final = "\n\n"
"""What is left on both sides of a cut belongs to no common sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPost:
    """A post that asks nobody anything, in a thread of a club that is watched; `names` are of those who talk there."""

    message: IncomingMessage
    names: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """What its writer is told: the thread's page, as people see it, and the section whose thread suits them, if any."""

    page: str
    section: int | None = None
    thread: str = ""

    def told(self, *, here: str, hides_by: str, there: str) -> str:
        """Write it: `here` and `there` name the two threads, `hides_by` is the platform's mark for what is hidden."""
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
    """Looks at posts, and says which of their writers is to be nudged."""

    def __init__(
        self,
        *,
        watches: Watches,
        threads: ThreadService,
        clubs: ClubRepository,
        books: BookRepository,
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
        """Note a post, where its club is watched; `take` hands it out to whoever can tell its writer something."""
        if state.is_watched and message.ref is not None:
            self._seen[message.ref] = SeenPost(message=message, names=frozenset(names))

    def take(self, ref: str) -> SeenPost | None:
        """Return the post of a name, once; None where it is not to be looked at."""
        return self._seen.pop(ref, None)

    async def nudge(self, post: SeenPost) -> Nudge | None:
        """Return what the post's writer is to be told, which counts as told; None for nothing.

        What counts is how things stand by now: the watch may have been switched off meanwhile, or the page moved on.

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
        section, thread = await self._where_it_suits(post.message.thread, reading.reading_id, own_page)
        read = say("p. {page}", page=name(page)) if page else say("nothing read yet")
        return Nudge(page=read, section=section, thread=thread)

    async def _where_it_suits(self, here: Thread, reading_id: str, own_page: int) -> tuple[int | None, str]:
        """Return the first section with a thread in which all that the member has read may be said."""
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
    """Return what a post says for all to read; empty for nothing.

    Left out is what stands between spoiler bars (also where the platform has none: their writer meant to hide it),
    what is quoted (`> `), links, names of emoji, and people who are mentioned, by as many names as they have.
    """
    for cut in (_CODE, _HIDDEN, _QUOTED_REST, _QUOTED_LINE):
        text = cut.sub(_APART, text)
    for nobody in (_LINK, _EMOJI, _MENTIONED):
        text = nobody.sub(" ", text)
    return text.strip()
