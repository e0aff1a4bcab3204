"""A wrong attempt at a code that makes two clubs one is no longer counted: anybody could void another's code."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.drop_column("club_offer", "wrong")


def downgrade() -> None:
    """Take back."""
    op.add_column("club_offer", sa.Column("wrong", sa.Integer(), nullable=False, server_default="0"))
