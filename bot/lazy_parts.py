"""What the wired house makes when it is first asked for, by the names that all use; `bot.wiring` says how."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.persistence.work import SqlWorkQueue
    from adapters.platform.services import ExclusiveGate
    from bot.lazy import Lazy
    from bot.noting import Noting
    from bot.serving_clubs import ServingClubs
    from core.answering.given_answers import Answers
    from core.answering.positions import PositionService
    from core.answering.threads import ThreadTitles
    from core.club.books.book_commands import BookCommands
    from core.club.browser.member_clubs import MemberClubs
    from core.club.commands.registry import CommandRegistry
    from core.club.hearing.addressing import AddressingService
    from core.club.schedule.schedules import Schedules
    from core.club.timers.due import Due
    from core.club.watch.watching import PostWatch
    from core.library.note_jobs import NoteJobs
    from core.library.note_making import NoteMaker
    from core.library.notes import Notes
    from core.ports.inbox import Inbox
    from core.ports.timers import TimerTable


class LateParts:
    """What serves clubs, and notes: a single question needs none of it, and imports none of what it is made of."""

    __slots__ = ()

    if TYPE_CHECKING:
        noted: Lazy[Noting]
        serving_clubs: Lazy[ServingClubs]

    @property
    def commands(self) -> "CommandRegistry":
        """All commands, built when they are first asked for."""
        return self.serving_clubs().registry()

    @property
    def notes(self) -> "Notes":
        """Reading notes: kept, checked, shown."""
        return self.noted().notes

    @property
    def note_maker(self) -> "NoteMaker | None":
        """What makes notes; None without a model."""
        return self.noted().maker

    @property
    def note_jobs(self) -> "NoteJobs | None":
        """The notes that are being made; None without a model."""
        return self.noted().jobs

    @property
    def addressing(self) -> "AddressingService":
        """What is said in threads beside questions."""
        return self.serving_clubs().addressing

    @property
    def book_commands(self) -> "BookCommands":
        """The commands about books, which platforms' forms use too."""
        return self.serving_clubs().book_commands

    @property
    def answers(self) -> "Answers":
        """Answers that were given, and what stands behind them."""
        return self.serving_clubs().answers

    @property
    def member_clubs(self) -> "MemberClubs":
        """The clubs of a member."""
        return self.serving_clubs().member_clubs

    @property
    def thread_titles(self) -> "ThreadTitles":
        """How threads are called."""
        return self.serving_clubs().thread_titles

    @property
    def inbox(self) -> "Inbox":
        """What came in, and what became of it."""
        return self.serving_clubs().inbox

    @property
    def work(self) -> "SqlWorkQueue":
        """What is handed to other processes."""
        return self.serving_clubs().work

    @property
    def positions(self) -> "PositionService":
        """How far clubs and members have read."""
        return self.serving_clubs().positions

    @property
    def timers(self) -> "TimerTable":
        """What falls due, and when."""
        return self.serving_clubs().times.timers

    @property
    def schedules(self) -> "Schedules":
        """By when what is to be read."""
        return self.serving_clubs().times.schedules

    @property
    def due(self) -> "Due":
        """What works off what falls due."""
        return self.serving_clubs().times.due

    @property
    def watch(self) -> "PostWatch":
        """What tells writers that their post gives something away."""
        return self.serving_clubs().watch

    @property
    def exclusive(self) -> "ExclusiveGate":
        """Who must have the process alone."""
        return self.serving_clubs().exclusive
