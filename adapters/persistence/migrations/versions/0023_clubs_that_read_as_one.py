"""Clubs that read as one with another, and the codes by which that is agreed."""

revision = "0023"
down_revision = "0027"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
