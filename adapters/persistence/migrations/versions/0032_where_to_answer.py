"""Where a member who is behind a thread wants to be answered: in the thread, or alone."""

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
