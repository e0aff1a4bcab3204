"""What a club is listened to: a setting of the club's own, which its threads follow unless they were told otherwise."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_NOT_SAID = ""
_FORMER_DEFAULT = "opened"


def upgrade() -> None:
    """Apply."""
    op.add_column("club", sa.Column("listen", sa.String(), nullable=False, server_default="questions"))
    conversation = sa.table("conversation", sa.column("listen", sa.String()))
    op.execute(conversation.update().where(conversation.c.listen == _FORMER_DEFAULT).values(listen=_NOT_SAID))
