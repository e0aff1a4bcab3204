"""What every row is, columns that many tables have, and the time that rows record."""

from datetime import UTC, datetime

from sqlalchemy import JSON, Column, ForeignKey, String
from sqlmodel import SQLModel


class Row(SQLModel):
    """A row of any table. What would validate it is built only if it is asked for: rows are made without.

    For all tables together it is a fifth of what they cost a start.
    """

    model_config = {"defer_build": True}


def utc_now() -> datetime:
    """Return the time now, as rows record it."""
    return datetime.now(UTC)


def owned_by(
    target: str, *, primary_key: bool = False, nullable: bool = False, index: bool = True, unique: bool = False
) -> Column[str]:
    """A foreign key whose rows go when their owner goes."""
    return Column(
        String,
        ForeignKey(target, ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=nullable,
        index=index,
        unique=unique or None,
    )


def json_or_null() -> Column[object]:
    """JSON whose absence is SQL's own NULL."""
    return Column(JSON(none_as_null=True), nullable=True)
