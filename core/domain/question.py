"""A message on its way to an answer: the incoming message, the question made from it, and the reply."""

import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from core.domain.book import Book, BookOutline, Chapter
from core.domain.chat_event import (
    ChatEvent,
    EventSink,
    SpoilerBlockedEvent,
    TokenUsageEvent,
    ToolInvocationEvent,
    ToolResultEvent,
)
from core.domain.clean_text import clean
from core.domain.conversation import AskedAs, Author, ChatMessage, Conversation, Role, Turn
from core.domain.note import NotesForModel
from core.domain.passage import SearchFn, SearchResult
from core.domain.position import AnswerIn, Position, page_names
from core.domain.thread import Thread
from core.domain.tool_use import Deadline, TokenUsage
from core.domain.understanding import Understanding

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """What a member said, as an adapter has translated it; `ref` names the platform's message for good.

    Who asks at a page of their own (`ask`) names `book_id` and `page`; then the thread's own position does not count.
    `window` is how many turns of the conversation are looked at, where the asker says so. The author has no name at
    the command line. `asked` is how sure it is that the bot is asked something, `heard_by` which bot heard
    it, of several. `about` is the reading that was meant, where it is answered later. `words_of` names another member
    whose words the author has asked about. `understood` is what it means, where it was heard among others.
    """

    thread: Thread
    author: Author
    text: str
    ref: str | None = None
    book_id: str | None = None
    page: Position = None
    window: int | None = None
    asked: AskedAs = AskedAs.YES
    heard_by: str = ""
    about: str = ""
    words_of: str = ""
    understood: Understanding | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", clean(self.text))

    @property
    def speaker(self) -> Author:
        """The author, by the name of the member who wrote the words."""
        return replace(self.author, display_name=self.words_of) if self.words_of else self.author


@dataclass(slots=True, kw_only=True)
class TurnLog:
    """What a turn did and took, as its events tell; it hears each of them, and passes it on.

    It is whole also where the turn ends without an answer.

    `calls` are those of which a provider told what they took, `of_models` that of each call by the model's name.
    `steps` name the tools that ran, each with the number of calls that had been made for drafts by then (0 for a search
    that goes along with the question). `guardrail_score` says how far the message is the club's business, 0 to 100, and
    `guardrail_reasoning` why. `found` are the tool results of a run that failed.
    """

    on_event: EventSink | None = None
    usage: TokenUsage = field(default_factory=TokenUsage)
    of_models: dict[str, list[TokenUsage]] = field(default_factory=dict)
    calls: int = 0
    searches: int = 0
    sources: dict[int, SearchResult] = field(default_factory=dict)
    steps: list[str] = field(default_factory=list)
    blocks: Counter[str] = field(default_factory=Counter)
    model: str | None = None
    began: float = field(default_factory=time.monotonic)
    drafted_after: int = 0
    guardrail_score: int | None = None
    guardrail_reasoning: str | None = None
    found: list[ChatMessage] = field(default_factory=list)

    def take(self, event: ChatEvent) -> None:
        """Note an event. A sink that fails never takes the answer with it."""
        match event:
            case ToolInvocationEvent():
                self.steps.append(f"{self.drafted_after + event.iteration}: {event.tool_name}")
            case ToolResultEvent():
                self.searches += event.is_search
                self.sources.update((result.chunk_id, result) for result in event.results)
            case TokenUsageEvent():
                self.calls += 1
                self.usage += event.usage
                self.of_models.setdefault(event.model or "", []).append(event.usage)
                self.model = event.model or self.model
            case SpoilerBlockedEvent():
                self.blocks.update(event.rules)
            case _:
                pass
        try:
            if self.on_event is not None:
                self.on_event(event)
        except Exception:  # noqa: BLE001 (whatever it is)
            _log.exception("An event sink failed on %s.", type(event).__name__)

    def drafted(self, calls: int) -> None:
        """Note that a draft was made and judged, after so many calls since the turn began."""
        self.drafted_after = calls

    def scored(self, score: int, reasoning: str) -> None:
        """Store how far the message is in scope; a model's score replaces that of the rules."""
        self.guardrail_score, self.guardrail_reasoning = score, reasoning

    @property
    def duration_ms(self) -> int:
        """Wall time since the turn began."""
        return round((time.monotonic() - self.began) * 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One message on its way to its answer: the only thing that travels.

    `position` is how far the reader of the answer has read, `history` what was said before and may be told there.
    `search` finds passages of the pages up to it: book and position are bound into it. `query` is what to search for:
    the message, with what it takes up of what was said before it. `notes` gives a model reading notes of these pages;
    None where there are none. `author` is the asker as others are told of them; `reveals_page` the highest unread page
    that the message itself is known to tell of. `outline` has the printed page labels, `chapters` are those that are
    begun, None where nobody has looked. `along` are passages that go to a model with the question, whatever is found;
    `aside` are lines about the club that go with it.
    Without a `turn` nothing is kept. `understood` is what the message means.
    """

    message: IncomingMessage
    book: Book
    position: Position
    author: Author
    search: SearchFn
    query: str
    deadline: Deadline
    log: TurnLog
    outline: BookOutline
    chapters: tuple[Chapter, ...] | None = None
    along: tuple[SearchResult, ...] = ()
    aside: str = ""
    history: tuple[ChatMessage, ...] = ()
    notes: NotesForModel | None = None
    reveals_page: int | None = None
    conversation: Conversation | None = None
    turn: Turn | None = None
    understood: Understanding | None = None

    @property
    def text(self) -> str:
        """What was asked."""
        return self.message.text

    @property
    def said(self) -> ChatMessage:
        """The message as it is stored in the conversation."""
        return ChatMessage(
            role=Role.USER,
            content=self.text,
            position=self.position,
            author=self.author,
            reveals_page=self.reveals_page,
            platform_ref=self.message.ref,
        )

    @property
    def page_name(self) -> Callable[[int], str]:
        """Returns the printed label of a page, else its number."""
        return page_names(self.outline.at(self.position))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to post: the text, the position it was written for, the passages it rests on.

    An answer has a footer, which says how far it goes by the labels printed in the book. `rests_on_book`: it quotes the
    book or cites a page of it. `has_more`: more passages can be asked for. `by_model`: a model wrote it. `too_fast`:
    the asker asked more than one may. `nothing_read`: there is no book to answer from. `is_kept`: it stands in the
    inbox already, beside the message that it replies to. Without a text there is nothing to post. `asked_back` is the
    turn of a question whose asker is behind the thread, to be `answered_in` it, alone, or where they choose.
    """

    text: str
    position: Position = None
    sources: tuple[SearchResult, ...] = ()
    turn_id: int | None = None
    failed: bool = False
    footer: str = ""
    too_fast: bool = False
    nothing_read: bool = False
    asked_back: int | None = None
    answered_in: AnswerIn = AnswerIn.HERE
    rests_on_book: bool = False
    has_more: bool = False
    by_model: bool = False
    is_kept: bool = field(default=False, compare=False)
