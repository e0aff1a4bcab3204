"""What answers messages, also used by club features."""

from dataclasses import dataclass

from adapters.persistence.database import Database
from bot.lazy import Lazy
from bot.noting import Noting
from core.answering.answer_message import AnswerMessage
from core.answering.quota import Quota
from core.answering.quoting import Quoting
from core.answering.threads import ThreadService
from core.guard.guard import SpoilerGuard
from core.library.library import Library
from core.ports.books import BookRepository
from core.ports.clock import Clock
from core.ports.clubs import ClubRepository
from core.ports.readings import ReadingRepository
from core.ports.turn_record import TurnRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringParts:
    """The answering services that clubs use too. `has_model`: answers are not only quotations.

    `has_verifier`: a model checks them.
    """

    database: Database
    books: BookRepository
    readings: ReadingRepository
    clubs: ClubRepository
    record: TurnRecord
    threads: ThreadService
    guard: SpoilerGuard
    quoting: Quoting
    quota: Quota
    answer_message: AnswerMessage
    library: Library
    noted: Lazy[Noting]
    clock: Clock
    has_model: bool
    has_verifier: bool
