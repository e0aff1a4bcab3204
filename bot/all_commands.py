"""All commands, in one registry: imported on first use, because a single question from a shell does not need it."""

from pathlib import Path

from adapters.persistence.watches import SqlWatches
from bot.answering_parts import AnsweringParts
from bot.club_life import club_commands
from bot.timed import Timed
from core.answering.given_answers import Answers
from core.answering.positions import PositionService
from core.club.books.book_commands import BookCommands
from core.club.books.note_commands import NoteCommands
from core.club.commands.registry import CommandRegistry
from core.club.hearing.talk_commands import TalkCommands
from core.club.questions.question_commands import QuestionCommands
from core.club.questions.shown_commands import ShownCommands
from core.club.recap.club_drafts import Writer
from core.club.settings.club_commands import ClubCommands
from core.club.settings.settings_command import SettingsCommand
from core.club.watch.watch_command import WatchCommand
from core.ports.work import WorkQueue


def registry(
    by: AnsweringParts,
    *,
    times: Timed,
    positions: PositionService,
    answers: Answers,
    book_commands: BookCommands,
    prompts_dir: Path,
    work: WorkQueue,
) -> CommandRegistry:
    """Return the one registry."""
    threads, noted = by.threads, by.noted()
    writer = Writer(answer_message=by.answer_message, prompts_dir=prompts_dir)
    club_life = club_commands(
        by.database,
        questions=QuestionCommands(answer_message=by.answer_message, answers=answers, threads=threads, clubs=by.clubs),
        answers=answers,
        threads=threads,
        positions=positions,
        books=by.books,
        readings=by.readings,
        clock=by.clock,
        shelf=by.quoting.shelf,
        notes=by.quoting.notes,
        schedules=times.schedules,
        weekly=times.weekly,
        guard=by.guard,
        writer=writer if by.has_model else None,
    )
    notes = NoteCommands(library=by.library, notes=noted.notes, maker=noted.maker, jobs=noted.jobs)
    return CommandRegistry(
        [
            *club_life,
            *ShownCommands(answers=answers, threads=threads).commands(),
            *book_commands.commands(),
            *notes.commands(),
            *ClubCommands(threads=threads, clubs=by.clubs, quota=by.quota, clock=by.clock).commands(),
            *TalkCommands(threads=threads, running=by.answer_message.running, work=work).commands(),
            *SettingsCommand(threads=threads).commands(),
            *WatchCommand(threads=threads, watches=SqlWatches(by.database)).commands(),
        ],
        has_verifier=by.has_verifier,
    )
