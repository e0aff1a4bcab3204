"""All commands, in one registry: built on first use, because a single question from a shell does not need it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapters.persistence.database import Database
    from bot.noting import Noting
    from bot.timed import Timed
    from core.answering.answer_message import AnswerMessage
    from core.answering.given_answers import Answers
    from core.answering.positions import PositionService
    from core.answering.quota import Quota
    from core.answering.quoting import Quoting
    from core.answering.threads import ThreadService
    from core.club.books.book_commands import BookCommands
    from core.club.commands.registry import CommandRegistry
    from core.club.commands.values import Command
    from core.library.library import Library
    from core.ports.books import BookRepository
    from core.ports.clock import Clock
    from core.ports.clubs import ClubRepository
    from core.ports.guard import Guard
    from core.ports.readings import ReadingRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class AllCommands:
    """The dependencies of commands. `prompts_dir`: the folder of their prompts; None without a model."""

    database: "Database"
    answer_message: "AnswerMessage"
    answers: "Answers"
    quota: "Quota"
    quoting: "Quoting"
    guard: "Guard"
    library: "Library"
    book_commands: "BookCommands"
    noted: "Noting"
    times: "Timed"
    positions: "PositionService"
    threads: "ThreadService"
    clubs: "ClubRepository"
    books: "BookRepository"
    readings: "ReadingRepository"
    clock: "Clock"
    prompts_dir: Path | None

    def registry(self) -> "CommandRegistry":
        """Return the one registry."""
        from adapters.persistence.watches import SqlWatches
        from core.club.books.note_commands import NoteCommands
        from core.club.commands.registry import CommandRegistry
        from core.club.hearing.talk_commands import TalkCommands
        from core.club.questions.shown_commands import ShownCommands
        from core.club.settings.club_commands import ClubCommands
        from core.club.settings.settings_command import SettingsCommand
        from core.club.watch.watch_command import WatchCommand

        shown = ShownCommands(answers=self.answers, threads=self.threads)
        notes = NoteCommands(library=self.library, notes=self.noted.notes, maker=self.noted.maker, jobs=self.noted.jobs)
        club = ClubCommands(threads=self.threads, clubs=self.clubs, quota=self.quota, clock=self.clock)
        return CommandRegistry(
            [
                *self._of_club_life(),
                *shown.commands(),
                *self.book_commands.commands(),
                *notes.commands(),
                *club.commands(),
                *TalkCommands(threads=self.threads).commands(),
                *SettingsCommand(threads=self.threads).commands(),
                *WatchCommand(threads=self.threads, watches=SqlWatches(self.database)).commands(),
            ]
        )

    def _of_club_life(self) -> "Sequence[Command]":
        from bot.club_life import ClubLife, stored_in
        from core.club.questions.question_commands import QuestionCommands
        from core.club.recap.club_drafts import Writer

        writer = None
        if self.prompts_dir is not None:
            writer = Writer(answer_message=self.answer_message, prompts_dir=self.prompts_dir, notes=self.quoting.notes)
        return ClubLife(
            questions=QuestionCommands(
                answer_message=self.answer_message,
                answers=self.answers,
                threads=self.threads,
                clubs=self.clubs,
            ),
            answers=self.answers,
            threads=self.threads,
            positions=self.positions,
            clubs=self.clubs,
            books=self.books,
            readings=self.readings,
            clock=self.clock,
            shelf=self.quoting.shelf,
            stores=stored_in(self.database),
            timers=self.times.timers,
            schedules=self.times.schedules,
            weekly=self.times.weekly,
            guard=self.guard,
            writer=writer,
        ).commands()
