"""A quotation remembers the week in which a club was shown it once more."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0021"


def upgrade() -> None:
    """Apply."""
    op.add_column("keepsake", sa.Column("week", sa.String(), nullable=True))
