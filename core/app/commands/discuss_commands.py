"""`discuss`: three questions to talk about the chapter read last, and a button that brings another one."""

from typing import Final

from core.app.commands.open_books import OpenBook, OpenBooks
from core.app.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Who
from core.domain.book import Chapter
from core.domain.errors import PositionError
from core.domain.words import NOT_BEGUN
from core.finders.discussion import questions
from core.finders.story import spans

_ANOTHER: Final = ".discuss"
_AT_ONCE: Final = 3
_HERE: Final = "here"
_NONE: Final = "There is too little read for a question; tell me how far you have read."
_NO_OTHER: Final = "I have no other question about these pages."
_FORMS: Final = "Say it as `discuss`, `discuss 3` (a chapter), each with `here` for all of you."


class DiscussCommands:
    """`discuss`, and the button that brings another question."""

    def __init__(self, open_books: OpenBooks) -> None:
        self._open_books = open_books

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        everyone = Who.EVERYONE
        return [
            Command(
                words="discuss",
                takes="[3; here]",
                who=everyone,
                help="three questions to talk about, on the chapter read last",
                run=self._discuss,
                is_said=_is_said,
            ),
            Command(words=_ANOTHER, takes="", who=everyone, help="", run=self._another),
        ]

    async def _discuss(self, request: CommandRequest) -> CommandResponse:
        words = _words(request.text)
        is_here = _HERE in words
        opened = await (self._open_books.for_all(request) if is_here else self._open_books.for_member(request))
        number = next((int(word) for word in words if word != _HERE), None)
        section = _section(opened, number)
        if section is None:
            return CommandResponse(text=opened.labelled(_NONE if number is None else NOT_BEGUN))
        found = questions(opened.read, *section)
        if not found:
            return CommandResponse(text=opened.labelled(_NONE))
        shown = "\n\n".join(_numbered(number, each) for number, each in enumerate(found[:_AT_ONCE], start=1))
        choices = _more(section, _AT_ONCE) if len(found) > _AT_ONCE else ()
        if is_here:
            return CommandResponse(announcement=opened.labelled(shown), choices=choices)
        return CommandResponse(text=opened.labelled(shown), choices=choices)

    async def _another(self, request: CommandRequest) -> CommandResponse:
        """Show whoever presses the next question, as far as they have read of those pages now."""
        first, last, shown = map(int, request.text.split(SEPARATOR))
        opened = await self._open_books.for_member(request)
        found = questions(opened.read, first, last) if first <= opened.position else []
        if shown >= len(found):
            return CommandResponse(text=opened.labelled(_NO_OTHER))
        choices = _more((first, last), shown + 1) if len(found) > shown + 1 else ()
        return CommandResponse(text=opened.labelled(found[shown]), choices=choices)


def _numbered(number: int, question: str) -> str:
    """Return a question with its number; a quotation begins a line of its own, or it would show as none."""
    return f"**{number}.**{chr(10) if question.startswith('> ') else ' '}{question}"


def _section(opened: OpenBook, number: int | None) -> tuple[int, int] | None:
    """Return the pages to talk about: a chapter begun, the last one that is read to its end, else what is begun."""
    read = opened.read
    if number is not None:
        chapters = read.chapters_numbered(number)
        return _read_pages(chapters[-1], opened) if chapters else None
    done = [each for each in read.chapters if each.last_page <= read.last_page]
    if done:
        return _read_pages(done[-1], opened)
    begun = spans(read)
    return (begun[-1].first_page, begun[-1].last_page) if begun else None


def _read_pages(chapter: Chapter, opened: OpenBook) -> tuple[int, int]:
    return chapter.first_page, min(chapter.last_page, opened.position)


def _more(section: tuple[int, int], shown: int) -> tuple[Choice, ...]:
    text = SEPARATOR.join(map(str, (*section, shown)))
    return (Choice(label="Another", command=_ANOTHER, text=text),)


def _words(text: str) -> list[str]:
    """Return what was typed behind `discuss`, a number and `here`, either or none.

    Raises:
        PositionError: it is something else.
    """
    words = text.casefold().split()
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    if len(numbers) > 1 or any(word not in {_HERE, *numbers, "ch", "chapter"} for word in words):
        raise PositionError(_FORMS)
    return [word for word in words if word == _HERE or word in numbers]


def _is_said(text: str) -> bool:
    try:
        _words(text)
    except PositionError:
        return False
    return True
