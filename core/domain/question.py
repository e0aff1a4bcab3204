"""A message on its way through the house: what an adapter hands in, the question it becomes, and what comes back."""

from dataclasses import dataclass, field

from core.domain.book import Book, BookOutline, Chapter
from core.domain.conversation import Author, ChatMessage, Conversation, Role, Turn
from core.domain.deadline import Deadline
from core.domain.passage import SearchFn, SearchResult
from core.domain.position import Position, page_names
from core.domain.talk import Asked
from core.domain.thread import Thread
from core.domain.turn_log import TurnLog


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """What a member said, as an adapter has translated it; `ref` names the platform's message for good.

    Who asks at a page of their own (`ask`) names `book_id` and `page`; then the thread's own position does not count.
    `window` is how many turns of the conversation are looked at, where the asker says so. A nameless author is whoever
    works at the command line. `asked` is how sure it is that the bot is asked something, `heard_by` which bot heard
    it, of several.
    """

    thread: Thread
    author: Author
    text: str
    ref: str | None = None
    book_id: str | None = None
    page: Position = None
    window: int | None = None
    asked: Asked = Asked.YES
    heard_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One message on its way to its answer: the only thing that travels.

    `position` is how far whoever reads the answer has read, `history` what was said before and may be told there, and
    `search` finds passages of the pages up to it: book and position are bound into it. `author` is the asker as others
    are told of them; `reveals_page` the highest unread page that the message itself is known to tell of. `labels` are
    the page numbers that are printed otherwise, `chapters` those that are begun, None where nobody has looked.
    Without a `turn` nothing is kept.
    """

    message: IncomingMessage
    book: Book
    position: Position
    author: Author
    search: SearchFn
    deadline: Deadline
    log: TurnLog
    outline: BookOutline
    chapters: tuple[Chapter, ...] | None = None
    history: tuple[ChatMessage, ...] = ()
    reveals_page: int | None = None
    conversation: Conversation | None = None
    turn: Turn | None = None

    @property
    def text(self) -> str:
        """What was asked."""
        return self.message.text

    @property
    def said(self) -> ChatMessage:
        """The message as the conversation keeps it."""
        return ChatMessage(
            role=Role.USER,
            content=self.text,
            position=self.position,
            author=self.author,
            reveals_page=self.reveals_page,
            platform_ref=self.message.ref,
        )

    def page_name(self, page: int) -> str:
        """Return what people see of a page number: the label printed in the book, else the number."""
        return page_names(self.outline)(page)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to post: the text, the position it was written for, the passages it rests on.

    An answer has a footer, which says how far it goes by the labels printed in the book. `rests_on_book`: it quotes the
    book or cites a page of it. `has_more`: another passage can be asked for. `too_fast`: the asker asked more than one
    may. `nothing_read`: there is no book to answer from. `is_kept`: it stands in the inbox already, beside the message
    that it replies to. Without a text there is nothing to post.
    """

    text: str
    position: Position = None
    sources: tuple[SearchResult, ...] = ()
    turn_id: int | None = None
    failed: bool = False
    footer: str = ""
    too_fast: bool = False
    nothing_read: bool = False
    rests_on_book: bool = False
    has_more: bool = False
    is_kept: bool = field(default=False, compare=False)
