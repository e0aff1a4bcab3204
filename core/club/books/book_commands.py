"""Commands about which book a club reads."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from core.answering.dense import Progress
from core.answering.threads import ThreadService, ThreadTitles
from core.catalogue.sentences import say, sentence
from core.club.books.book_names import BOOK, found_here, suggested_books
from core.club.books.series_commands import SeriesCommands
from core.club.books.story_span import StorySpanCommands, story_line, ways_to_change
from core.club.commands.values import (
    Choice,
    Command,
    CommandRequest,
    CommandResponse,
    Option,
    OptionKind,
    Who,
)
from core.domain.book import Book
from core.domain.errors import NotPermittedError, ThusfarError
from core.domain.folding import folded
from core.domain.messages import OPENS_THREAD, plain_name
from core.domain.position import page_names, pages_in_words
from core.domain.scopes import is_direct
from core.library.library import ImportedBook, Library

SAMPLE = "sample"
_MOST_OFFERED = 5
_LONGEST_LABEL = 75
"""What Slack takes on a button; Discord takes 80."""
AddSample = Callable[[str], Awaitable[Book]]
"""Imports the novel that comes with the program into a scope."""

_STAYS = sentence("I'll read it with you in the channel and in new threads. This thread stays with its own book.")


_THEN_ASK = sentence("`/setpage {page}` tells me how far you are; then ask me anything up to there.")
_THEN_MENTION = sentence("`/setpage {page}` tells me how far you all are; then mention me and ask.")


class BookCommands:
    """`chat`, `book list`, `book use`, `book remove`; `book add` is a method of its own, since it takes a file."""

    def __init__(
        self, *, library: Library, threads: ThreadService, titles: ThreadTitles, add_sample: AddSample
    ) -> None:
        self._library = library
        self._titles = titles
        self._threads = threads
        self._add_sample = add_sample

    def commands(self) -> list[Command]:
        """Return the commands, with those of buttons last."""
        organisers = Who.ORGANISERS
        return [
            Command(
                words="chat",
                takes=Option(name="question", hint=sentence("your question"), is_optional=True),
                help=sentence("open a thread about the book, with or without a question"),
                is_long=True,
                is_repeatable=True,
                run=self._chat,
            ),
            Command(
                words="book list",
                help=sentence("list the books here"),
                group=BOOK,
                beside_group="books",
                run=self._list,
            ),
            Command(
                words="book use",
                takes=Option(
                    name="title", hint=sentence("the title, or sample"), suggest=partial(suggested_books, self._library)
                ),
                who=organisers,
                help=sentence("choose the book to read here"),
                group=BOOK,
                is_long=True,
                opens_book=True,
                run=self._use,
            ),
            Command(
                words="book add",
                takes=Option(name="file", hint=sentence("a file"), kind=OptionKind.FILE),
                who=organisers,
                help=sentence("add a book: EPUB, PDF or text"),
                group=BOOK,
                is_long=True,
                run=self._add_without_file,
            ),
            Command(
                words="book remove",
                takes=Option(name="title", hint=sentence("the title"), suggest=partial(suggested_books, self._library)),
                who=Who.SERVER_ORGANISERS,
                help=sentence("delete a book and everything said about it"),
                group=BOOK,
                takes_away=True,
                run=self._remove,
            ),
            Command(words=".remove", who=Who.SERVER_ORGANISERS, run=self._removed),
            Command(words=".use", who=organisers, opens_book=True, run=self._use),
            Command(words=".replace", who=Who.SERVER_ORGANISERS, run=self._replaced),
            Command(words=".own", run=self._read_alone),
            Command(words=".chapters", who=organisers, run=self._chapter_titles),
            *SeriesCommands(library=self._library, threads=self._threads).commands(),
            *StorySpanCommands(library=self._library, threads=self._threads).commands(),
        ]

    def check_may_add(self, request: CommandRequest) -> None:
        """Check that the member may add a book, before its file is fetched.

        Raises:
            NotPermittedError: the member is no organiser.
        """
        if not request.is_organiser:
            raise NotPermittedError(say("`/book add` is for organisers of this club."))

    async def add(
        self, path: Path, request: CommandRequest, *, title: str | None = None, on_progress: Progress | None = None
    ) -> CommandResponse:
        """Import a file of an organiser. A second paragraph of the response lists the chapters' pages.

        Chapter titles may spoil, so they are behind a button for organisers.

        Raises:
            NotPermittedError: only organisers add books.
            BookError: the file cannot be read as a book.
        """
        self.check_may_add(request)
        imported = await self._library.add(
            path, scope=request.thread.scope, title=title, on_progress=on_progress, takes_place=False
        )
        return await self._imported(imported)

    async def _chat(self, request: CommandRequest) -> CommandResponse:
        if request.thread.thread:
            raise ThusfarError(say("We're already in a thread. Just ask me here."))
        title = plain_name((await self._threads.club(request.thread)).book.title)
        return CommandResponse(
            announcement=say(OPENS_THREAD, name=request.member.display_name, title=title),
            opens=await self._titles.of(request.thread, request.member, request.text) or title,
            asks=request.text.strip(),
        )

    async def _add_without_file(self, request: CommandRequest) -> CommandResponse:
        raise ThusfarError(say("Attach the book's file to `/book add`."))

    async def _list(self, request: CommandRequest) -> CommandResponse:
        books = await self._library.in_scope(scope=request.thread.scope)
        reading = await self._threads.reading(request.thread)
        lines = []
        for book in books:
            mark = "▸ " if reading is not None and reading.book_id == book.book_id else ""
            lines.append(f"{mark}{book.title}, {pages_in_words(book, await self._library.outline(book.book_id))}")
        return CommandResponse(text="\n".join(lines) or say("There are no books here yet. `/book add` adds one."))

    async def _use(self, request: CommandRequest) -> CommandResponse:
        name = request.text.strip()
        scope = request.thread.scope
        if folded(name) == SAMPLE and not await self._is_title(name, scope):
            book = await self._add_sample(scope)
        else:
            book = await found_here(self._library, request)
        return await self._opened(request, book)

    async def _opened(self, request: CommandRequest, book: Book) -> CommandResponse:
        """Make a book the club's current one, and say what to do next. Threads about another book keep theirs."""
        thread = replace(request.thread, about="")
        used = await self._threads.use(thread, book_id=book.book_id)
        here = await self._threads.reading(thread)
        stays = here is None or here.reading_id != used.reading_id
        state = await (self._threads.state(thread) if thread.thread and not stays else self._threads.place(thread))
        is_new = state is None or state.standing.set_for_all is None
        outline = await self._library.outline(book.book_id)
        title = plain_name(book.title)
        if book.author:
            title = say("{title} by {author}", title=title, author=plain_name(book.author))
        pages = pages_in_words(book, outline)
        opened = say("{name} opened {title}, {pages}.", name=request.name, title=title, pages=pages)
        following = say(
            _THEN_ASK if is_direct(request.thread.scope) else _THEN_MENTION, page=outline.story_end // 5 or 1
        )
        announcement = f"{opened} {following}" if is_new else opened
        if not stays:
            return CommandResponse(announcement=announcement)
        return CommandResponse(announcement=" ".join((opened, say(_STAYS))), told_in_place=announcement)

    async def _read_alone(self, request: CommandRequest) -> CommandResponse:
        """Let a member read a book of one of their clubs alone. The platform knows their clubs.

        Raises:
            NotPermittedError: this is no direct conversation, or none of their clubs has the book.
        """
        book = await self._find_by_id(request.text)
        if not is_direct(request.thread.scope) or book.scope not in await request.scopes():
            raise NotPermittedError(say("That book belongs to a club that you are not in."))
        own = (await self._library.share(book.book_id, scope=request.thread.scope)).book
        return await self._opened(request, own)

    async def offered_alone(self, request: CommandRequest) -> tuple[Choice, ...]:
        """Return the books of a member's clubs that they may read alone, where nothing is read with them yet."""
        if not is_direct(request.thread.scope) or await self._threads.reading(request.thread) is not None:
            return ()
        found: dict[str, Book] = {}
        for scope in await request.scopes():
            found |= {folded(book.title): book for book in await self._library.in_scope(scope=scope)}
        return tuple(
            Choice(label=_short(say("Read {title}", title=plain_name(book.title))), command=".own", text=book.book_id)
            for book in [*found.values()][:_MOST_OFFERED]
        )

    async def _find_by_id(self, book_id: str) -> Book:
        return await self._library.get(book_id)

    async def _is_title(self, name: str, scope: str) -> bool:
        return any(folded(book.title) == folded(name) for book in await self._library.in_scope(scope=scope))

    async def _remove(self, request: CommandRequest) -> CommandResponse:
        book = await found_here(self._library, request)
        if not request.can_be_asked:
            if folded(request.text.strip()) != folded(book.title):
                raise ThusfarError(
                    say(
                        "To remove {title}, say `/book remove` with its whole title or `--yes`.",
                        title=plain_name(book.title),
                    )
                )
            return await self._removed(request.with_text(book.book_id))
        return CommandResponse(
            text=say(
                "Delete {title} for everyone, with progress and conversations? This can't be undone.", title=book.title
            ),
            choices=(
                Choice(label=say("Remove it"), command=".remove", text=book.book_id, confirms=True, is_dangerous=True),
            ),
        )

    async def _replaced(self, request: CommandRequest) -> CommandResponse:
        book = await found_here(self._library, request)
        if not await self._library.take_place(book.book_id):
            raise ThusfarError(say("There's no longer an earlier book with that title."))
        return CommandResponse(
            text=say("{title} has replaced it. Everyone keeps their place in the text.", title=book.title)
        )

    async def _removed(self, request: CommandRequest) -> CommandResponse:
        book = await found_here(self._library, request)
        await self._library.remove(book.book_id)
        return CommandResponse(text=say("{title} is gone.", title=book.title))

    async def _chapter_titles(self, request: CommandRequest) -> CommandResponse:
        book = await found_here(self._library, request)
        outline = await self._library.outline(book.book_id)
        name = page_names(outline)
        lines = [
            say(
                "{number}: {title}, p. {first}-{last}",
                number=c.number,
                title=c.title,
                first=name(c.first_page),
                last=name(c.last_page),
            )
            for c in outline.chapters
        ]
        return CommandResponse(text="\n".join(lines) or say("I found no chapters in this book."))

    async def _imported(self, imported: ImportedBook) -> CommandResponse:
        book = imported.book
        outline = await self._library.outline(book.book_id)
        name = page_names(outline)
        spans = ", ".join(
            say("{number}: p. {first}-{last}", number=c.number, first=name(c.first_page), last=name(c.last_page))
            for c in outline.chapters
        )
        told = [say("{title} is here: {pages}.", title=book.title, pages=pages_in_words(book, outline))]
        if not imported.is_new:
            told.append(say("This text was already here."))
        earlier = await self._library.earlier(book.book_id)
        if earlier:
            others = [pages_in_words(one, await self._library.outline(one.book_id)) for one in earlier]
            told.append(
                say(
                    "You already have a book with this title and {pages}. Replace it? Everyone keeps their place in "
                    "the text.",
                    pages=say(" and ").join(others),
                )
            )
        told.append(say("`/book use {title}` opens it.", title=book.title))
        listed = say("Its chapters: {chapters}.", chapters=spans) if spans else say("I found no chapters in this book.")
        replace = Choice(label=say("Replace it"), command=".replace", text=book.book_id, confirms=True)
        read_here = Choice(label=say("Read it here"), command=".use", text=book.book_id)
        titles = Choice(
            label=say("Show the titles (they may give the story away)"), command=".chapters", text=book.book_id
        )
        return CommandResponse(
            text="\n\n".join((" ".join(told), listed, story_line(outline))),
            choices=(
                *([replace] if earlier else []),
                read_here,
                *([titles] if spans else []),
                *ways_to_change(book.book_id, outline),
            ),
        )


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1].rstrip()}…"
