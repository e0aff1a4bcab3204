"""The book opened where somebody stands, through the one gate: what commands without a question are answered from.

Where a member reads is at a page of their own, else where everybody does; private answers go by it.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.answering.extracts.read_text import ReadText
from core.answering.positions import PositionService
from core.answering.read_book import PageCache, ReadBook
from core.answering.threads import ThreadService
from core.club.commands.values import CommandRequest
from core.domain.book import Book
from core.domain.errors import AsksFirstError, PositionError
from core.domain.messages import ASK_POSITION, thread_is_at
from core.domain.position import AnswerIn, Position, answer_in, page_names
from core.domain.reading import PositionOwner
from core.domain.scopes import is_private
from core.guard.citations import with_labels
from core.ports.books import BookRepository
from core.ports.clubs import ClubRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBook:
    """A book as far as it is read by whom it is opened for. `footer` says how far that is."""

    owner: PositionOwner
    book: Book
    position: int
    read: ReadText
    name: Callable[[int], str]
    footer: str

    def labelled(self, text: str) -> str:
        """Return a text with its cited pages as they are printed in the book, and how far it goes under it."""
        return f"{with_labels(text, self.name)}\n\n({self.footer})"


class OpenBooks:
    """Opens what a club reads, at a member's own page or at the thread's."""

    def __init__(
        self,
        *,
        threads: ThreadService,
        positions: PositionService,
        clubs: ClubRepository,
        books: BookRepository,
        shelf: PageCache,
    ) -> None:
        self._threads = threads
        self._positions = positions
        self._clubs = clubs
        self._books = books
        self._shelf = shelf

    async def for_member(self, request: CommandRequest) -> OpenBook:
        """Open it at the member's own page, else at the thread's: for what only they see.

        Raises:
            PositionError: nobody has said how far they have read.
            ThusfarError: the club reads nothing.
        """
        owner = await self._threads.owner(request.thread)
        member_id = request.member.member_id
        position = await own_position(owner, member_id, clubs=self._clubs, positions=self._positions)
        if position is None:
            raise PositionError(f"{ASK_POSITION} For just yourself, use `/mypage 120`.")
        footer = await self._positions.private_footer(owner, position, member_id)
        return await self._opened(owner, position, footer)

    async def for_all(self, request: CommandRequest) -> OpenBook:
        """Open it at the thread's page: for what everybody sees. Raises as `for_member` does."""
        owner = await self._threads.owner(request.thread)
        position = await self._positions.of_owner(owner)
        if position is None:
            raise PositionError(ASK_POSITION)
        return await self._opened(owner, position, await self._positions.footer(owner, position))

    async def as_chosen(self, request: CommandRequest, *, is_here: bool) -> tuple[OpenBook, bool]:
        """Open it for all where that is wanted and safe, else for the member; return it, and whether it is for all.

        Raises as `for_member` does, and AsksFirstError where the member is behind and has to choose first.
        """
        if not is_here or is_private(request.thread.scope):
            return await (self.for_all(request) if is_here else self.for_member(request)), is_here
        opened, member_id = await self.for_all(request), request.member.member_id
        own = await self._clubs.member_position(opened.owner.reading_id, member_id)
        state = await self._threads.state(request.thread)
        chosen = None if state is None else await self._clubs.answer_in(state.conversation.conversation_id, member_id)
        where = answer_in(own, opened.position, chosen)
        if where is AnswerIn.ASK:
            raise AsksFirstError(thread_is_at(opened.name(opened.position)))
        return (opened, True) if where is AnswerIn.HERE else (await self.for_member(request), False)

    async def page_of_all(self, request: CommandRequest) -> Position:
        """Return the thread's page; None where nobody has said it."""
        return await self._positions.of_owner(await self._threads.owner(request.thread))

    async def _opened(self, owner: PositionOwner, position: int, footer: str) -> OpenBook:
        book = await self._books.get(owner.book_id)
        outline = await self._books.outline(owner.book_id)
        read_book = ReadBook(books=self._books, book=book, position=position, begun=outline.chapters, shelf=self._shelf)
        return OpenBook(
            owner=owner,
            book=book,
            position=position,
            read=await read_book.text(),
            name=page_names(outline),
            footer=footer,
        )


async def own_position(
    owner: PositionOwner, member_id: str, *, clubs: ClubRepository, positions: PositionService
) -> Position:
    """Return where the member stands for themselves, else where the thread does."""
    own = await clubs.member_position(owner.reading_id, member_id)
    return own if own is not None else await positions.of_owner(owner)
