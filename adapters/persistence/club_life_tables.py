"""The tables of a club's life apart from its talk: timers, sections, saved items, links between clubs.

Row classes end in `Row` and never leave this package.
"""

from datetime import datetime

from sqlalchemy import JSON, Column, ForeignKey, Index, String, UniqueConstraint
from sqlmodel import Field

from adapters.persistence.columns import Row, owned_by, utc_now


class PageSaidRow(Row, table=True):
    """A page that a member set for themselves, and when; used for their own pace."""

    __tablename__ = "page_said"
    __table_args__ = (Index("ix_page_said_reading_id_member_id", "reading_id", "member_id"),)

    page_said_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id", index=False))
    member_id: str
    page: int
    said_at: datetime = Field(default_factory=utc_now)


class AliasRow(Row, table=True):
    """Another name for a character in a reading, and the page at which an organiser set it."""

    __tablename__ = "alias"
    # Not unique: two pages of one import may be one page of another.
    __table_args__ = (Index("ix_alias_reading_id_key_page", "reading_id", "key", "page"),)

    alias_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id", index=False))
    key: str
    name: str
    stands_for: str
    page: int


class ClubTextRow(Row, table=True):
    """A text about some pages, written for a reading by a model or by a member."""

    __tablename__ = "club_text"
    __table_args__ = (Index("ix_club_text_reading_id_kind", "reading_id", "kind"),)

    club_text_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id", index=False))
    kind: str
    first_page: int
    last_page: int
    text: str
    member_id: str
    kept_at: datetime = Field(default_factory=utc_now)


class LaterQuestionRow(Row, table=True):
    """A question that a member saved for later, and the page at which it last came back to them."""

    __tablename__ = "later_question"
    __table_args__ = (Index("ix_later_question_reading_id_member_id", "reading_id", "member_id"),)

    later_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id", index=False))
    member_id: str
    text: str
    asked_page: int
    told_page: int
    kept_at: datetime = Field(default_factory=utc_now)


class SealedItemRow(Row, table=True):
    """A quote or a prediction that a member left for a page."""

    __tablename__ = "keepsake"
    __table_args__ = (Index("ix_keepsake_reading_id_opens_at", "reading_id", "opens_at"),)

    keepsake_id: int | None = Field(default=None, primary_key=True)
    reading_id: str = Field(sa_column=owned_by("reading.reading_id", index=False))
    kind: str
    member_id: str
    member_name: str
    text: str
    made_at: int
    opens_at: int
    had_read_further: bool = False
    told: bool = False
    week: str | None = None
    created_at: datetime = Field(default_factory=utc_now)


class SealedItemVoteRow(Row, table=True):
    """One member's vote on a prediction."""

    __tablename__ = "keepsake_vote"

    keepsake_id: int = Field(
        sa_column=Column(ForeignKey("keepsake.keepsake_id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    member_id: str = Field(primary_key=True)
    vote: str


class AnswerFeedbackRow(Row, table=True):
    """One member's feedback on an answer: 1 or -1."""

    __tablename__ = "answer_feedback"

    turn_id: int = Field(
        sa_column=Column(ForeignKey("turn.turn_id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    member_id: str = Field(primary_key=True)
    feedback: int


class TimerRow(Row, table=True):
    """A scheduled event; a process that handles it holds its claim until `not_before`."""

    __tablename__ = "timer"
    __table_args__ = (
        UniqueConstraint("club_id", "kind", "name"),
        Index("ix_timer_state_not_before", "state", "not_before"),
    )

    timer_id: int | None = Field(default=None, primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id", index=False))
    reading_id: str | None = Field(default=None, sa_column=owned_by("reading.reading_id", nullable=True))
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


class ScheduleRow(Row, table=True):
    """When the sections of a reading are due, by local time, and who is reminded."""

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


class SectionRow(Row, table=True):
    """A range of pages, and the day until which it is read."""

    __tablename__ = "section"

    reading_id: str = Field(
        sa_column=Column(String, ForeignKey("schedule.reading_id", ondelete="CASCADE"), primary_key=True)
    )
    number: int = Field(primary_key=True)
    first_page: int
    last_page: int
    day: str
    thread: str = ""


class ProposalRow(Row, table=True):
    """One member's proposal for the next book."""

    __tablename__ = "proposal"

    club_id: str = Field(sa_column=owned_by("club.club_id", primary_key=True, index=False))
    member_id: str = Field(primary_key=True)
    title: str
    author: str = ""


class PollRow(Row, table=True):
    """A club's vote on the next book; a proposal is a title and an author."""

    __tablename__ = "poll"

    poll_id: int | None = Field(default=None, primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id"))
    proposals: list[list[str]] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))
    is_open: bool = True
    opened_at: datetime = Field(default_factory=utc_now)


class PollVoteRow(Row, table=True):
    """One member's vote: the index of a proposal in the poll's list."""

    __tablename__ = "poll_vote"

    poll_id: int = Field(
        sa_column=Column(ForeignKey("poll.poll_id", ondelete="CASCADE"), primary_key=True, nullable=False)
    )
    member_id: str = Field(primary_key=True)
    option: int


class RatingRow(Row, table=True):
    """One member's rating of a book that their club has read."""

    __tablename__ = "rating"

    reading_id: str = Field(sa_column=owned_by("reading.reading_id", primary_key=True, index=False))
    member_id: str = Field(primary_key=True)
    stars: int | None = None
    how_far: str | None = None


class ClubLinkRow(Row, table=True):
    """The club with which a club reads together: one row for each of the two, deleted with either club.

    Moves up to `after_change`, from before they joined, can't be undone while they read together.
    """

    __tablename__ = "club_link"

    club_id: str = Field(sa_column=owned_by("club.club_id", primary_key=True, index=False))
    other_id: str = Field(sa_column=owned_by("club.club_id", unique=True))
    after_change: int = 0
    joined_at: datetime


class ClubOfferRow(Row, table=True):
    """A code that one club gave to another, and its state; of its secret only the hash is stored."""

    __tablename__ = "club_offer"
    # A code names its row: an id is never reused.
    __table_args__ = ({"sqlite_autoincrement": True},)

    offer_id: int | None = Field(default=None, primary_key=True)
    club_id: str = Field(sa_column=owned_by("club.club_id", unique=True))
    secret_hash: str
    made_by: str
    expires_at: datetime
    taker_id: str | None = Field(default=None, sa_column=owned_by("club.club_id", nullable=True))
    agreed_to: str | None = None
