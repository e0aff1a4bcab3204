"""The first tables."""

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Apply: whoever is older than any migration has them."""
