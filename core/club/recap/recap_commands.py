"""`recap`: the story so far, for the asker alone at their own page, or `here` for all at the thread's."""

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
from core.domain.book import Chapter
from core.domain.errors import PositionError
from core.domain.messages import NOT_BEGUN, NOT_FOUND
from core.domain.position import NeedsChoice
from core.domain.position_requests import ChapterStartRequest
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
class _Wanted:
    """What a recap is wanted of: a chapter, the last one done, or all since a place; all of it where none is named.

    `is_since_last`: since the last recap that the member got.
    """

    is_here: bool
    is_last: bool = False
    chapter: int | None = None
    since: str = ""
    is_since_last: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the story is told, and not one chapter of it."""
        return self.chapter is None and not self.is_last


class RecapCommands:
    """`recap`, and the button that shows what lies before it."""

    def __init__(self, open_books: OpenBooks, *, marks: Bookmarks, drafts: ClubDrafts) -> None:
        self._open_books = open_books
        self._marks = marks
        self._drafts = drafts

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
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
        wanted = _wanted(request.text)
        opened, is_here = await self._open_books.as_chosen(request, is_here=wanted.is_here)
        since = await self._since(wanted, opened, request)
        found = await self._told(request, opened, wanted, since)
        text = opened.labelled(found.text if found else say(_missing(wanted, since)))
        if is_here:
            return CommandResponse(announcement=text)
        if found and wanted.is_whole:
            await self._marks.set_recapped(opened.club.reading_id, request.member.member_id, opened.position)
        has_more = wanted.is_whole and has_earlier(opened.read, since=since)
        more = (Choice(label=say("Earlier"), command=_EARLIER, text=f"{since}{SEPARATOR}{_SHOWN}"),) if has_more else ()
        return CommandResponse(text=text, choices=more)

    async def _told(self, request: CommandRequest, opened: OpenBook, wanted: _Wanted, since: int) -> FoundAnswer | None:
        """Return what is told; None where the chapter is not begun, or nothing is read since then."""
        read = opened.read
        if not read.pages:
            return None
        if wanted.is_whole:
            told = await self._drafts.told(opened, request, shown_spans(read, since=since))
            return recap(read, since=since, told=told)
        chapter = _chapter(read, wanted)
        if chapter is None:
            return just_now(read) if wanted.is_last else None
        of_it = [each for each in spans(read) if each.begins == chapter.first_page][-1:]
        told = await self._drafts.told(opened, request, of_it)
        words = [told.get((each.begins, each.last_page), "") for each in of_it]
        return chapter_recap(read, chapter, told="".join(words))

    async def _earlier(self, request: CommandRequest) -> CommandResponse:
        """Show the chapters before those that were shown, as far as the member may see them now."""
        since, _, shown = request.text.partition(SEPARATOR)
        opened = await self._open_books.for_member(request)
        told = await self._drafts.told(opened, request)
        text, by_now = earlier(opened.read, since=int(since), shown=int(shown), told=told)
        has_more = has_earlier(opened.read, since=int(since), shown=by_now)
        more = (Choice(label=say("Earlier"), command=_EARLIER, text=f"{since}{SEPARATOR}{by_now}"),) if has_more else ()
        return CommandResponse(text=opened.labelled(text or say(NOT_FOUND)), choices=more)

    async def _since(self, wanted: _Wanted, opened: OpenBook, request: CommandRequest) -> int:
        """Return the page that somebody names in their own way, as for `mypage`; or where their last recap ended.

        Raises:
            PositionError: it is none, or may be several.
        """
        if wanted.is_since_last:
            return await self._marks.recapped(opened.club.reading_id, request.member.member_id) or 0
        if not wanted.since:
            return 0
        named = page_of_member(opened.club, wanted.since, current=opened.position)
        if isinstance(named, NeedsChoice):
            raise PositionError(say("That could be more than one page. Try `/recap since p. 40`."))
        return named.position or 0


def _missing(wanted: _Wanted, since: int) -> str:
    """Return what is said where there is nothing to tell."""
    if wanted.chapter:
        return NOT_BEGUN
    return _NOTHING_NEW if wanted.is_since_last and since else NOT_FOUND


def _chapter(read: ReadText, wanted: _Wanted) -> Chapter | None:
    """Return the chapter that is wanted: one that is begun, or the last one done; None where there is none."""
    if wanted.chapter is not None:
        found = read.chapters_numbered(wanted.chapter)
    else:
        found = [each for each in read.chapters if each.last_page <= read.last_page]
    return found[-1] if found else None


def _wanted(text: str) -> _Wanted:
    """Read what somebody typed behind `recap`.

    Raises:
        PositionError: it is none of the forms.
    """
    typed = " ".join(text.split())
    what = _HERE.sub("", typed)
    is_here = what != typed
    if not what:
        return _Wanted(is_here=is_here)
    if what.casefold() == _SINCE_LAST and not is_here:
        return _Wanted(is_here=False, is_since_last=True)
    if since := _SINCE.fullmatch(what):
        return _Wanted(is_here=is_here, since=since["page"])
    if _LAST.fullmatch(what):
        return _Wanted(is_here=is_here, is_last=True)
    try:
        request = parse_position(what)
    except PositionError:
        request = None
    if not isinstance(request, ChapterStartRequest):
        raise PositionError(say(_FORMS))
    return _Wanted(is_here=is_here, chapter=request.chapter)


def _is_said(text: str) -> bool:
    """Whether what was said behind `recap` is one of its forms; the rest of a question is none."""
    try:
        _wanted(text)
    except PositionError:
        return False
    return True
