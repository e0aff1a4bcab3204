"""What members leave for a page: quotes, predictions and the votes on these."""

revision = "0012"
down_revision = "0009"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
