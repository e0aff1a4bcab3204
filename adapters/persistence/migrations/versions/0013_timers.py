"""What falls due: one row a timer, claimed by the process that works it off."""

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
