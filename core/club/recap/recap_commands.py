"""`recap`: the story so far, in private up to the asker's page, or with `here` for everyone up to the thread's."""

import re
from dataclasses import dataclass
from typing import Final

from core.answering.extracts.answers import chapter_recap, just_now
from core.answering.extracts.found_answer import FoundAnswer
from core.answering.extracts.read_text import ReadText
from core.answering.extracts.story import earlier, has_earlier, recap, shown_spans, spans
from core.answering.positions import page_of_member
from core.catalogue.sentences import say, sentence
from core.club.commands.open_books import OpenBook, OpenBooks
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option
from core.club.recap.club_drafts import ClubDrafts
from core.domain.book import BookOutline, Chapter
from core.domain.book_places import BookPlaces
from core.domain.errors import PositionError
from core.domain.messages import NOT_BEGUN, NOT_FOUND
from core.domain.position import NeedsChoice
from core.domain.position_requests import PlaceRequest, Step
from core.ports.bookmarks import Bookmarks
from core.understanding.position_forms import parse_position

_FORMS: Final = sentence(
    "Use `/recap`, `/recap ch 3`, `/recap last` or `/recap since p. 40`. Add `here` to show everyone. `/recap since` "
    "starts at your last recap."
)
_EARLIER: Final = ".earlier"
_SHOWN: Final = 12
_HERE: Final = re.compile(r"\s*\bhere$", re.IGNORECASE)
_SINCE: Final = re.compile(r"since\s+(?P<page>.+)", re.IGNORECASE)
_LAST: Final = re.compile(r"(?:the\s+)?last(?:\s+ch(?:apter|\.)?)?", re.IGNORECASE)
_SINCE_LAST: Final = "since"
_NOTHING_NEW: Final = sentence("Nothing new since your last recap. `/recap` tells the story so far.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """What to recap: a chapter, the last finished one, everything since a page, or, by default, everything.

    `is_since_last`: since the member's last recap.
    """

    is_here: bool
    is_last: bool = False
    steps: tuple[Step, ...] = ()
    since: str = ""
    is_since_last: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether it is about the story, not about one chapter."""
        return not self.steps and not self.is_last


class RecapCommands:
    """`recap`, and the button for earlier chapters."""

    def __init__(self, open_books: OpenBooks, *, marks: Bookmarks, drafts: ClubDrafts) -> None:
        self._open_books = open_books
        self._marks = marks
        self._drafts = drafts

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
        return [
            Command(
                words="recap",
                takes=Option(name="of", hint="ch 3, last, since, since p. 40; here", is_optional=True),
                help=sentence("tell the story so far, from the pages you've read"),
                is_long=self._drafts.has_writer,
                is_said=_is_said,
                run=self._recap,
            ),
            Command(words=_EARLIER, run=self._earlier),
        ]

    async def _recap(self, request: CommandRequest) -> CommandResponse:
        wanted = _parse(request.text)
        opened, is_here = await self._open_books.as_chosen(request, is_here=wanted.is_here)
        since = await self._since(wanted, opened, request)
        found = await self._recap_of(request, opened, wanted, since)
        text = opened.labelled(found.text if found else say(_missing(wanted, since)))
        if is_here:
            return CommandResponse(announcement=text)
        if found and wanted.is_whole:
            await self._marks.set_recapped(opened.club.reading_id, request.member.member_id, opened.position)
        has_more = wanted.is_whole and has_earlier(opened.read, since=since)
        more = (Choice(label=say("Earlier"), command=_EARLIER, text=f"{since}{SEPARATOR}{_SHOWN}"),) if has_more else ()
        return CommandResponse(text=text, choices=more)

    async def _recap_of(
        self, request: CommandRequest, opened: OpenBook, wanted: _Request, since: int
    ) -> FoundAnswer | None:
        """Return the recap; None if the chapter is not begun, or nothing new has been read."""
        read = opened.read
        if not read.pages:
            return None
        if wanted.is_whole:
            shown = shown_spans(read, since=since)
            notes = await self._drafts.telling(opened, [each.pages for each in shown])
            pages = max(since + 1, read.first_page), read.last_page
            whole = await self._drafts.story(opened, request, pages) if notes else ""
            sentences = await self._drafts.sentences(opened, request, () if notes else shown)
            return recap(read, since=since, told=sentences, notes=notes, whole=whole)
        chapter = _chapter(read, wanted)
        if chapter is None:
            return just_now(read) if wanted.is_last else None
        of_it = [each for each in spans(read) if each.begins == chapter.first_page][-1:]
        sentences = await self._drafts.sentences(opened, request, of_it)
        words = [sentences.get((each.begins, each.last_page), "") for each in of_it]
        return chapter_recap(
            read, chapter, told="".join(words), notes=await self._drafts.telling(opened, [each.pages for each in of_it])
        )

    async def _earlier(self, request: CommandRequest) -> CommandResponse:
        """Show earlier chapters, as far as the member may see them now."""
        since, _, shown = request.text.partition(SEPARATOR)
        opened = await self._open_books.for_member(request)
        sentences = await self._drafts.sentences(opened, request)
        before = [each.pages for each in spans(opened.read, since=int(since))[: -int(shown)]]
        notes = await self._drafts.telling(opened, before)
        text, so_far = earlier(opened.read, since=int(since), shown=int(shown), told=sentences, notes=notes)
        has_more = has_earlier(opened.read, since=int(since), shown=so_far)
        more = (Choice(label=say("Earlier"), command=_EARLIER, text=f"{since}{SEPARATOR}{so_far}"),) if has_more else ()
        return CommandResponse(text=opened.labelled(text or say(NOT_FOUND)), choices=more)

    async def _since(self, wanted: _Request, opened: OpenBook, request: CommandRequest) -> int:
        """Return the page to start after: a named one, read as for `mypage`, or the end of the last recap.

        Raises:
            PositionError: the text is not a page, or could be several.
        """
        if wanted.is_since_last:
            return await self._marks.recapped(opened.club.reading_id, request.member.member_id) or 0
        if not wanted.since:
            return 0
        named = page_of_member(opened.club, wanted.since, current=opened.position)
        if isinstance(named, NeedsChoice):
            raise PositionError(say("That could be more than one page. Try `/recap since p. 40`."))
        return named.position or 0


def _missing(wanted: _Request, since: int) -> str:
    """Return the sentence for an empty recap."""
    if wanted.steps:
        return NOT_BEGUN
    return _NOTHING_NEW if wanted.is_since_last and since else NOT_FOUND


def _chapter(read: ReadText, wanted: _Request) -> Chapter | None:
    """Return the wanted chapter: one that is begun, or the last finished one; None if there is none."""
    if not wanted.steps:
        return next((each for each in reversed(read.chapters) if each.last_page <= read.last_page), None)
    outline = BookOutline(pages=read.last_page, chapters=tuple(read.chapters))
    found = BookPlaces(outline, reached=read.last_page).named(wanted.steps)
    place = max(found, key=lambda each: each.first_page, default=None)
    if place is None:
        return None
    return Chapter(
        number=place.number or 0, title=place.titles[-1], first_page=place.first_page, last_page=place.last_page
    )


def _parse(text: str) -> _Request:
    """Parse the text after `recap`.

    Raises:
        PositionError: the text is not in a known form.
    """
    typed = " ".join(text.split())
    what = _HERE.sub("", typed)
    is_here = what != typed
    if not what:
        return _Request(is_here=is_here)
    if what.casefold() == _SINCE_LAST and not is_here:
        return _Request(is_here=False, is_since_last=True)
    if since := _SINCE.fullmatch(what):
        return _Request(is_here=is_here, since=since["page"])
    if _LAST.fullmatch(what):
        return _Request(is_here=is_here, is_last=True)
    try:
        request = parse_position(what)
    except PositionError:
        request = None
    if not isinstance(request, PlaceRequest) or request.percent:
        raise PositionError(say(_FORMS))
    return _Request(is_here=is_here, steps=request.steps)


def _is_said(text: str) -> bool:
    """Whether the text after `recap` is in a known form, not the rest of a question."""
    try:
        _parse(text)
    except PositionError:
        return False
    return True
