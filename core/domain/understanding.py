"""What one message of a member means: who it is for, what is wanted, and what it names."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from core.domain.conversation import AskedAs


class Intent(StrEnum):
    """What a member wants. The first sixteen are questions about the book; `MORE` goes on with the last answer."""

    WHO = "who"
    FIRST_MET = "first_met"
    CAST = "cast"
    RECAP = "recap"
    CHAPTER = "chapter"
    JUST_NOW = "just_now"
    STOPPED = "stopped"
    HOW_FAR = "how_far"
    FACT = "fact"
    WHY = "why"
    EVENT = "event"
    FIND = "find"
    WORD = "word"
    OPINION = "opinion"
    AHEAD = "ahead"
    BACKGROUND = "background"
    MORE = "more"
    SET_PAGE = "set_page"
    MY_PAGE = "my_page"
    UNDO = "undo"
    SCHEDULE = "schedule"
    PROGRESS = "progress"
    CLUB = "club"
    KEEP = "keep"
    SETTINGS = "settings"
    QUIET = "quiet"
    HELP = "help"
    ABOUT_BOT = "about_bot"
    FORGET = "forget"
    THANKS = "thanks"
    COMPLAINT = "complaint"
    SMALL_TALK = "small_talk"
    OFF_TOPIC = "off_topic"

    @property
    def is_about_book(self) -> bool:
        """Whether it asks something about the book, or for more of the last answer."""
        return self in ABOUT_BOOK


ABOUT_BOOK: Final = frozenset(list(Intent)[: list(Intent).index(Intent.MORE) + 1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """What a message names; only what is said.

    `name` is a person or thing asked about, `other_name` a second one; `member` somebody of the club. `amount` goes
    with `unit`: `pages`, `percent`, `locations`, or `time` in hours.
    """

    name: str = ""
    other_name: str = ""
    word: str = ""
    quote: str = ""
    member: str = ""
    date: str = ""
    place: str = ""
    unit: str = ""
    page: int | None = None
    chapter: int | None = None
    part: int | None = None
    amount: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """What a message means.

    `addressed` says whether the bot is spoken to, `chance` how likely that is and `confidence` how likely the intent
    is right, both from 0 to 1. `off_topic` is the chance that it is outside the club's business. `reason` says why the
    bot speaks or not, for operators.
    """

    addressed: AskedAs
    intent: Intent
    slots: Slots = field(default_factory=Slots)
    in_scope: bool = True
    chance: float = 1.0
    confidence: float = 1.0
    off_topic: float = 0.0
    reason: str = ""

    @property
    def wants_book(self) -> bool:
        """Whether it is answered from the book; so is what is not surely off topic."""
        is_unsure = self.intent is Intent.OFF_TOPIC and self.confidence < _TURNED_AWAY_FROM
        return self.intent.is_about_book or is_unsure

    @property
    def wants_pages(self) -> bool:
        """Whether pages of the book help to answer it: a correction takes up what was said of it."""
        return self.wants_book or self.intent is Intent.COMPLAINT

    @property
    def needs_model(self) -> bool:
        """Whether a model answers it better than a command: a correction, or a place weighed against the dates."""
        names_place = (self.slots.chapter or self.slots.page) is not None
        return self.intent is Intent.COMPLAINT or (self.intent is Intent.SCHEDULE and names_place)


def needs_no_words(meaning: Understanding, *, said_to_bot: bool) -> bool:
    """Whether a message to the bot is answered by a reaction alone: thanks, and small talk that does not name it."""
    return not meaning.wants_book and (
        meaning.intent is Intent.THANKS or (meaning.intent is Intent.SMALL_TALK and not said_to_bot)
    )


_TURNED_AWAY_FROM: Final = 0.55
NOBODY_ASKED: Final = Understanding(addressed=AskedAs.NO, intent=Intent.SMALL_TALK, chance=0.0)
