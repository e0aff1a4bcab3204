"""The parts of the application that are built on first use; `bot.wiring` says how."""

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
    """Services for clubs and notes: a single question needs none of them and imports none of their modules."""

    __slots__ = ()

    if TYPE_CHECKING:
        noted: Lazy[Noting]
        serving_clubs: Lazy[ServingClubs]

    @property
    def commands(self) -> "CommandRegistry":
        """All commands."""
        return self.serving_clubs().registry()

    @property
    def notes(self) -> "Notes":
        """Reading notes: stored, checked, shown."""
        return self.noted().notes

    @property
    def note_maker(self) -> "NoteMaker | None":
        """The note maker; None without a model."""
        return self.noted().maker

    @property
    def note_jobs(self) -> "NoteJobs | None":
        """Notes in progress; None without a model."""
        return self.noted().jobs

    @property
    def addressing(self) -> "AddressingService":
        """Decides which messages are for the bot."""
        return self.serving_clubs().addressing

    @property
    def book_commands(self) -> "BookCommands":
        """The commands about books, which platforms' forms use too."""
        return self.serving_clubs().book_commands

    @property
    def answers(self) -> "Answers":
        """Given answers and their sources."""
        return self.serving_clubs().answers

    @property
    def member_clubs(self) -> "MemberClubs":
        """The clubs of a member."""
        return self.serving_clubs().member_clubs

    @property
    def thread_titles(self) -> "ThreadTitles":
        """The titles of threads."""
        return self.serving_clubs().thread_titles

    @property
    def inbox(self) -> "Inbox":
        """The inbox of messages, with their states."""
        return self.serving_clubs().inbox

    @property
    def work(self) -> "SqlWorkQueue":
        """The queue of questions for other processes."""
        return self.serving_clubs().work

    @property
    def positions(self) -> "PositionService":
        """How far clubs and members have read."""
        return self.serving_clubs().positions

    @property
    def timers(self) -> "TimerTable":
        """The timers."""
        return self.serving_clubs().times.timers

    @property
    def schedules(self) -> "Schedules":
        """The reading schedules."""
        return self.serving_clubs().times.schedules

    @property
    def due(self) -> "Due":
        """Runs due timers."""
        return self.serving_clubs().times.due

    @property
    def watch(self) -> "PostWatch":
        """Tells members that their post gives something away."""
        return self.serving_clubs().watch

    @property
    def exclusive(self) -> "ExclusiveGate":
        """Lets one question run alone in the process."""
        return self.serving_clubs().exclusive
