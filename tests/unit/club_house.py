"""The commands wired over SQLite in memory, and how a test uses one: `await house.use("setpage", "120")`."""

from pathlib import Path

from bot.club_life import club_commands
from core.answering.given_answers import Answers
from core.answering.threads import ThreadTitles
from core.club.books.book_commands import BookCommands
from core.club.commands.registry import CommandRegistry
from core.club.commands.values import Choice, CommandRequest, CommandResponse, Suggestion
from core.club.questions.question_commands import QuestionCommands
from core.club.recap.club_drafts import Writer
from core.club.settings.club_commands import ClubCommands
from core.club.settings.settings_command import SettingsCommand
from core.club.watch.watch_command import WatchCommand
from core.domain.book import Book
from core.domain.conversation import Author
from core.domain.thread import Thread
from core.library.library import Library
from core.ports.book_reader import BookReader
from core.ports.chat_provider import ChatProvider
from tests.builders import ADA
from tests.fakes.clock import FrozenClock
from tests.unit.world import PROMPTS, THREAD, World

CHANNEL = Thread(scope="discord:1", place="books", thread="")


class House(World):
    """A world with its commands; answers are quotations where there is no model."""

    def __init__(self, model: ChatProvider | None = None, *, clock: FrozenClock | None = None) -> None:
        super().__init__(clock)
        self.page = self.answer_message(model) if model else self.quoting_page()
        self.answers = Answers(
            record=self.record,
            books=self.books,
            threads=self.threads,
            quoting=self.quoting,
        )
        self.library = Library(books=self.books, lexical=self.lexical, dense=self.by_words_alone, reader_for=_no_reader)
        self.titles = titles = ThreadTitles(
            threads=self.threads, books=self.books, shelf=self.quoting.shelf, clock=self.clock
        )
        self.book_commands = BookCommands(
            library=self.library, threads=self.threads, titles=titles, add_sample=self.add_sample
        )
        club_life = club_commands(
            self.database,
            questions=QuestionCommands(
                answer_message=self.page,
                answers=self.answers,
                threads=self.threads,
                clubs=self.clubs,
            ),
            answers=self.answers,
            threads=self.threads,
            positions=self.positions,
            books=self.books,
            readings=self.readings,
            clock=self.clock,
            shelf=self.quoting.shelf,
            notes=self.note_shelf,
            schedules=self.schedules,
            weekly=self.weekly,
            guard=self.guard,
            writer=Writer(answer_message=self.page, prompts_dir=PROMPTS) if model else None,
        )
        self.commands = CommandRegistry(
            [
                *club_life,
                *self.book_commands.commands(),
                *ClubCommands(threads=self.threads, clubs=self.clubs, quota=self.quota, clock=self.clock).commands(),
                *SettingsCommand(threads=self.threads).commands(),
                *WatchCommand(threads=self.threads, watches=self.watches).commands(),
            ],
            has_verifier=model is not None,
        )

    async def use(
        self, words: str, text: str = "", *, by: Author = ADA, thread: Thread = THREAD, organiser: bool = False
    ) -> CommandResponse:
        return await self.commands.run(words, asked(text, by=by, thread=thread, organiser=organiser))

    async def press(
        self, choice: Choice, *, by: Author = ADA, thread: Thread = THREAD, organiser: bool = False
    ) -> CommandResponse:
        return await self.use(choice.command, choice.text, by=by, thread=thread, organiser=organiser)

    async def moved(self, text: str, *, by: Author = ADA) -> CommandResponse:
        """Move the page, and confirm that where it is a leap."""
        response = await self.use("setpage", text, by=by)
        yes = next((choice for choice in response.choices if choice.confirms), None)
        return response if yes is None else await self.press(yes, by=by)

    async def page_for_all(self, thread: Thread = THREAD) -> int | None:
        """Return the page that was set for all in a thread."""
        return (await self.threads.club(thread)).standing.set_for_all

    async def offered(
        self, words: str, typed: str = "", *, by: Author = ADA, thread: Thread = THREAD, organiser: bool = False
    ) -> list[Suggestion]:
        return await self.commands.suggest(words, asked(typed, by=by, thread=thread, organiser=organiser))

    async def add_sample(self, scope: str) -> Book:
        return await self.add_book(scope=scope)


def asked(text: str = "", *, by: Author = ADA, thread: Thread = THREAD, organiser: bool = False) -> CommandRequest:
    return CommandRequest(thread=thread, member=by, is_organiser=organiser, text=text)


def _no_reader(path: Path) -> BookReader:
    raise AssertionError(f"{path} is not to be read")
