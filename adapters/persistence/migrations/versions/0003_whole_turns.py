"""Turns on record whole; indexes for what every turn asks; homes of the very first tables brought up to them.

No table that others refer to is copied: SQLite would delete their rows with the old one.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Apply."""
    _complete_the_first_tables()
    op.add_column("turn", sa.Column("guardrail_reasoning", sa.String(), nullable=True))
    op.add_column("turn", sa.Column("max_iterations_reached", sa.Boolean(), nullable=True))
    op.add_column("turn", sa.Column("blocks", sa.JSON(), nullable=True))
    op.drop_column("conversation", "opened_by_bot")  # nobody read it
    op.drop_index("ix_turn_asked_by", "turn")
    op.drop_index("ix_turn_conversation_id", "turn")  # their numbers are unique in it: an index that begins with it
    op.drop_index("ix_chunk_book_id", "chunk")  # the same
    op.create_index("ix_turn_asked_by_conversation_id", "turn", ["asked_by", "conversation_id"])
    op.create_index("ix_chunk_book_id_start_page", "chunk", ["book_id", "start_page"])


def _complete_the_first_tables() -> None:
    """Add what the very first tables lacked: they were changed several times before there was a 0002."""
    if not _has("club", "removed_title"):
        op.add_column("club", sa.Column("removed_title", sa.String(), nullable=True))
    if not _has("turn", "cost_micro_usd"):
        op.add_column("turn", sa.Column("cost_micro_usd", sa.Integer(), nullable=True))
    if _has("conversation", "listen"):
        return
    op.add_column("conversation", sa.Column("listen", sa.String(), nullable=False, server_default="opened"))
    op.add_column(
        "conversation", sa.Column("opened_by_bot", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("turn", sa.Column("asked_by", sa.String(), nullable=True))
    op.add_column("turn", sa.Column("feedback", sa.Integer(), nullable=True))
    op.create_index("ix_turn_asked_by", "turn", ["asked_by"])
    op.add_column("message", sa.Column("platform_ref", sa.String(), nullable=True))
    op.add_column("position_change", sa.Column("reading_id", sa.String(), nullable=True))
    op.execute(
        "UPDATE position_change SET reading_id = (SELECT reading_id FROM conversation"
        " WHERE conversation.conversation_id = position_change.conversation_id)"
    )
    # Nothing hangs on these two.
    with op.batch_alter_table("message") as message:
        message.create_unique_constraint("uq_message_platform_ref", ["platform_ref"])
    with op.batch_alter_table("position_change") as change:
        change.alter_column("reading_id", existing_type=sa.String(), nullable=False)
        change.alter_column("conversation_id", existing_type=sa.String(), nullable=True)
        change.create_foreign_key(
            "fk_position_change_reading_id", "reading", ["reading_id"], ["reading_id"], ondelete="CASCADE"
        )
        change.create_index("ix_position_change_reading_id", ["reading_id"])


def _has(table: str, column: str) -> bool:
    return column in {each["name"] for each in sa.inspect(op.get_bind()).get_columns(table)}
