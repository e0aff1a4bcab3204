"""The tables of clubs that read as one with another. Row classes end in `Row` and never leave this package."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from adapters.persistence.columns import owned_by


class ClubLinkRow(SQLModel, table=True):
    """With which other club a club reads: two rows, one each, that go together with either club.

    What was moved up to `after_change`, before they joined, is not taken back while they read together.
    """

    __tablename__ = "club_link"

    club_id: str = Field(sa_column=owned_by("club.club_id", primary_key=True, index=False))
    other_id: str = Field(sa_column=owned_by("club.club_id", unique=True))
    after_change: int = 0
    joined_at: datetime


class ClubOfferRow(SQLModel, table=True):
    """A code that a club gave to another, and how far that has come; of its secret only the hash."""

    __tablename__ = "club_offer"
    # A code names its row: a number is never used twice.
    __table_args__ = {"sqlite_autoincrement": True}

    offer_id: int | None = Field(default=None, primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id", unique=True))
    secret_hash: str
    made_by: str
    wrong: int = 0
    expires_at: datetime
    taker_id: str | None = Field(default=None, sa_column=owned_by("club.club_id", nullable=True))
    agreed_to: str | None = None
