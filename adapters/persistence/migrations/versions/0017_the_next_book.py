"""What a club made of a book that it has read, and what it reads next."""

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
