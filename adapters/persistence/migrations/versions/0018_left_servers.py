"""Which servers have removed the bot, and when: what they left behind is erased after a while."""

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Apply: the new tables are made as they are declared."""
