"""The tables. Row classes end in `Row` and never leave this package."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, LargeBinary, UniqueConstraint, false
from sqlmodel import Field

from adapters.persistence.columns import Row, json_or_null, owned_by, utc_now


class BookRow(Row, table=True):
    """One imported text in one scope; `works` is a JSON list of title, first and last page of the books of a series."""

    __tablename__ = "book"
    __table_args__ = (UniqueConstraint("scope", "content_hash"),)

    book_id: str = Field(primary_key=True)
    scope: str = Field(index=True)
    content_hash: str
    title: str
    author: str | None = None
    page_source: str
    page_count: int
    chapter_count: int
    chunk_count: int
    first_story_page: int | None = None
    last_story_page: int | None = None
    works: str = Field(default="[]", sa_column_kwargs={"server_default": "[]"})
    imported_at: datetime = Field(default_factory=utc_now)
    noted_at: datetime | None = None


class PageRow(Row, table=True):
    """A page: the authoritative text."""

    __tablename__ = "page"

    book_id: str = Field(sa_column=owned_by("book.book_id", primary_key=True, index=False))
    number: int = Field(primary_key=True)
    label: str | None = None
    start_offset: int
    text: str


class ChapterRow(Row, table=True):
    """A chapter and its pages; `path` is a JSON list of the titles of what it stands in."""

    __tablename__ = "chapter"

    book_id: str = Field(sa_column=owned_by("book.book_id", primary_key=True, index=False))
    number: int = Field(primary_key=True)
    title: str
    first_page: int
    last_page: int
    path: str = Field(default="[]", sa_column_kwargs={"server_default": "[]"})


class OutsidePartRow(Row, table=True):
    """A part of a book outside its story."""

    __tablename__ = "outside_part"

    book_id: str = Field(sa_column=owned_by("book.book_id", primary_key=True, index=False))
    number: int = Field(primary_key=True)
    role: str
    title: str
    first_page: int
    last_page: int
    why: str


class ChunkRow(Row, table=True):
    """An indexed piece of a page."""

    __tablename__ = "chunk"
    # Ids are never reused: an index that still has a removed book's ids must not find them in another.
    __table_args__ = (
        UniqueConstraint("book_id", "number"),
        Index("ix_chunk_book_id_start_page", "book_id", "start_page"),
        {"sqlite_autoincrement": True},
    )

    chunk_id: int | None = Field(default=None, primary_key=True)
    book_id: str = Field(sa_column=owned_by("book.book_id", index=False))
    number: int
    start_page: int
    end_page: int
    chapter_number: int | None = None
    text: str


class ChunkVectorRow(Row, table=True):
    """A chunk's vectors under one embedding model, concatenated: float32, little-endian."""

    __tablename__ = "chunk_vector"

    chunk_id: int = Field(
        sa_column=Column(ForeignKey("chunk.chunk_id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    model_id: str = Field(primary_key=True)
    vector: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class NoteRow(Row, table=True):
    """One plain sentence of what a page tells; never the book's text."""

    __tablename__ = "note"

    book_id: str = Field(sa_column=owned_by("book.book_id", primary_key=True, index=False))
    page: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    text: str
    written_by: str | None = None
    written_at: datetime | None = None
    moved_from: int | None = None


class NoteMakingRow(Row, table=True):
    """A job that makes a book's notes, until all of them are made."""

    __tablename__ = "note_making"

    book_id: str = Field(sa_column=owned_by("book.book_id", primary_key=True, index=False))
    most_tokens: int
    asked_in: str = ""
    begun_at: datetime = Field(default_factory=utc_now)


class NoteBatchRow(Row, table=True):
    """Pages whose notes are made, and the tokens used."""

    __tablename__ = "note_batch"

    book_id: str = Field(sa_column=owned_by("note_making.book_id", primary_key=True, index=False))
    first_page: int = Field(primary_key=True)
    last_page: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int


class ClubRow(Row, table=True):
    """A place in a scope where books are read."""

    __tablename__ = "club"
    __table_args__ = (UniqueConstraint("scope", "place"),)

    club_id: str = Field(primary_key=True)
    scope: str
    place: str
    removed_title: str | None = None
    listen: str = Field(default="questions", sa_column_kwargs={"server_default": "questions"})
    is_watched: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    created_at: datetime = Field(default_factory=utc_now)


class ReadingRow(Row, table=True):
    """A club reading one book."""

    __tablename__ = "reading"
    __table_args__ = (UniqueConstraint("club_id", "book_id"),)

    reading_id: str = Field(primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id"))
    book_id: str = Field(sa_column=owned_by("book.book_id"))
    current_page: int | None = None
    edition: dict[str, object] | None = Field(default=None, sa_column=json_or_null())
    pace: str
    page_control: str
    last_used_at: datetime = Field(default_factory=utc_now)


class MemberPositionRow(Row, table=True):
    """A member's position in a reading."""

    __tablename__ = "member_position"

    reading_id: str = Field(sa_column=owned_by("reading.reading_id", primary_key=True, index=False))
    member_id: str = Field(primary_key=True)
    current_page: int | None = None
    edition: dict[str, object] | None = Field(default=None, sa_column=json_or_null())
    last_spoke_at: datetime | None = None
    recapped_page: int | None = None
    nudged_at: datetime | None = None


class ConversationRow(Row, table=True):
    """A thread about one reading."""

    __tablename__ = "conversation"

    conversation_id: str = Field(primary_key=True)
    session_id: str = Field(unique=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id"))
    current_page: int | None = None
    has_own_position: bool = False
    listen: str = ""
    metadata_: dict[str, object] | None = Field(default=None, sa_column=json_or_null())
    created_at: datetime = Field(default_factory=utc_now)
    updated_at: datetime | None = Field(default_factory=utc_now)


class MemberThreadRow(Row, table=True):
    """Where a member who is behind a thread wants to be answered."""

    __tablename__ = "member_thread"

    conversation_id: str = Field(sa_column=owned_by("conversation.conversation_id", primary_key=True, index=False))
    member_id: str = Field(primary_key=True)
    answer_in: str


class GoneThreadRow(Row, table=True):
    """A thread whose book was removed: the prefix of its session ids, and the book's title."""

    __tablename__ = "gone_thread"

    session_of: str = Field(primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id"))
    title: str


class PositionChangeRow(Row, table=True):
    """A move of a thread, or of a reading if there is no conversation, stored so that it can be undone."""

    __tablename__ = "position_change"

    change_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id"))
    conversation_id: str | None = Field(default=None, sa_column=owned_by("conversation.conversation_id", nullable=True))
    member_id: str
    from_page: int | None = None
    from_has_own: bool
    to_page: int | None = None
    to_has_own: bool
    undone: bool = False
    changed_at: datetime = Field(default_factory=utc_now)


class TurnRow(Row, table=True):
    """One question and its answer, with its search and its usage."""

    __tablename__ = "turn"
    __table_args__ = (
        UniqueConstraint("conversation_id", "turn_number"),
        Index("ix_turn_asked_by_conversation_id", "asked_by", "conversation_id"),
    )

    turn_id: int | None = Field(default=None, primary_key=True)
    conversation_id: str = Field(sa_column=owned_by("conversation.conversation_id", index=False))
    turn_number: int
    status: str
    position: int | None = None
    asked_by: str | None = None
    user_query: str
    agent_response: str | None = None
    guardrail_score: int | None = None
    guardrail_reasoning: str | None = None
    retrieval_attempts: int = 0
    rewritten_query: str | None = None
    sources: list[dict[str, object]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    reasoning_steps: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    provider: str | None = None
    model: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_micro_usd: int | None = None
    duration_ms: int | None = None
    max_iterations_reached: bool | None = None
    blocks: dict[str, int] | None = Field(default=None, sa_column=json_or_null())
    error_code: str | None = None
    created_at: datetime = Field(default_factory=utc_now)


class MessageRow(Row, table=True):
    """One message of a conversation, in the order of ids."""

    __tablename__ = "message"

    message_id: int | None = Field(default=None, primary_key=True)
    conversation_id: str = Field(sa_column=owned_by("conversation.conversation_id"))
    turn_id: int | None = Field(
        default=None, sa_column=Column(ForeignKey("turn.turn_id", ondelete="CASCADE"), nullable=True, index=True)
    )
    role: str
    content: str
    platform_ref: str | None = Field(default=None, unique=True)
    author_id: str | None = None
    author_name: str | None = None
    position: int | None = None
    reveals_page: int | None = None
    invocation_id: str | None = None
    tool_name: str | None = None
    tool_arguments: dict[str, object] | None = Field(default=None, sa_column=json_or_null())
    is_error: bool = False
    created_at: datetime = Field(default_factory=utc_now)


class InboundEventRow(Row, table=True):
    """An incoming event until it is finished; the ids stay for a while, so that it is never handled twice."""

    __tablename__ = "inbound_event"
    # Unfinished events have indexes of their own in `partial_indexes`.
    __table_args__ = (UniqueConstraint("platform", "bot", "place", "message_id", name="heard_once"),)

    event_id: int | None = Field(default=None, primary_key=True)
    platform: str
    bot: str = ""
    place: str
    message_id: str
    payload: dict[str, object] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    ref: str | None = None
    state: str = Field(default="received", sa_column_kwargs={"server_default": "received"})
    attempts: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    owner: str | None = None
    leased_until: datetime | None = None
    thread: str | None = None
    said_order: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    asked: str | None = None
    blame: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    reply: dict[str, object] | None = Field(default=None, sa_column=json_or_null())
    posted: list[str] | None = Field(default=None, sa_column=json_or_null())
    received_at: datetime = Field(default_factory=utc_now)


class LeftServerRow(Row, table=True):
    """A server that removed the bot, and when that was noticed."""

    __tablename__ = "left_server"

    scope: str = Field(primary_key=True)
    left_at: datetime


class SecretRow(Row, table=True):
    """A secret of this installation."""

    __tablename__ = "secret"

    name: str = Field(primary_key=True)
    secret: bytes
