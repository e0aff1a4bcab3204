"""`book notes`: lets organisers have a model write a book's reading notes, after an estimate of the cost."""

from functools import partial

from core.catalogue.sentences import say, say_count, sentence
from core.club.books.book_names import BOOK, suggested_books
from core.club.commands.values import Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.domain.book import Book
from core.domain.errors import ThusfarError
from core.domain.messages import plain_name
from core.library.library import Library
from core.library.note_jobs import NoteJobs
from core.library.note_making import NoteEstimate, NoteMaker
from core.library.notes import Notes

_NO_MODEL = sentence("Only an AI model can write notes, and none is set up here.")


class NoteCommands:
    """`book notes`, with its buttons; without a model (`maker` None) it only tells what there is."""

    def __init__(self, *, library: Library, notes: Notes, maker: NoteMaker | None, jobs: NoteJobs | None) -> None:
        self._library = library
        self._notes = notes
        self._maker = maker
        self._jobs = jobs

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        return [
            Command(
                words="book notes",
                takes=Option(name="title", hint=sentence("TITLE"), suggest=partial(suggested_books, self._library)),
                who=Who.SERVER_ORGANISERS,
                help=sentence("have an AI model write notes on each page of a book"),
                group=BOOK,
                run=self._ask,
            ),
            Command(words=".notes-make", who=Who.SERVER_ORGANISERS, run=self._make),
            Command(words=".notes-stop", who=Who.SERVER_ORGANISERS, run=self._stop),
        ]

    async def _ask(self, request: CommandRequest) -> CommandResponse:
        book = await self._find(request)
        title, pages = plain_name(book.title), say_count("{number} page", "{number} pages", book.pages)
        if book.notes_id:
            summary = await self._notes.summary(book.book_id)
            told = say_count(
                "{title} has {number} note on {done} of {pages}.",
                "{title} has {number} notes on {done} of {pages}.",
                summary.notes,
                title=title,
                done=summary.pages,
                pages=pages,
            )
            return CommandResponse(text=told)
        if self._maker is None or self._jobs is None:
            return CommandResponse(text=say(_NO_MODEL))
        making = await self._jobs.making(book)
        done = book.pages - len(making.pages_left(book.pages)) if making else 0
        if self._jobs.is_running(book.book_id):
            stop = Choice(label=say("Stop and delete them"), command=".notes-stop", text=book.book_id)
            text = say("I'm writing notes on {title}: {done} of {pages}.", title=title, done=done, pages=pages)
            return CommandResponse(text=text, choices=(stop,))
        stopped = say("The notes on {title} stopped at {done} of {pages}.", title=title, done=done, pages=pages)
        parts = (stopped if making else "", what_it_takes(await self._maker.estimate(book)), say("Shall I write them?"))
        make = Choice(label=say("Make them"), command=".notes-make", text=book.book_id, confirms=True)
        return CommandResponse(text=" ".join(filter(None, parts)), choices=(make,))

    async def _make(self, request: CommandRequest) -> CommandResponse:
        book = await self._find(request)
        if self._jobs is None:
            raise ThusfarError(say(_NO_MODEL))
        self._jobs.start(book, asked_in=f"{request.thread.scope}:{request.thread.place}")
        return CommandResponse(
            text=say(
                "I'm writing notes on {title}. `book notes {title}` shows how far I am.", title=plain_name(book.title)
            )
        )

    async def _stop(self, request: CommandRequest) -> CommandResponse:
        book = await self._find(request)
        if self._jobs is None:
            raise ThusfarError(say(_NO_MODEL))
        await self._jobs.stop(book)
        return CommandResponse(text=say("I've deleted the notes on {title}.", title=plain_name(book.title)))

    async def _find(self, request: CommandRequest) -> Book:
        return await self._library.find(scope=request.thread.scope, name=request.text.strip())


def what_it_takes(estimate: NoteEstimate) -> str:
    """Return the estimate of the cost, and to whom the text is sent, before any model call."""
    tokens = estimate.usage.input_tokens + estimate.usage.output_tokens
    unknown = estimate.cost is None
    return say(
        "Notes on {pages} take about {calls} and {tokens} tokens; {cost}. The whole text of these pages goes to "
        "{model} ({provider}).",
        pages=say_count("{number} page", "{number} pages", estimate.pages),
        calls=say_count("{number} call", "{number} calls", estimate.calls),
        tokens=_rounded(tokens),
        cost=say("I don't know the cost") if unknown else say("about ${cost:.2f}", cost=estimate.cost),
        model=estimate.model,
        provider=estimate.provider,
    )


def _rounded(tokens: int) -> str:
    return f"{round(tokens, -3):,}" if tokens >= 1_000 else f"{tokens}"  # noqa: PLR2004 (thousands)
