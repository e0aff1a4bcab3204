"""What only a home knows, like the key that its buttons are proved by."""

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
