"""What was written for a club about pages of its book, and what members keep to ask later."""

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
