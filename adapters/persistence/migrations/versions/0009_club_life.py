"""What a club keeps of its life: other names for somebody, where a member's last recap ended, the pages they said."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0006"


def upgrade() -> None:
    """Apply."""
    op.add_column("member_position", sa.Column("recapped_page", sa.Integer(), nullable=True))
