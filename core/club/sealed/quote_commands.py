"""`quote`, `quotes` and *Quote this*: lines of the book that members save; unread ones wait for the club."""

import re
from dataclasses import replace
from typing import Final

from core.catalogue.sentences import say, say_count, sentence
from core.club.commands.values import Command, CommandRequest, CommandResponse, Option
from core.club.editions.calibration import Calibration, Quotation
from core.club.position.move_effects import OPEN_QUOTE
from core.club.sealed.leaving import Leaving
from core.club.sealed.weekly_quotes import WeeklyQuotes, quote_line
from core.domain.club_state import ClubState
from core.domain.errors import NotPermittedError, PositionError, ThusfarError
from core.domain.moments import marked
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.language.phrases import is_findable
from core.language.sentences import encodable

QUOTE_THIS: Final = ".quote-this"
"""Saves the line of the book that is in a message; platforms offer it in the message menu."""
_MOST_WORDS: Final = 60
_MOST_SHOWN: Final = 10
_MOST_WAITING: Final = 20
_TOO_FEW: Final = sentence("Give me a few more words in a row, as they're printed.")
_TOO_MANY: Final = sentence("You already have {most} quotes waiting here. Wait until one opens.")
_SWITCH: Final = {"on": True, "off": False}
_WEEKLY: Final = re.compile(r"(?:weekly\s+)?(on|off)", re.IGNORECASE)
_WEEKLY_HINT: Final = sentence("weekly on or off")
_WEEKLY_FORM: Final = sentence(
    "`/quotes` shows them. `/quotes weekly on` posts one each week, `weekly off` stops that."
)
_TOO_LONG: Final = sentence("A quote can have at most {most} words. Choose the best of them.")
_NOT_THERE: Final = sentence("This thread hasn't reached that quote yet.")
_NOT_READ: Final = sentence(
    "I don't find these words in the pages you've read. If they come later, the quote opens there."
)
"""The same for words from a later page and words that are not in the book; both are saved alike."""
_NONE: Final = sentence("No one has chosen a line from the pages you've read. Keep one with `/quote` and the words.")


class QuoteCommands:
    """`quote WORDS`, `quotes`, *Quote this* on a message, and the button that opens a quote."""

    def __init__(self, leaving: Leaving, *, weekly: WeeklyQuotes, calibration: Calibration) -> None:
        self._leaving = leaving
        self._threads = leaving.threads
        self._sealed_items = leaving.sealed_items
        self._calibration = calibration
        self._weekly = weekly

    def commands(self) -> list[Command]:
        """Return the commands; the one behind the button comes last."""
        return [
            Command(
                words="quote",
                takes=Option(name="words", hint=sentence("the words")),
                help=sentence("save a line of the book for everyone"),
                is_repeatable=True,
                run=self._quote,
            ),
            Command(
                words="quotes",
                takes=Option(name="weekly", hint=_WEEKLY_HINT, is_optional=True, choices=tuple(_SWITCH)),
                help=sentence("show saved quotes, as far as you have read; weekly: post one each week"),
                is_said=lambda text: not text.strip() or _WEEKLY.fullmatch(text.strip()) is not None,
                run=self._quotes,
            ),
            Command(words=OPEN_QUOTE, stays=True, run=self._open),
            Command(words=QUOTE_THIS, is_repeatable=True, menu=sentence("Quote this"), run=self._quote_this),
        ]

    async def _quote(self, request: CommandRequest) -> CommandResponse:
        """Post a line from the read pages; anything else waits, without a hint whether it is in the book.

        Raises:
            PositionError: no page is set, or the words are too few or too many.
        """
        club, position = await self._leaving.club_and_page(request)
        if len(request.text.split()) > _MOST_WORDS:
            raise PositionError(say(_TOO_LONG, most=_MOST_WORDS))
        if not is_findable(request.text):
            raise PositionError(say(_TOO_FEW))
        line = await self._printed_line(club.book.book_id, request.text, position)
        if line is not None:
            return await self._post(request, club, line)
        line = await self._printed_line(club.book.book_id, request.text, club.outline.pages)
        return await self._keep_waiting(request, club, line)

    async def _quote_this(self, request: CommandRequest) -> CommandResponse:
        """Post the line from the read pages that is in a message; a message without one waits, as with `quote`.

        Raises:
            PositionError: no page is set, or the message is too long to wait.
        """
        club, position = await self._leaving.club_and_page(request)
        line = await self._line_in(club.book.book_id, request.text, position)
        if line is not None:
            return await self._post(request, club, line)
        if len(request.text.split()) > _MOST_WORDS:
            raise PositionError(say(_TOO_LONG, most=_MOST_WORDS))
        line = await self._line_in(club.book.book_id, request.text, club.outline.pages)
        return await self._keep_waiting(request, club, line)

    async def _printed_line(self, book_id: str, words: str, up_to: int) -> Quotation | None:
        return next(iter(await self._calibration.quotations(book_id, words, up_to=up_to)), None)

    async def _line_in(self, book_id: str, said: str, up_to: int) -> Quotation | None:
        return await self._calibration.quoted_in(book_id, said, up_to=up_to, most_words=_MOST_WORDS)

    async def _post(self, request: CommandRequest, club: ClubState, line: Quotation) -> CommandResponse:
        return CommandResponse(announcement=_shown(club, await self._save(request, club, line), request))

    async def _keep_waiting(self, request: CommandRequest, club: ClubState, line: Quotation | None) -> CommandResponse:
        """Save a member's words for the page of the line they match; without a match, for a page after the last.

        Raises:
            ThusfarError: the member has too many quotes waiting.
        """
        kept = await self._sealed_items.of_reading(club.reading_id, SealedItemKind.QUOTE)
        ahead = (each for each in kept if each.opens_at > (club.page_of_all or 0))
        waiting = [each for each in ahead if each.member_id == club.member_id]
        if len(waiting) >= _MOST_WAITING:
            raise ThusfarError(say(_TOO_MANY, most=_MOST_WAITING))
        words = encodable(" ".join(request.text.split()))
        never = club.outline.pages + 1
        await self._save(request, club, Quotation(text=words, page=never if line is None else line.page))
        return CommandResponse(text=say(_NOT_READ))

    async def _save(self, request: CommandRequest, club: ClubState, chosen: Quotation) -> SealedItem:
        """Save a line, unless the member has saved it before."""
        for each in await self._sealed_items.of_reading(club.reading_id, SealedItemKind.QUOTE):
            if (each.member_id, each.text, each.opens_at) == (request.member.member_id, chosen.text, chosen.page):
                return each
        return await self._leaving.leave(club, SealedItemKind.QUOTE, chosen.text, request, opens_at=chosen.page)

    async def _quotes(self, request: CommandRequest) -> CommandResponse:
        """Show the latest quotes up to the member's own page, in private; or set the weekly quote."""
        if request.text.strip():
            return await self._switch(request)
        club = await self._threads.club(request.thread, request.member.member_id)
        kept = await self._sealed_items.of_reading(club.reading_id, SealedItemKind.QUOTE)
        read = [each for each in kept if each.opens_at <= (club.reached or 0)]
        if not read:
            return CommandResponse(text=say(_NONE))
        shown = [_shown(club, each, request) for each in read[-_MOST_SHOWN:]]
        more = len(read) - len(shown)
        earlier = [say_count("({number} earlier one)", "({number} earlier ones)", more)] if more else []
        return CommandResponse(text="\n\n".join([*shown, *earlier]))

    async def _switch(self, request: CommandRequest) -> CommandResponse:
        """Turn the weekly quote on in this thread, or off.

        Raises:
            NotPermittedError: the member is not an organiser.
            ThusfarError: the text is neither on nor off.
        """
        found = _WEEKLY.fullmatch(request.text.strip())
        if found is None:
            raise ThusfarError(say(_WEEKLY_FORM))
        if not request.is_organiser:
            raise NotPermittedError(say("Only organisers can set the weekly quote."))
        if not _SWITCH[found[1].lower()]:
            was_on = await self._weekly.switch_off(request.thread)
            return CommandResponse(
                text=say("I no longer post a weekly quote.") if was_on else say("I don't post a weekly quote.")
            )
        await self._threads.club(request.thread)
        first = await self._weekly.switch_on(request.thread)
        return CommandResponse(
            text=say(
                "From now on I post one of your quotes here each week, starting {when}. I take them from the pages "
                "read by then and repeat none. `/quotes weekly off` ends that.",
                when=marked(first),
            )
        )

    async def _open(self, request: CommandRequest) -> CommandResponse:
        """Post a quote that waited, as printed. Raises ThusfarError if the thread has not reached it."""
        club = await self._threads.club(request.thread, request.member.member_id)
        sealed_item = await self._leaving.opened(club, int(request.text), closed=_NOT_THERE)
        for find in (self._printed_line, self._line_in):
            printed = await find(club.book.book_id, sealed_item.text, sealed_item.opens_at)
            if printed is not None and printed.page == sealed_item.opens_at:
                sealed_item = replace(sealed_item, text=printed.text)
                await self._sealed_items.change(sealed_item)
                break
        return CommandResponse(announcement=_shown(club, sealed_item, request))


def _shown(club: ClubState, sealed_item: SealedItem, request: CommandRequest) -> str:
    return quote_line(sealed_item, club.page_name, scope=request.thread.scope)
