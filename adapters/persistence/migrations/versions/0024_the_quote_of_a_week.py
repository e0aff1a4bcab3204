"""A quotation remembers the week in which a club was shown it once more."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0021"


def upgrade() -> None:
    """Apply."""
    if sa.inspect(op.get_bind()).has_table("keepsake"):
        op.add_column("keepsake", sa.Column("week", sa.String(), nullable=True))
