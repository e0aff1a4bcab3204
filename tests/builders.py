"""Makes the values that tests talk about: sensible defaults, overridden by keyword."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from core.domain.book import Book, BookOutline, BookStatus, BookText, Chapter, Chunk, Page, PageSource
from core.domain.conversation import Author, ChatMessage, Role
from core.domain.passage import SearchFn, SearchResult
from core.domain.position import Position
from core.domain.question import IncomingMessage, Question, TurnLog
from core.domain.sealed_item import SealedItem, SealedItemKind
from core.domain.thread import Thread
from core.domain.tool_use import ChatResponse, StopReason, TokenUsage, ToolInvocation, TurnLimits
from core.language.chunking import chunk_pages

ADA = Author(member_id="m_ada", display_name="Ada")
BO = Author(member_id="m_bo", display_name="Bo")

STORY = (
    "The ferry left Marrow Quay at dawn. Ada Lindqvist carried a brass compass in her coat.",
    "The lighthouse keeper, Tobias Fenn, kept seven clocks. None of his clocks ever agreed.",
    "A stranger asked for the harbour ledger. Tobias hid the ledger under the coal.",
    "The compass was stolen in the night. Only the window stood open.",
    "They found a torn glove beside the cistern. The glove belonged to the magistrate.",
    "The magistrate confessed in the chapel. He had drowned the pilot for the compass.",
)
"""Six pages; each tells something that no page before it tells."""


def a_book_text(
    pages: Sequence[str] = STORY,
    *,
    title: str = "The Marrow Light",
    author: str | None = "E. Hale",
    chapters: Sequence[Chapter] = (),
    labels: Sequence[str] | None = None,
) -> BookText:
    """A book of a page a text, printed labels where they are given."""
    return BookText(
        title=title,
        author=author,
        pages=tuple(
            Page(number=number, text=text, label=labels[number - 1] if labels else None, start_offset=start)
            for number, (text, start) in enumerate(zip(pages, _starts(pages), strict=True), start=1)
        ),
        chapters=tuple(chapters),
        page_source=PageSource.FORM_FEEDS,
    )


def _starts(pages: Sequence[str]) -> list[int]:
    """Where each page begins, the texts joined by one character each."""
    return [*accumulate((len(page) + 1 for page in pages[:-1]), initial=0)]


def chunks_of(text: BookText) -> list[Chunk]:
    """The chunks that an import would make."""
    return [*_chunks_of(text)]


@lru_cache(maxsize=32)
def _chunks_of(text: BookText) -> tuple[Chunk, ...]:
    """Most tests store the same story."""
    return tuple(chunk_pages(text.pages, text.chapters))


def a_passage(
    text: str = "The ferry left Marrow Quay at dawn.", *, chunk_id: int = 1, page: int = 1, score: float = 1.0
) -> SearchResult:
    """One chunk as retrieved."""
    return SearchResult(chunk_id=chunk_id, start_page=page, end_page=page, score=score, text=text)


BOOK = Book(
    book_id="b",
    scope="local",
    title="The Marrow Light",
    author="E. Hale",
    content_hash="h",
    pages=6,
    chapters=0,
    chunks=6,
    page_source=PageSource.FORM_FEEDS,
    status=BookStatus.COMPLETE,
)


def a_question(
    text: str,
    search: SearchFn,
    *,
    query: str | None = None,
    book: Book = BOOK,
    position: Position = 6,
    log: TurnLog | None = None,
) -> Question:
    """What a member asks about a book that is read to its sixth page."""
    thread = Thread(scope="discord:1", place="books", thread="t1")
    return Question(
        message=IncomingMessage(thread=thread, author=ADA, text=text),
        book=book,
        position=position,
        author=ADA,
        search=search,
        query=text if query is None else query,
        deadline=TurnLimits().deadline(),
        log=log or TurnLog(),
        outline=BookOutline(pages=book.pages),
    )


def a_message(
    content: str = "Who carried the compass?",
    *,
    role: Role = Role.USER,
    position: Position = 1,
    reveals_page: int | None = None,
    author: Author | None = None,
) -> ChatMessage:
    """One stored message."""
    return ChatMessage(role=role, content=content, position=position, reveals_page=reveals_page, author=author)


def a_tool_result(
    content: str = "No relevant passages found.",
    *,
    invocation: ToolInvocation | None = None,
    position: Position = 1,
    reveals_page: int | None = None,
) -> ChatMessage:
    """One stored tool result, with the invocation that it answers."""
    return ChatMessage(
        role=Role.TOOL_RESULT,
        content=content,
        position=position,
        reveals_page=reveals_page,
        invocation=invocation or an_invocation(),
    )


def an_invocation(
    query: object = "compass", *, invocation_id: str = "call_1", tool_name: str = "search_book", **arguments: object
) -> ToolInvocation:
    """A model's wish to search."""
    return ToolInvocation(tool_name=tool_name, arguments={"query": query, **arguments}, invocation_id=invocation_id)


def says(
    text: str = "Ada carries it (p. 1).",
    *,
    usage: TokenUsage | None = None,
    stop_reason: StopReason = StopReason.END,
    model: str | None = None,
) -> ChatResponse:
    """A model's answer in words."""
    return ChatResponse(text=text, usage=usage, stop_reason=stop_reason, model=model)


def wants(
    *invocations: ToolInvocation,
    preamble: str | None = None,
    usage: TokenUsage | None = None,
    stop_reason: StopReason = StopReason.TOOL_USE,
    provider_state: object = None,
) -> ChatResponse:
    """A model's wish for tools; one search where none is named."""
    return ChatResponse(
        tool_invocations=invocations or (an_invocation(),),
        preamble=preamble,
        usage=usage,
        stop_reason=stop_reason,
        provider_state=provider_state,
    )


def a_prediction(reading_id: str, *, opens_at: int = 5, text: str = "He did it. “Æ” 🙂", by: str = "ada") -> SealedItem:
    """A prediction that was sealed on page 2."""
    return SealedItem(
        reading_id=reading_id,
        kind=SealedItemKind.PREDICTION,
        member_id=by,
        member_name=by.capitalize(),
        text=text,
        made_at=2,
        opens_at=opens_at,
        had_read_further=True,
    )
