"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "book",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=True),
        sa.Column("page_source", sa.String(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("chapter_count", sa.Integer(), nullable=False),
        sa.Column("chunk_count", sa.Integer(), nullable=False),
        sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("book_id"),
        sa.UniqueConstraint("scope", "content_hash"),
    )
    with op.batch_alter_table("book", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_book_scope"), ["scope"], unique=False)

    op.create_table(
        "club",
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("removed_title", sa.String(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("club_id"),
        sa.UniqueConstraint("scope", "place"),
    )
    op.create_table(
        "inbound_event",
        sa.Column("event_id", sa.Integer(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("event_id"),
        sa.UniqueConstraint("platform", "place", "message_id"),
    )
    op.create_table(
        "chapter",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("first_page", sa.Integer(), nullable=False),
        sa.Column("last_page", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("book_id", "number"),
    )
    op.create_table(
        "chunk",
        sa.Column("chunk_id", sa.Integer(), nullable=False),
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("start_page", sa.Integer(), nullable=False),
        sa.Column("end_page", sa.Integer(), nullable=False),
        sa.Column("chapter_number", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("chunk_id"),
        sa.UniqueConstraint("book_id", "number"),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("chunk", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_chunk_book_id"), ["book_id"], unique=False)

    op.create_table(
        "page",
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("start_offset", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("book_id", "number"),
    )
    op.create_table(
        "reading",
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("club_id", sa.String(), nullable=False),
        sa.Column("book_id", sa.String(), nullable=False),
        sa.Column("current_page", sa.Integer(), nullable=True),
        sa.Column("pace", sa.String(), nullable=False),
        sa.Column("page_control", sa.String(), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["book_id"], ["book.book_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["club_id"], ["club.club_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reading_id"),
        sa.UniqueConstraint("club_id", "book_id"),
    )
    with op.batch_alter_table("reading", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_reading_book_id"), ["book_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_reading_club_id"), ["club_id"], unique=False)

    op.create_table(
        "chunk_vector",
        sa.Column("chunk_id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.String(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["chunk_id"], ["chunk.chunk_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("chunk_id", "model_id"),
    )
    op.create_table(
        "conversation",
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("session_id", sa.String(), nullable=False),
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("current_page", sa.Integer(), nullable=True),
        sa.Column("has_own_position", sa.Boolean(), nullable=False),
        sa.Column("listen", sa.String(), nullable=False),
        sa.Column("opened_by_bot", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("conversation_id"),
        sa.UniqueConstraint("session_id"),
    )
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_conversation_reading_id"), ["reading_id"], unique=False)

    op.create_table(
        "member_position",
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("current_page", sa.Integer(), nullable=True),
        sa.Column("last_spoke_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reading_id", "member_id"),
    )
    op.create_table(
        "position_change",
        sa.Column("change_id", sa.Integer(), nullable=False),
        sa.Column("reading_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=True),
        sa.Column("member_id", sa.String(), nullable=False),
        sa.Column("from_page", sa.Integer(), nullable=True),
        sa.Column("from_has_own", sa.Boolean(), nullable=False),
        sa.Column("to_page", sa.Integer(), nullable=True),
        sa.Column("to_has_own", sa.Boolean(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.conversation_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["reading_id"], ["reading.reading_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("change_id"),
    )
    with op.batch_alter_table("position_change", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_position_change_conversation_id"), ["conversation_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_position_change_reading_id"), ["reading_id"], unique=False)

    op.create_table(
        "turn",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("turn_number", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("asked_by", sa.String(), nullable=True),
        sa.Column("user_query", sa.String(), nullable=False),
        sa.Column("agent_response", sa.String(), nullable=True),
        sa.Column("guardrail_score", sa.Integer(), nullable=True),
        sa.Column("retrieval_attempts", sa.Integer(), nullable=False),
        sa.Column("rewritten_query", sa.String(), nullable=True),
        sa.Column("sources", sa.JSON(), nullable=False),
        sa.Column("reasoning_steps", sa.JSON(), nullable=False),
        sa.Column("provider", sa.String(), nullable=True),
        sa.Column("model", sa.String(), nullable=True),
        sa.Column("input_tokens", sa.Integer(), nullable=False),
        sa.Column("output_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_read_tokens", sa.Integer(), nullable=False),
        sa.Column("cache_write_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_micro_usd", sa.Integer(), nullable=True),
        sa.Column("duration_ms", sa.Integer(), nullable=True),
        sa.Column("error_code", sa.String(), nullable=True),
        sa.Column("feedback", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.conversation_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn_id"),
        sa.UniqueConstraint("conversation_id", "turn_number"),
    )
    with op.batch_alter_table("turn", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turn_asked_by"), ["asked_by"], unique=False)
        batch_op.create_index(batch_op.f("ix_turn_conversation_id"), ["conversation_id"], unique=False)

    op.create_table(
        "message",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("platform_ref", sa.String(), nullable=True),
        sa.Column("author_id", sa.String(), nullable=True),
        sa.Column("author_name", sa.String(), nullable=True),
        sa.Column("position", sa.Integer(), nullable=True),
        sa.Column("reveals_page", sa.Integer(), nullable=True),
        sa.Column("invocation_id", sa.String(), nullable=True),
        sa.Column("tool_name", sa.String(), nullable=True),
        sa.Column("tool_arguments", sa.JSON(), nullable=True),
        sa.Column("is_error", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversation.conversation_id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["turn_id"], ["turn.turn_id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("message_id"),
        sa.UniqueConstraint("platform_ref"),
    )
    with op.batch_alter_table("message", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_message_conversation_id"), ["conversation_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_message_turn_id"), ["turn_id"], unique=False)
