"""A club's schedule, and the sections of its book with their days."""

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
