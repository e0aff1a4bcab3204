"""The tables of a club's life: what falls due, and the sections of its book.

Row classes end in `Row` and never leave this package.
"""

from datetime import datetime

from sqlalchemy import JSON, Column, ForeignKey, Index, String, UniqueConstraint
from sqlmodel import Field, SQLModel


def _goes_with(target: str, *, nullable: bool = False, index: bool = False) -> Column[str]:
    """A foreign key whose rows go when what it names goes."""
    return Column(String, ForeignKey(target, ondelete="CASCADE"), nullable=nullable, index=index)


class TimerRow(SQLModel, table=True):
    """What falls due; a process that works it off holds its claim until `not_before`."""

    __tablename__ = "timer"
    __table_args__ = (
        UniqueConstraint("club_id", "kind", "name"),
        Index("ix_timer_state_not_before", "state", "not_before"),
    )

    timer_id: int | None = Field(default=None, primary_key=True)
    club_id: str = Field(sa_column=_goes_with("club.club_id"))
    reading_id: str | None = Field(default=None, sa_column=_goes_with("reading.reading_id", nullable=True, index=True))
    kind: str
    name: str
    thread: str = ""
    member_id: str = ""
    payload: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    due_at: datetime
    too_late_at: datetime
    state: str = "waiting"
    not_before: datetime
    claim: str | None = None
    begun_at: datetime | None = None
    attempts: int = 0


class ScheduleRow(SQLModel, table=True):
    """When the sections of a reading are due, by a wall clock, and who is reminded."""

    __tablename__ = "schedule"

    reading_id: str = Field(
        sa_column=Column(String, ForeignKey("reading.reading_id", ondelete="CASCADE"), primary_key=True)
    )
    at: str
    zone: str
    weeks: int
    reminds: bool = False
    reminds_in: str = ""
    role: str = ""
    wanted_by: str = ""


class SectionRow(SQLModel, table=True):
    """A span of pages, and the day until which it is read."""

    __tablename__ = "section"

    reading_id: str = Field(
        sa_column=Column(String, ForeignKey("schedule.reading_id", ondelete="CASCADE"), primary_key=True)
    )
    number: int = Field(primary_key=True)
    first_page: int
    last_page: int
    day: str
    thread: str = ""
