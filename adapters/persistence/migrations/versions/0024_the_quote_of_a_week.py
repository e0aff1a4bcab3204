"""A quotation remembers the week in which a club was shown it once more."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("keepsake", sa.Column("week", sa.String(), nullable=True))


def downgrade() -> None:
    """Take back."""
    op.drop_column("keepsake", "week")
