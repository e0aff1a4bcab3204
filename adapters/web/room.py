"""What one person can do in the browser, in one scope: ask, press buttons, move the page, read a page."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from adapters.platform.buttons import pressed_in
from adapters.platform.running_tasks import TaskSet
from adapters.platform.services import PlatformServices
from adapters.platform.solo import SoloSession, telling
from adapters.web import pages
from adapters.web.surface import NOT_SENT, THREAD, WebSurface
from adapters.web.talk import EntryPart, PartKind, Talk, TalkEntry, Where
from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.browser.reader_view import AnswersAtPages, EarlierTalk, ReaderView, ReadSoFar
from core.club.commands.values import Choice
from core.club.position.position_commands import TO_PAGE
from core.domain.club_state import ClubState
from core.domain.conversation import Conversation
from core.domain.errors import ThusfarError
from core.library.library import Library

_HELP: Final = sentence(
    "**To ask**, just write: “Who is the man at the door?” I answer from the pages you've read.\nThe slider "
    "tells me how far that is. So does the field under it, and `/setpage`: `120`, `ch 7 done`, `45%` or `end`."
    "\n`/who`, `/cast` and `/recap` remind you of people and of the story so far. `/more` shows more "
    "passages.\n*also at p.* asks at an earlier page too. *Books* is where you add, open and correct books."
)
_BRING: Final = sentence("Drop the file on the *Books* page, or choose it there.")
_LONGEST_SAID: Final = 4_000
_TOO_LONG: Final = sentence("That's too long for me. Fewer words, please?")

Work = Callable[[WebSurface], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomServices:
    """Core's services that only the browser's room uses."""

    platform: PlatformServices
    threads: ThreadService
    library: Library
    reader_view: ReaderView
    at_pages: AnswersAtPages
    earlier_talk: EarlierTalk
    exports: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveQuestion:
    """A question before the slider is moved, and the button that confirms it."""

    text: str
    choice: Choice


class Room:
    """The talk about the current book in the browser, and the current page.

    Lines and buttons are handled one at a time; moving the page does not wait for them.
    """

    def __init__(self, services: RoomServices) -> None:
        self.services = services
        self.talk = Talk()
        self.flow = SoloSession(
            services.platform,
            threads=services.threads,
            help_text=_HELP,
            bring=_where_to_bring,
            ask_again=self._ask_again,
        )
        self._tasks = TaskSet()
        self._turn = asyncio.Lock()
        self._seen: ReadSoFar | None = None
        self._reading_id: str | None = None
        self._thread = THREAD
        self._recalled: set[str] = set()

    async def look(self, *, afresh: bool = False) -> ReadSoFar | None:
        """Return the current book with the read pages, or None; all tabs are told about changes.

        `afresh` loads the book again, with any corrections.
        """
        before = self._seen
        club = await self._club()
        self._reading_id = None if club is None else club.reading_id
        if club is None:
            self._seen = None
        else:
            # Stay with this reading, even if another process opens a different one.
            self._thread = replace(THREAD, about=club.reading_id)
            self._seen = await self.services.reader_view.since(club, None if afresh else before)
            if isinstance(club.owner, Conversation):
                await self._recall(club.owner)
        if before != self._seen:
            self._publish_progress(before, self._seen)
        return self._seen

    async def _club(self) -> ClubState | None:
        try:
            return await self.services.threads.club(self._thread)
        except ThusfarError:
            return None

    async def _recall(self, conversation: Conversation) -> None:
        """Show the questions and answers from before this process started, once per reading."""
        if conversation.reading_id in self._recalled:
            return
        self._recalled.add(conversation.reading_id)
        for turn in await self.services.earlier_talk.of(conversation):
            entry = self.talk.entry(
                said=turn.question, asked_at=turn.asked_at, reading_id=conversation.reading_id, where=Where.TALK
            )
            entry.parts.append(
                EntryPart(kind=PartKind.ANSWER, text=turn.answer, reaches=turn.reaches, footer=turn.footer)
            )
            self.talk.add(entry)

    async def say(self, text: str, *, where: Where = Where.TALK, beside: int | None = None) -> TalkEntry:
        """Run a typed line; its entry shows the outcome later. `beside` is a second page to ask at."""
        said = text.strip()
        is_pair = beside is not None and self.flow.is_question(said)
        entry = await self._new(said, where=where, is_pair=is_pair)
        self.talk.add(entry)
        if len(said) > _LONGEST_SAID:
            entry.parts.append(EntryPart(kind=PartKind.REFUSAL, text=say(_TOO_LONG), reaches=0))
        else:
            self._tasks.begin(self._in_turn(entry, lambda surface: self._take(surface, said, beside)))
        self._tell(entry)
        return entry

    async def press(self, button: str, entry_id: str) -> TalkEntry | None:
        """Press a button, under its entry if that still exists; return None if the button is invalid."""
        pressed = pressed_in(button)
        if pressed is None or pressed[0].command == NOT_SENT:
            return None
        choice, _ = pressed
        entry = self.talk.get(entry_id)
        if entry is None:
            entry = await self._new("", where=Where.TALK)
            self._add_move(entry)
        await self._in_turn(entry, lambda surface: self._press(surface, choice))
        return entry

    async def move(self, to: int | str) -> MoveQuestion | str | None:
        """Move to a page, given as a number or in words; return a question to confirm, or the reason for a refusal."""
        words, text = (TO_PAGE, str(to)) if isinstance(to, int) else ("setpage", to)
        entry = await self._new("", where=Where.TALK)
        await self._run(self._surface(entry, _no_update), lambda surface: self.flow.run(surface, words, text))
        for part in entry.parts:
            if part.kind is PartKind.REFUSAL:
                return part.text
            if len(part.choices) == 1 and part.choices[0].confirms:
                return MoveQuestion(text=part.text, choice=part.choices[0])
        self._add_move(entry)
        self._tell(entry)
        return None

    async def open_on(self, where: Where) -> tuple[TalkEntry, WebSurface]:
        """Start an entry without a line, with the surface that writes into it."""
        entry = await self._new("", where=where)
        self.talk.add(entry)
        return entry, self._surface(entry, self._tell, reaches=await self._read())

    async def leaf(self, page: int) -> str:
        """Return a page of the book as HTML; for 0, a placeholder for a book not begun.

        Raises:
            ThusfarError: the page is unread or doesn't exist.
        """
        if page == 0:
            return pages.page("unread")
        club = await self.services.threads.club(self._thread)
        view = self.services.reader_view
        return pages.leaf_html(await view.page(club, page), await view.so_far(club))

    def html_of(self, entry: TalkEntry) -> str:
        """Render an entry as it is seen now."""
        return pages.entry_html(entry, self._seen)

    async def talk_html(self) -> str:
        """Render all entries about the current book as they are seen now."""
        await self.look()
        return "".join(self.html_of(entry) for entry in self.talk.about(self._reading_id))

    async def close(self, *, within: float) -> None:
        """Let running work end for `within` seconds, and close the tabs' streams."""
        await self._tasks.finish(within=within)
        self.talk.close()

    def _add_move(self, entry: TalkEntry) -> None:
        """Add a move as an entry; of consecutive moves only the last is kept."""
        for before in self.talk.about(entry.reading_id)[-1:]:
            if not before.said:
                self.talk.drop(before)
        self.talk.add(entry)

    async def _new(self, said: str, *, where: Where, is_pair: bool = False) -> TalkEntry:
        seen = self._seen or await self.look()
        return self.talk.entry(
            said=said,
            asked_at=seen.read if seen is not None and said else 0,
            reading_id=self._reading_id,
            where=where,
            is_pair=is_pair,
        )

    async def _in_turn(self, entry: TalkEntry, work: Work) -> None:
        surface = self._surface(entry, self._tell)
        if self._turn.locked():
            surface.show("waiting")
        async with self._turn:
            entry.states = [state for state in entry.states if state != "waiting"]
            await self._run(surface, work)
        self._tell(entry)

    def _surface(self, entry: TalkEntry, changed: Callable[[TalkEntry], None], *, reaches: int = 0) -> WebSurface:
        services = self.services
        return WebSurface(
            entry,
            changed,
            thread=self._thread,
            reaches=reaches,
            seal=services.platform.seal,
            folder=services.exports,
        )

    async def _run(self, surface: WebSurface, work: Work) -> None:
        """Run `work` in an entry; errors are shown there."""
        async with telling(surface):
            surface.reaches = await self._read()
            await work(surface)
            if surface.opens:
                self._thread = THREAD
            if surface.moves:
                surface.told_up_to(await self._read())
            elif not surface.asks:
                await self.look()

    async def _take(self, surface: WebSurface, said: str, beside: int | None) -> None:
        if not self.flow.is_question(said):
            await self.flow.command(surface, said)
        elif beside is not None:
            await self._ask_at(surface, said, beside)
        else:
            surface.asks = True
            reply = await self.flow.ask(surface, said)
            surface.told_up_to(reply.position or 0)

    async def _ask_again(self, question: str) -> None:
        await self.look()
        await self.say(question)

    async def _press(self, surface: WebSurface, choice: Choice) -> None:
        surface.pressed = choice
        await self.flow.press(surface, choice)

    async def _ask_at(self, surface: WebSurface, question: str, beside: int) -> None:
        """Ask at two pages, the earlier one first."""
        at = sorted({beside, surface.reaches})
        club = await self.services.threads.club(self._thread)
        for one in await self.services.at_pages.execute(club, question, at, surface.follow):
            surface.answered(one.text, footer=one.footer, reaches=one.page)

    async def _read(self) -> int:
        seen = await self.look()
        return 0 if seen is None else seen.read

    def _tell(self, entry: TalkEntry) -> None:
        self.talk.publish("entry", {"id": entry.entry_id, "where": entry.where, "html": self.html_of(entry)})

    def _publish_progress(self, before: ReadSoFar | None, seen: ReadSoFar | None) -> None:
        """Tell the tabs the current page, and update the entries that it shows or hides."""
        if seen is None or before is None or before.book != seen.book:
            self.talk.publish("book", {})
            return
        self.talk.publish("place", pages.progress_of(seen))
        low, high = sorted((before.read, seen.read))
        for entry in self.talk.across(low, high):
            self._tell(entry)


async def _where_to_bring(_named: str) -> None:
    raise ThusfarError(say(_BRING))


def _no_update(_entry: TalkEntry) -> None:
    """Do nothing: the entry is not in the talk yet."""
