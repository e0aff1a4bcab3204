"""`quote`, `quotes` and *Quote this*: lines of the book that members choose; one further on waits for the club."""

import re
from typing import Final

from core.app.calibration import Calibration, Quotation
from core.app.commands.leaving import Leaving
from core.app.commands.openings import OPEN_QUOTE
from core.app.commands.values import Command, CommandRequest, CommandResponse, Who
from core.app.weekly_quotes import WeeklyQuotes, quote_line
from core.domain.errors import NotPermittedError, PositionError, ThusfarError
from core.domain.keepsake import Keepsake, KeepsakeKind
from core.domain.moments import marked
from core.domain.position import page_names
from core.domain.reading import PositionOwner

QUOTE_THIS: Final = ".quote-this"
"""Chooses the line that a message holds; platforms have it in the menu of their messages."""
_MOST_WORDS: Final = 60
_MOST_SHOWN: Final = 10
_NOT_FOUND: Final = "I can't find these words in this book. Give me some words in a row, as they are printed."
_SWITCH: Final = {"on": True, "off": False}
_WEEKLY: Final = re.compile(r"(?:weekly\s+)?(on|off)", re.IGNORECASE)
_WEEKLY_FORM: Final = "`/quotes` shows them; `/quotes weekly on` brings one of them back each week, `weekly off` none."
_TOO_LONG: Final = f"A quote has at most {_MOST_WORDS} words; choose the best of them."
_KEPT: Final = "Kept. I offer it to all of you when your thread has got there."
_NOT_THERE: Final = "This thread has not got to that quote; it waits."
_NO_READ_LINE: Final = (
    "I find no line of the pages read so far in that message. Should one of a later page be in it, I keep that one and "
    "offer it to all of you when your thread has got there."
)
"""Said alike where nothing was found and where it was found ahead: whoever asks need not be who wrote it."""
_NONE: Final = "Nobody has chosen a line of the pages read so far; `/quote` and the words keeps one."


class QuoteCommands:
    """`quote WORDS`, `quotes`, *Quote this* on a message, and the button of a quote that opens."""

    def __init__(self, leaving: Leaving, *, weekly: WeeklyQuotes, calibration: Calibration) -> None:
        self._leaving = leaving
        self._threads = leaving.threads
        self._books = leaving.books
        self._keepsakes = leaving.keepsakes
        self._calibration = calibration
        self._weekly = weekly

    def commands(self) -> list[Command]:
        """Return the commands, that of the button last."""
        everyone = Who.EVERYONE
        return [
            Command(
                words="quote",
                takes="the words",
                who=everyone,
                help="choose a line of the book for all of you",
                run=self._quote,
            ),
            Command(
                words="quotes",
                takes="[weekly on or off]",
                who=everyone,
                help="show the lines that were chosen, as far as you have read; weekly: bring one back each week",
                run=self._quotes,
                one_of=tuple(_SWITCH),
                is_said=lambda text: not text.strip() or _WEEKLY.fullmatch(text.strip()) is not None,
            ),
            Command(words=OPEN_QUOTE, takes="", who=everyone, help="", run=self._open),
            Command(words=QUOTE_THIS, takes="", who=everyone, help="", run=self._quote_this),
        ]

    async def _quote(self, request: CommandRequest) -> CommandResponse:
        """Post a line that the thread has read; one that lies ahead is kept, and a word of it told to nobody.

        Raises:
            PositionError: nobody has said how far the thread is, or the words are nowhere, or too many.
        """
        owner, position = await self._leaving.standing(request)
        if len(request.text.split()) > _MOST_WORDS:
            raise PositionError(_TOO_LONG)
        found = await self._calibration.quotations(owner.book_id, request.text)
        if not found:
            raise PositionError(_NOT_FOUND)
        chosen = next((each for each in found if each.page <= position), found[0])
        keepsake = await self._kept(request, owner, chosen)
        if chosen.page > position:
            return CommandResponse(text=_KEPT)
        return CommandResponse(announcement=await self._shown(owner.book_id, keepsake, request))

    async def _quote_this(self, request: CommandRequest) -> CommandResponse:
        """Post the read line that stands in somebody's message; one ahead is kept, and nobody told that there is one.

        Raises:
            PositionError: nobody has said how far the thread is.
        """
        owner, position = await self._leaving.standing(request)
        line = await self._line_in(owner.book_id, request.text, position)
        if line is not None:
            keepsake = await self._kept(request, owner, line)
            return CommandResponse(announcement=await self._shown(owner.book_id, keepsake, request))
        ahead = await self._line_in(owner.book_id, request.text, (await self._books.outline(owner.book_id)).pages)
        if ahead is not None:
            await self._kept(request, owner, ahead)
        return CommandResponse(text=_NO_READ_LINE)

    async def _line_in(self, book_id: str, said: str, up_to: int) -> Quotation | None:
        return await self._calibration.quoted_in(book_id, said, up_to=up_to, most_words=_MOST_WORDS)

    async def _kept(self, request: CommandRequest, owner: PositionOwner, chosen: Quotation) -> Keepsake:
        """Keep a line; one that its member has chosen already is kept as it is."""
        for each in await self._keepsakes.of_reading(owner.reading_id, KeepsakeKind.QUOTE):
            if (each.member_id, each.text, each.opens_at) == (request.member.member_id, chosen.text, chosen.page):
                return each
        return await self._leaving.leave(KeepsakeKind.QUOTE, chosen.text, request, opens_at=chosen.page)

    async def _quotes(self, request: CommandRequest) -> CommandResponse:
        """Show the latest of them up to the member's own page, to them alone; or have one come back each week."""
        if request.text.strip():
            return await self._switch(request)
        owner = await self._threads.owner(request.thread)
        own = await self._leaving.own(owner, request)
        kept = await self._keepsakes.of_reading(owner.reading_id, KeepsakeKind.QUOTE)
        read = [each for each in kept if each.opens_at <= (own or 0)]
        if not read:
            return CommandResponse(text=_NONE)
        shown = [await self._shown(owner.book_id, each, request) for each in read[-_MOST_SHOWN:]]
        more = len(read) - len(shown)
        return CommandResponse(text="\n\n".join([*shown, *([f"({more} earlier ones)"] if more else [])]))

    async def _switch(self, request: CommandRequest) -> CommandResponse:
        """Switch the weekly quote on, where this is said, or off.

        Raises:
            NotPermittedError: whoever says so is no organiser.
            ThusfarError: it is neither on nor off.
        """
        found = _WEEKLY.fullmatch(request.text.strip())
        if found is None:
            raise ThusfarError(_WEEKLY_FORM)
        if not request.is_organiser:
            raise NotPermittedError("Whether a quote comes each week is for organisers to say.")
        if not _SWITCH[found[1].lower()]:
            was_on = await self._weekly.switch_off(request.thread)
            return CommandResponse(text="No quote comes by itself any more." if was_on else "No quote comes by itself.")
        await self._threads.owner(request.thread)
        first = await self._weekly.switch_on(request.thread)
        return CommandResponse(
            text=f"From now on I bring one of your quotes back here each week, the first one {marked(first)}: of the "
            "pages read by then, and none of them twice. `/quotes weekly off` ends that."
        )

    async def _open(self, request: CommandRequest) -> CommandResponse:
        """Post a quote that waited, if the thread stands there still. Raises ThusfarError where it does not."""
        owner = await self._threads.owner(request.thread)
        keepsake = await self._leaving.opened(int(request.text), request, closed=_NOT_THERE)
        return CommandResponse(announcement=await self._shown(owner.book_id, keepsake, request))

    async def _shown(self, book_id: str, keepsake: Keepsake, request: CommandRequest) -> str:
        name = page_names(await self._books.outline(book_id))
        return quote_line(keepsake, name, scope=request.thread.scope)
