"""The base class of rows, common columns, and the time that rows record."""

from datetime import UTC, datetime

from sqlalchemy import JSON, Column, ForeignKey, String
from sqlmodel import SQLModel


class Row(SQLModel):
    """A row of any table. Its validator is built only on demand, since rows are created without validation.

    For all tables together that saves a fifth of their import time.
    """

    model_config = {"defer_build": True}


def utc_now() -> datetime:
    """Return the current time as rows record it."""
    return datetime.now(UTC)


def owned_by(
    target: str, *, primary_key: bool = False, nullable: bool = False, index: bool = True, unique: bool = False
) -> Column[str]:
    """Return a foreign key whose rows are deleted with their owner."""
    return Column(
        String,
        ForeignKey(target, ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=nullable,
        index=index,
        unique=unique or None,
    )


def json_or_null() -> Column[object]:
    """Return a JSON column that stores None as SQL's NULL."""
    return Column(JSON(none_as_null=True), nullable=True)
