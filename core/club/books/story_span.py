"""Which pages of a book are its story: what is told after an import, and how organisers change it."""

from dataclasses import replace
from typing import Final

from core.answering.threads import ThreadService
from core.catalogue.sentences import say, sentence
from core.club.books.book_names import BOOK
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option, Who
from core.domain.book import BookEdit, BookOutline, OutsidePart
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import plain_name
from core.domain.position import page_names
from core.domain.position_meaning import resolve
from core.library.library import Library
from core.understanding.position_forms import parse_position

_SPAN: Final = ".story-span"
_MOST_BUTTONS: Final = 3
_FORMS: Final = sentence("Give the first and the last page of the story: `/book story 14 269`.")


class StorySpanCommands:
    """`book story`, and the buttons that take a part of the book into its story."""

    def __init__(self, *, library: Library, threads: ThreadService) -> None:
        self._library = library
        self._threads = threads

    def commands(self) -> list[Command]:
        """Return the commands."""
        return [
            Command(
                words="book story",
                takes=Option(name="pages", hint=sentence("14 269"), is_optional=True),
                who=Who.ORGANISERS,
                help=sentence("show or set which pages are the story"),
                group=BOOK,
                run=self._story,
            ),
            Command(words=_SPAN, who=Who.ORGANISERS, run=self._span),
        ]

    async def _story(self, request: CommandRequest) -> CommandResponse:
        """Show the story's pages, or set them by their printed numbers."""
        club = await self._threads.club(request.thread)
        said = request.text.replace("-", " ").split()
        if club.outline.is_joined:
            if said:
                raise ThusfarError(say("Set the story of each book by itself, before you join them as a series."))
            return CommandResponse(text=story_line(club.outline))
        if not said:
            return CommandResponse(
                text=story_line(club.outline), choices=ways_to_change(club.book.book_id, club.outline)
            )
        try:
            whole = replace(club.outline, last_story_page=None)
            first, last = (resolve(parse_position(page), whole) for page in said)
        except (PositionError, ValueError):
            raise ThusfarError(say(_FORMS)) from None
        if not first:
            raise ThusfarError(say(_FORMS))
        return await self._changed(club.book.book_id, first or None, last or None)

    async def _span(self, request: CommandRequest) -> CommandResponse:
        book_id, first, last = request.text.split(SEPARATOR)
        return await self._changed(book_id, int(first) or None, int(last) or None)

    async def _changed(self, book_id: str, first: int | None, last: int | None) -> CommandResponse:
        """Set the pages that are given, at least one."""
        await self._library.edit(book_id, BookEdit(first_story_page=first, last_story_page=last))
        return CommandResponse(text=story_line(await self._library.outline(book_id)))


def story_line(outline: BookOutline) -> str:
    """Return which pages are the story, and which parts of the book are left out."""
    name = page_names(outline)
    first, last = name(outline.first_story_page), name(outline.story_end)
    titles = [plain_name(part.title) or say("a part without a title") for part in outline.outside]
    if not titles:
        return say("Story: pp. {first} to {last}.", first=first, last=last)
    told = say("Story: pp. {first} to {last} (I leave out {parts}).", first=first, last=last, parts=", ".join(titles))
    guessed = [title for title, part in zip(titles, outline.outside, strict=True) if part.is_doubtful]
    if not guessed:
        return told
    asked = say("I'm only guessing about {parts}: is it story? `/book story` changes it.", parts=", ".join(guessed))
    return f"{told} {asked}"


def ways_to_change(book_id: str, outline: BookOutline) -> tuple[Choice, ...]:
    """Return a button for each of the nearest parts left out that takes it, and what lies between, into the story."""
    first, last = outline.first_story_page, outline.story_end
    nearest = sorted(_around(outline), key=lambda part: max(first - part.last_page, part.first_page - last))
    return tuple(
        Choice(
            label=say("{part} is story", part=plain_name(part.title)),
            command=_SPAN,
            text=_widened(book_id, part, outline),
        )
        for part in nearest[:_MOST_BUTTONS]
        if part.title
    )


def _widened(book_id: str, part: OutsidePart, outline: BookOutline) -> str:
    """Return the text of the button: the story's new first page or its new last one, 0 for the other."""
    first = part.first_page if part.first_page < outline.first_story_page else 0
    return SEPARATOR.join((book_id, str(first), str(0 if first else part.last_page)))


def _around(outline: BookOutline) -> list[OutsidePart]:
    """Return the parts left out before and after the story."""
    return [
        part
        for part in outline.outside
        if part.first_page < outline.first_story_page or part.last_page > outline.story_end
    ]
