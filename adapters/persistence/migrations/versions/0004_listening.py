"""What a club is listened to: a setting of the club's own, which its threads follow unless they were told otherwise."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_NOT_SAID = ""
_FORMER_DEFAULT = "opened"


def upgrade() -> None:
    """Apply."""
    op.add_column("club", sa.Column("listen", sa.String(), nullable=False, server_default="questions"))
    conversation = sa.table("conversation", sa.column("listen", sa.String()))
    op.execute(conversation.update().where(conversation.c.listen == _FORMER_DEFAULT).values(listen=_NOT_SAID))


def downgrade() -> None:
    """Take back."""
    conversation = sa.table("conversation", sa.column("listen", sa.String()))
    earlier = conversation.c.listen.in_([_NOT_SAID, "questions"])
    op.execute(conversation.update().where(earlier).values(listen=_FORMER_DEFAULT))
    # Not in a batch: SQLite would make the table anew, and all that hangs on its rows would go with the old one.
    op.drop_column("club", "listen")
