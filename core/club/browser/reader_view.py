"""What the browser page shows of a book: its read pages, earlier questions, and answers at several pages.

Everything here goes through the page gate. Of unread pages, only the numbers of pages and chapters are shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from core.answering.ask import AskQuestion, AskRequest
from core.answering.read_book import PageCache, ReadBook
from core.catalogue.sentences import say, sentence
from core.domain.book import Book, BookOutline, Chapter
from core.domain.chat_event import EventSink
from core.domain.club_state import ClubState
from core.domain.conversation import Conversation, Role
from core.domain.errors import BookError, BookErrorCode, PositionError
from core.domain.position import Position, footer, page_names
from core.guard.citations import with_labels
from core.ports.books import BookTexts
from core.ports.conversations import ChatMessageRepository

_AHEAD = sentence("You haven't read that page yet.")

_MOST_PAGES: Final = 4

_MOST_MESSAGES: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenChapter:
    """A chapter: its pages, and its title once its first page is read."""

    number: int
    first_page: int
    last_page: int
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSoFar:
    """A book as far as it is read. `pages` are those of the story; `names` are what people see of them, from page 1."""

    book: Book
    position: Position
    pages: int
    names: tuple[str, ...]
    chapters: tuple[SeenChapter, ...]

    @property
    def read(self) -> int:
        """The number of pages read."""
        return self.position or 0

    @property
    def chapter(self) -> SeenChapter | None:
        """The chapter of the last page read; None if nothing is read or there are no chapters."""
        return self.chapter_of(self.read)

    def chapter_of(self, page: int) -> SeenChapter | None:
        """Return the chapter of a page."""
        return next((one for one in self.chapters if one.first_page <= page <= one.last_page), None)

    def name(self, page: int) -> str:
        """Return the printed label of a page, else its number."""
        return self.names[page - 1] if page else "0"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A read page with its text; `title` is the title of a chapter that begins on it."""

    page: int
    name: str
    text: str
    chapter: SeenChapter | None


class ReaderView:
    """Shows the read part of books; `shelf` is the cache of pages."""

    def __init__(self, *, books: BookTexts, shelf: PageCache) -> None:
        self._books = books
        self._shelf = shelf

    async def so_far(self, club: ClubState) -> ReadSoFar:
        """Return the read part of a thread's book."""
        return await self.up_to(club.book, club.page_of_all)

    async def since(self, club: ClubState, before: ReadSoFar | None) -> ReadSoFar:
        """Return the read part of a thread's book, or the earlier result if neither book nor page has changed.

        The earlier result may have old chapter titles.
        """
        if before is not None and (before.book, before.position) == (club.book, club.page_of_all):
            return before
        return await self.so_far(club)

    async def up_to(self, book: Book, position: Position) -> ReadSoFar:
        """Return the read part of a book at a position."""
        outline = await self._books.outline(book.book_id)
        name = page_names(outline)
        return ReadSoFar(
            book=book,
            position=position,
            pages=outline.story_end,
            names=tuple(name(page) for page in range(1, outline.pages + 1)),
            chapters=_seen(outline, position),
        )

    async def page(self, club: ClubState, page: int) -> ReadPage:
        """Return a read page.

        Raises:
            BookError: PAGE_OUT_OF_RANGE, it is unread or does not exist; the sentence is the same for both.
        """
        seen = await self.so_far(club)
        text = await ReadBook(books=self._books, book=seen.book, position=seen.position, shelf=self._shelf).text()
        found = text.by_number.get(page)
        if found is None:
            raise BookError(BookErrorCode.PAGE_OUT_OF_RANGE, say(_AHEAD))
        return ReadPage(page=page, name=seen.name(page), text=found.text, chapter=seen.chapter_of(page))


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAtPage:
    """The answer for readers up to a page, with its footer."""

    page: int
    text: str
    footer: str


class AnswersAtPages:
    """Answers a question at several read pages of a thread's book, to compare the answers. Stores nothing."""

    def __init__(self, *, ask: AskQuestion) -> None:
        self._ask = ask

    async def execute(
        self, club: ClubState, question: str, pages: Sequence[int], on_event: EventSink | None = None
    ) -> list[AnswerAtPage]:
        """Return the answers, in the order of the pages.

        Raises:
            PositionError: there is no question, or a page is not read yet.
            LLMError: the model gave no answer.
        """
        if not question.strip():
            raise PositionError(say("Write a question first. Then I'll answer it at each of the pages."))
        read = club.page_of_all or 0
        if len(pages) > _MOST_PAGES or not all(0 <= page <= read for page in pages):
            raise PositionError(say("I can only compare pages you've read. Move your page first."))
        name = club.page_name
        answers = []
        for page in pages:
            request = AskRequest(question=question, book_id=club.book.book_id, page=page)
            asked = await self._ask.execute(request, on_event)
            shown = with_labels(asked.text, name)
            answers.append(AnswerAtPage(page=page, text=shown, footer=footer(page, name=name)))
        return answers


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurn:
    """A question with its posted answer and the page at which it was asked.

    Readers who have not reached the page `reaches` do not see the answer.
    """

    question: str
    answer: str
    footer: str
    asked_at: int
    reaches: int


class EarlierTalk:
    """Looks up the latest turns of a conversation, for the browser after a restart."""

    def __init__(self, *, messages: ChatMessageRepository, books: BookTexts) -> None:
        self._messages = messages
        self._books = books

    async def of(self, conversation: Conversation) -> Sequence[EarlierTurn]:
        """Return the latest answered questions, oldest first, without forgotten ones."""
        said = await self._messages.latest(conversation.conversation_id, most=_MOST_MESSAGES)
        name = page_names(await self._books.outline(conversation.book_id))
        return [
            EarlierTurn(
                question=asked.content,
                answer=with_labels(answer.content, name),
                footer=footer(answer.position, name=name),
                asked_at=asked.position or 0,
                reaches=max(answer.position or 0, answer.reveals_page or 0),
            )
            for asked, answer in pairwise(said)
            if (asked.role, answer.role) == (Role.USER, Role.ASSISTANT)
        ]


def _seen(outline: BookOutline, position: Position) -> tuple[SeenChapter, ...]:
    return tuple(_as_seen(chapter, position or 0) for chapter in outline.chapters)


def _as_seen(chapter: Chapter, read: int) -> SeenChapter:
    return SeenChapter(
        number=chapter.number,
        first_page=chapter.first_page,
        last_page=chapter.last_page,
        title=chapter.title.strip() if chapter.first_page <= read else None,
    )
