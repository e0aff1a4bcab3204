"""The terminal as a platform: reads lines, moves the page, prints replies. The rules are all in core."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from adapters.terminal.lines import Lines
from adapters.terminal.reactions import Reactions
from core.app.answer_message import AnswerMessage
from core.app.commands.registry import CommandRegistry
from core.app.commands.values import Choice, CommandRequest, CommandResponse
from core.app.library import Library
from core.app.positions import PositionMoved, PositionService
from core.app.threads import ThreadService
from core.domain.book import Book, BookStatus, PageSource
from core.domain.conversation import Author, Conversation
from core.domain.errors import BookError, LLMError, StorageError, ThusfarError
from core.domain.position import NeedsConfirmation, Position, page_names
from core.domain.question import IncomingMessage
from core.domain.scope import LOCAL_SCOPE
from core.domain.thread import Thread
from core.domain.words import ASK_POSITION

_log = logging.getLogger(__name__)
THREAD = Thread(scope=LOCAL_SCOPE, place="terminal", thread="chat")
READER = Author(member_id="local:terminal", display_name="You")
_QUIT = "/quit"
_HELP = """\
/setpage 120        say how far you have read: 120, ch 7, ch 7 done, 45%, end, 0, reset
/setpage undo       take the last move back
/calibrate WORDS    set your page by the last words you have read (p. 81 before them: the page in your copy)
/edition 312        your copy has other page numbers: its last page; first 7: where its story begins
/where              show the book and your page
/book               list the books; /book use TITLE, /book add PATH
/help               this
/quit               leave (or Ctrl-D)
Anything else is a question about the book."""


class TerminalChat:
    """One person talking with one book at a time."""

    def __init__(  # noqa: PLR0913 (what a platform uses of core)
        self,
        *,
        answer_message: AnswerMessage,
        positions: PositionService,
        threads: ThreadService,
        library: Library,
        commands: CommandRegistry,
        find: Callable[[str], Awaitable[Book]],
        lines: Lines,
        say: Callable[[str], None],
    ) -> None:
        self._answer_message = answer_message
        self._positions = positions
        self._threads = threads
        self._library = library
        self._registry = commands
        self._choices: tuple[Choice, ...] = ()
        self._find = find
        self._lines = lines
        self._say = say
        self._commands: dict[str, Callable[[str], Awaitable[None]]] = {
            "/setpage": self._set_page,
            "/calibrate": self._calibrate,
            "/edition": self._edition,
            "/where": self._where,
            "/book": self._book_command,
            "/help": self._help,
        }

    async def run(self, book: Book, *, page: int | None = None) -> None:
        """Talk until there are no more lines."""
        await self._open(book)
        if page is not None:
            outline = await self._library.outline(book.book_id)
            await self._tell(await self._positions.move(self._conversation, page, outline=outline, member=READER))
        elif await self._position() is None:
            print(ASK_POSITION)
        background = asyncio.create_task(self._complete_books()) if self._lines.interactive else None
        try:
            while (line := await self._lines.next(await self._prompt())) is not None and line.strip().lower() != _QUIT:
                if line.strip():
                    await self._answer(line.strip())
        finally:
            if background is not None:
                background.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await background

    async def _answer(self, line: str) -> None:
        try:
            if not line.startswith("/"):
                await self._question(line)
                return
            word, _, rest = line.partition(" ")
            command = self._commands.get(word.lower())
            if command is None:
                self._say(f"There is no {word[:40]}; /help shows what there is.")
                return
            await command(rest.strip())
        except ThusfarError as error:
            self._say(str(error))

    async def _question(self, text: str) -> None:
        reactions = Reactions()
        reply = await self._answer_message.execute(
            IncomingMessage(thread=THREAD, author=READER, text=text), on_event=reactions.take
        )
        reactions.end()
        print(f"{reply.text}\n({await self._footer(reply.position)})\n", flush=True)

    async def _set_page(self, text: str) -> None:
        if text:
            await self._move(text)
        else:
            print(ASK_POSITION)

    async def _move(self, text: str, *, confirmed: bool = False) -> None:
        moved = await self._positions.set(self._conversation, text=text, member=READER, confirmed=confirmed)
        if isinstance(moved, NeedsConfirmation):
            name = page_names(await self._library.outline(self._book.book_id))
            leap = f"From p. {name(moved.from_page)} to p. {name(moved.to_page)} of {moved.pages} is a leap."
            if await self._lines.agrees(f"{moved.note} {leap} Really? [y/N] ".lstrip()):
                await self._move(text, confirmed=True)
            else:
                print("Nothing has changed.")
            return
        await self._tell(moved)

    async def _tell(self, moved: PositionMoved) -> None:
        print(moved.announcement)
        if moved.note:
            print(moved.note)
        if words := await self._positions.last_words(self._book.book_id, moved.to_position):
            print(f"The last words you have read: “… {words}”")

    async def _edition(self, text: str) -> None:
        self._show(await self._run("edition", text))

    async def _calibrate(self, text: str) -> None:
        """Set the page by words, or by the number of one of the places that were found for them."""
        chosen = self._choices[int(text) - 1 :][:1] if text.isdecimal() and int(text) else ()
        if text.isdecimal() and not chosen:
            self._say("There is no such place to choose; say /calibrate and the last words that you have read.")
            return
        response = await (self._run(chosen[0].command, chosen[0].text) if chosen else self._run("calibrate", text))
        if len(response.choices) == 1:
            if not await self._lines.agrees(f"{response.text} [y/N] "):
                print("Nothing has changed.")
                return
            response = await self._run(response.choices[0].command, response.choices[0].text)
        self._choices = response.choices
        self._show(response)

    async def _run(self, words: str, text: str) -> CommandResponse:
        return await self._registry.run(
            words, CommandRequest(thread=THREAD, member=READER, is_organiser=True, text=text)
        )

    def _show(self, response: CommandResponse) -> None:
        for told in filter(None, (response.announcement, response.text)):
            print(told)
        for number, choice in enumerate(response.choices, start=1):
            print(f"/calibrate {number}: {choice.label}")

    async def _where(self, _text: str) -> None:
        estimated = " (estimated)" if self._book.page_source is PageSource.ESTIMATED else ""
        position = await self._position()
        print(f"{self._book.title}, {self._book.pages} pages{estimated}: {await self._footer(position)}")
        if position is None:
            print(ASK_POSITION)

    async def _book_command(self, text: str) -> None:
        word, _, name = text.partition(" ")
        if word == "use" and name.strip():
            await self._open(await self._find(name.strip()))
        elif word == "add" and name.strip():
            imported = await self._library.add(_path(name.strip()), scope=LOCAL_SCOPE)
            await self._open(imported.book)
        elif not text:
            for book in await self._library.in_scope(scope=LOCAL_SCOPE):
                here = "*" if book.book_id == self._book.book_id else " "
                print(f"{here} {book.title}, {book.pages} pages ({book.book_id})")
        else:
            self._say("/book lists the books; /book use TITLE opens one; /book add PATH imports one.")

    async def _help(self, _text: str) -> None:
        print(_HELP)

    async def _open(self, book: Book) -> None:
        self._book = book
        self._conversation: Conversation = await self._threads.open(THREAD, book_id=book.book_id)
        by = f" by {book.author}" if book.author else ""
        print(f"{book.title}{by}, {book.pages} pages. /help shows what you can do.")

    async def _position(self) -> int | None:
        return await self._positions.of_thread(self._conversation.conversation_id)

    async def _footer(self, position: Position) -> str:
        return await self._positions.footer(self._conversation, position)

    async def _prompt(self) -> str:
        try:
            return f"{self._book.title} [{await self._footer(await self._position())}] > "
        except BookError:
            return f"{self._book.title} [gone] > "
        except StorageError:  # a database that is away for a while; whatever is asked meanwhile says so
            return f"{self._book.title} > "

    async def _complete_books(self) -> None:
        """Finish what an import left undone, and let the dense index wake up before the first question."""
        try:
            for book in await self._library.in_scope(scope=LOCAL_SCOPE):
                if book.status is BookStatus.SEARCHABLE or book.book_id == self._book.book_id:
                    await self._library.complete(book.book_id)
        except (LLMError, ThusfarError) as error:
            _log.warning("A book could not be completed: %s", error)


def _path(typed: str) -> Path:
    return Path(typed).expanduser()
