"""A club may have its members' posts watched, and a member is nudged once a day at most."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0023"


def upgrade() -> None:
    """Apply."""
    op.add_column("club", sa.Column("is_watched", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("member_position", sa.Column("nudged_at", sa.DateTime(timezone=True), nullable=True))
