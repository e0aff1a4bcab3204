"""A wrong attempt at a code that makes two clubs one is no longer counted: anybody could void another's code."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0022"


def upgrade() -> None:
    """Apply."""
    if sa.inspect(op.get_bind()).has_table("club_offer"):
        op.drop_column("club_offer", "wrong")
