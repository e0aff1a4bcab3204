"""Opens the read part of a book for commands that are no questions, through the page gate.

Private answers use the member's own page if there is one, else the thread's page.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.answering.extracts.read_text import ReadText
from core.answering.read_book import PageCache, ReadBook
from core.answering.threads import ThreadService
from core.catalogue.sentences import say
from core.club.commands.values import CommandRequest
from core.domain.club_state import ClubState
from core.domain.errors import AsksFirstError, PositionError
from core.domain.messages import ASK_OWN_POSITION, ASK_POSITION, thread_is_at
from core.domain.position import AnswerIn, answer_in, page_names
from core.domain.scopes import is_private
from core.guard.citations import with_labels
from core.ports.books import BookTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBook:
    """The read part of a book for its readers; `footer` says how far that is."""

    club: ClubState
    position: int
    read: ReadText
    footer: str

    @property
    def name(self) -> Callable[[int], str]:
        """Returns the printed label of a page, else its number, and its book where that isn't the one read here."""
        return page_names(self.club.outline.at(self.position))

    def labelled(self, text: str) -> str:
        """Return a text with printed page labels in its citations, and with the footer."""
        return f"{with_labels(text, self.name)}\n\n({self.footer})"


class OpenBooks:
    """Opens a club's book at a member's own page or at the thread's page."""

    def __init__(self, *, threads: ThreadService, books: BookTexts, shelf: PageCache) -> None:
        self._threads = threads
        self._books = books
        self._shelf = shelf

    async def for_member(self, request: CommandRequest) -> OpenBook:
        """Open the book at the member's own page, else at the thread's, for a private response.

        Raises:
            PositionError: no page is set.
            ThusfarError: the club has no book.
        """
        return await self._for_member(await self._threads.club(request.thread, request.member.member_id))

    async def for_all(self, request: CommandRequest) -> OpenBook:
        """Open the book at the thread's page, for a public response. Raises the same errors as `for_member`."""
        return await self._for_all(await self._threads.club(request.thread, request.member.member_id))

    async def as_chosen(self, request: CommandRequest, *, is_here: bool) -> tuple[OpenBook, bool]:
        """Open the book for everyone if that is wanted and safe, else for the member; return it and which it was.

        Raises the same errors as `for_member`, and AsksFirstError if the member's page is behind the thread's and they
        have to choose first.
        """
        club = await self._threads.club(request.thread, request.member.member_id)
        if not is_here:
            return await self._for_member(club), False
        opened = await self._for_all(club)
        where = answer_in(club.own_page, opened.position, club.answer_in)
        if is_private(request.thread.scope) or where is AnswerIn.HERE:
            return opened, True
        if where is AnswerIn.ASK:
            raise AsksFirstError(thread_is_at(opened.name(opened.position)))
        return await self._for_member(club), False

    async def _for_member(self, club: ClubState) -> OpenBook:
        if club.reached is None:
            raise PositionError(f"{say(ASK_POSITION)} {say(ASK_OWN_POSITION)}")
        return await self._opened(club, club.reached, club.private_footer(club.reached))

    async def _for_all(self, club: ClubState) -> OpenBook:
        if club.page_of_all is None:
            raise PositionError(say(ASK_POSITION))
        return await self._opened(club, club.page_of_all, club.footer(club.page_of_all))

    async def _opened(self, club: ClubState, position: int, footer: str) -> OpenBook:
        book, begun = club.book, club.outline.chapters
        read_book = ReadBook(books=self._books, book=book, position=position, begun=begun, shelf=self._shelf)
        return OpenBook(club=club, position=position, read=await read_book.text(), footer=footer)
