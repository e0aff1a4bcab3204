"""A thread keeps its book for good: where that was removed, its title stays."""

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
