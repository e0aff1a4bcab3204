"""Commands about series: books that a club reads one after the other, with the earlier ones open."""

from functools import partial
from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.books.book_names import BOOK, found_here, suggested_books
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.domain.book import Book
from core.domain.club_state import ClubState
from core.domain.errors import ThusfarError
from core.domain.messages import plain_name
from core.library.library import Library

_JOIN: Final = ".series"


class SeriesCommands:
    """`book series`, and its buttons."""

    def __init__(self, *, library: Library, threads: ThreadService) -> None:
        self._library = library
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the commands."""
        return [
            Command(
                words="book series",
                takes=Option(
                    name="title",
                    hint=sentence("the book before or after this one"),
                    is_optional=True,
                    suggest=partial(suggested_books, self._library),
                ),
                who=Who.ORGANISERS,
                help=sentence("join a book to the one you read, as a series"),
                group=BOOK,
                run=self._series,
            ),
            Command(words=_JOIN, who=Who.ORGANISERS, is_long=True, run=self._join),
        ]

    async def _series(self, request: CommandRequest) -> CommandResponse:
        """Ask which of two books comes first; without a title, list the books of the series."""
        club = await self._threads.club(request.thread)
        if not request.text.strip():
            return CommandResponse(text=_listed(club))
        other = await found_here(self._library, request)
        if other.book_id == club.book.book_id:
            raise ThusfarError(say("You're reading that one. Name the book before or after it."))
        return CommandResponse(
            text=say("Which comes first? While you read the second, I answer from all of the first, too."),
            choices=(_choice(club.book, other), _choice(other, club.book)),
        )

    async def _join(self, request: CommandRequest) -> CommandResponse:
        """Join two books, and let the club continue in the series.

        Raises:
            ThusfarError: the club reads another book now, or has read this series before.
        """
        club = await self._threads.club(request.thread)
        first, then = [await self._library.get(book_id) for book_id in request.text.split(SEPARATOR)]
        if club.book.book_id not in {first.book_id, then.book_id} or {first.scope, then.scope} != {club.book.scope}:
            raise ThusfarError(say("The club is reading another book now. Please use `/book series` again."))
        series = await self._library.join(first, then)
        after = first if club.book.book_id == then.book_id else None
        if not await self._library.continue_in(club.standing.reading, series, after=after):
            raise ThusfarError(
                say("You have read this series here before. `/book use {title}` opens it.", title=series.title)
            )
        told = say(
            "{name} joined {first} and {then} as a series.",
            name=request.name,
            first=plain_name(first.title),
            then=plain_name(then.title),
        )
        pages = say("Pages are those of the book you're in, and I answer from all of the books before it.")
        return CommandResponse(announcement=f"{told} {pages}")


def _choice(first: Book, then: Book) -> Choice:
    label = say("{first}, then {then}", first=plain_name(first.title), then=plain_name(then.title))
    return Choice(label=label, command=_JOIN, text=SEPARATOR.join((first.book_id, then.book_id)), confirms=True)


def _listed(club: ClubState) -> str:
    works = [f"{number}. {work.title}" for number, work in enumerate(club.outline.works, 1)]
    if not works:
        return say("{title} is a single book. `/book series` with a title joins another to it.", title=club.book.title)
    return say("This series: {books}.", books=", ".join(works))
