"""What only a home knows, like the key that its buttons are proved by."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "secret",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
    )
