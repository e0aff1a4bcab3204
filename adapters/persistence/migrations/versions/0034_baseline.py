"""Every earlier schema, brought to this one: by what is there, since the same number once meant several schemas.

Tables that are missing altogether are made as declared, after the last migration. No table that others refer to is
copied: SQLite would delete their rows with the old one.
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel import SQLModel

revision = "0034"
down_revision = None

_MOMENT = sa.DateTime(timezone=True)
_ADDED = (
    ("book", "first_story_page", sa.Integer(), None),
    ("book", "last_story_page", sa.Integer(), None),
    ("book", "noted_at", _MOMENT, None),
    ("book", "works", sa.String(), "[]"),
    ("chapter", "path", sa.String(), "[]"),
    ("club", "removed_title", sa.String(), None),
    ("club", "listen", sa.String(), "questions"),
    ("club", "is_watched", sa.Boolean(), sa.false()),
    ("reading", "edition", sa.JSON(), None),
    ("member_position", "edition", sa.JSON(), None),
    ("member_position", "recapped_page", sa.Integer(), None),
    ("member_position", "nudged_at", _MOMENT, None),
    ("conversation", "listen", sa.String(), ""),
    ("conversation", "metadata_", sa.JSON(), None),
    ("conversation", "updated_at", _MOMENT, None),
    ("turn", "cost_micro_usd", sa.Integer(), None),
    ("turn", "asked_by", sa.String(), None),
    ("turn", "guardrail_reasoning", sa.String(), None),
    ("turn", "max_iterations_reached", sa.Boolean(), None),
    ("turn", "blocks", sa.JSON(), None),
    ("message", "platform_ref", sa.String(), None),
    ("position_change", "reading_id", sa.String(), None),
    ("inbound_event", "ref", sa.String(), None),
    ("inbound_event", "state", sa.String(), "received"),
    ("inbound_event", "attempts", sa.Integer(), "0"),
    ("inbound_event", "reply", sa.JSON(), None),
    ("inbound_event", "owner", sa.String(), None),
    ("inbound_event", "blame", sa.Integer(), "0"),
    ("inbound_event", "bot", sa.String(), ""),
    ("inbound_event", "posted", sa.JSON(), None),
    ("inbound_event", "thread", sa.String(), None),
    ("inbound_event", "said_order", sa.BigInteger(), None),
    ("inbound_event", "asked", sa.String(), None),
    ("inbound_event", "leased_until", _MOMENT, None),
    ("keepsake", "week", sa.String(), None),
)
"""Table, column, type, and the value for rows that are there already; the column may be null where there is none."""


def upgrade() -> None:
    """Apply."""
    inspector = sa.inspect(op.get_bind())
    had = {table: {each["name"] for each in inspector.get_columns(table)} for table in inspector.get_table_names()}
    lacked = {(table, name) for table, name, _, _ in _ADDED if table in had and name not in had[table]}
    for table, name, kind, default in _ADDED:
        if (table, name) in lacked:
            op.add_column(table, sa.Column(name, kind, nullable=default is None, server_default=default))
    if ("message", "platform_ref") in lacked:
        with op.batch_alter_table("message") as message:
            message.create_unique_constraint("uq_message_platform_ref", ["platform_ref"])
    if ("position_change", "reading_id") in lacked:
        _moves_name_their_reading()
    if ("club", "listen") in lacked:  # until then every thread had the default in its row
        op.execute("UPDATE conversation SET listen = '' WHERE listen = 'opened'")
    if ("conversation", "updated_at") in lacked:
        op.execute("UPDATE conversation SET updated_at = created_at")
    if "opened_by_bot" in had["conversation"]:
        op.drop_column("conversation", "opened_by_bot")
    if ("turn", "blocks") in lacked:
        _indexes_for_every_turn()
    if "feedback" in had["turn"]:
        _feedback_of_members()
    if "finished" in had.get("inbound_event", ()):
        _events_with_states()
    if ("inbound_event", "bot") in lacked:
        _events_heard_by_several_bots(inspector)
    if "due_page" in had.get("later_question", ()):
        _questions_told()
    if "wrong" in had.get("club_offer", ()):
        op.drop_column("club_offer", "wrong")
    if op.get_context().dialect.name == "postgresql":
        _moments_have_zones(inspector)


def _moves_name_their_reading() -> None:
    op.execute(
        "UPDATE position_change SET reading_id = (SELECT reading_id FROM conversation"
        " WHERE conversation.conversation_id = position_change.conversation_id)"
    )
    with op.batch_alter_table("position_change") as change:
        change.alter_column("reading_id", existing_type=sa.String(), nullable=False)
        change.alter_column("conversation_id", existing_type=sa.String(), nullable=True)
        change.create_foreign_key(
            "fk_position_change_reading_id", "reading", ["reading_id"], ["reading_id"], ondelete="CASCADE"
        )
        change.create_index("ix_position_change_reading_id", ["reading_id"])


def _indexes_for_every_turn() -> None:
    for table, column in (("turn", "asked_by"), ("turn", "conversation_id"), ("chunk", "book_id")):
        op.drop_index(f"ix_{table}_{column}", table, if_exists=True)
    op.create_index("ix_turn_asked_by_conversation_id", "turn", ["asked_by", "conversation_id"])
    op.create_index("ix_chunk_book_id_start_page", "chunk", ["book_id", "start_page"])


def _feedback_of_members() -> None:
    """Nobody knows whose the thumbs were that are there already."""
    SQLModel.metadata.tables["answer_feedback"].create(op.get_bind())
    op.execute(
        "INSERT INTO answer_feedback (turn_id, member_id, feedback) "
        "SELECT turn_id, '', feedback FROM turn WHERE feedback IS NOT NULL"
    )
    op.drop_column("turn", "feedback")


def _events_with_states() -> None:
    op.execute("UPDATE inbound_event SET state = 'done' WHERE finished")
    op.drop_index("ix_inbound_event_unfinished", "inbound_event", if_exists=True)
    op.drop_column("inbound_event", "finished")
    undone = sa.text("state <> 'done'")
    for index, columns in (("undone", ["platform", "event_id"]), ("undone_ref", ["ref"])):
        op.create_index(
            f"ix_inbound_event_{index}", "inbound_event", columns, sqlite_where=undone, postgresql_where=undone
        )


def _events_heard_by_several_bots(inspector: sa.Inspector) -> None:
    """The old key has no name in SQLite, where the table is copied."""
    if op.get_context().dialect.name == "sqlite":
        was, names = "heard_once_by_all", {"uq": "heard_once_by_all"}
    else:
        (was,) = [one["name"] for one in inspector.get_unique_constraints("inbound_event")]
        names = None
    with op.batch_alter_table("inbound_event", naming_convention=names) as batch:
        batch.drop_constraint(was, type_="unique")
        batch.create_unique_constraint("heard_once", ["platform", "bot", "place", "message_id"])
        batch.alter_column("bot", server_default=None)


def _questions_told() -> None:
    """What is kept already counts as told where it was asked, so that it comes back once more at most."""
    with op.batch_alter_table("later_question") as table:
        table.add_column(sa.Column("told_page", sa.Integer(), nullable=True))
        table.drop_column("due_page")
    op.execute("UPDATE later_question SET told_page = asked_page")
    with op.batch_alter_table("later_question") as table:
        table.alter_column("told_page", nullable=False)


def _moments_have_zones(inspector: sa.Inspector) -> None:
    """By the zone of the session, as it was when the moments were stored."""
    for table in inspector.get_table_names():
        for each in inspector.get_columns(table):
            if isinstance(each["type"], sa.DateTime) and not each["type"].timezone:
                op.alter_column(table, each["name"], type_=_MOMENT)
