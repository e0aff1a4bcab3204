"""The first tables."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply: databases older than any migration have them."""
