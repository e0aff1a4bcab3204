"""`discuss`: three questions to talk about the chapter read last, and a button that brings another one.

What members add comes first, then what a model wrote, then frames filled with what was read.
"""

import re
from typing import Final

from core.answering.extracts.discussion import questions
from core.answering.extracts.people import find_name
from core.answering.extracts.story import spans
from core.catalogue.sentences import say, sentence
from core.club.commands.open_books import OpenBook, OpenBooks
from core.club.commands.values import SEPARATOR, Choice, Command, CommandRequest, CommandResponse, Option
from core.club.recap.club_drafts import ClubDrafts
from core.domain.book import Chapter
from core.domain.club_text import ClubText, TextKind
from core.domain.errors import PositionError, ThusfarError
from core.domain.messages import NOT_BEGUN, plain_name
from core.language.words import FUNCTION_WORDS
from core.ports.club_texts import ClubTexts
from core.ports.guard import Guard
from core.understanding.asked_names import names_in

_ANOTHER: Final = ".discuss"
_AT_ONCE: Final = 3
_HERE: Final = "here"
_NONE: Final = sentence("You haven't read enough for a question yet. Tell me how far you've read.")
_NO_OTHER: Final = sentence("I have no other question about these pages.")
_FORMS: Final = sentence(
    "Use `/discuss` or `/discuss 3` (a chapter). Add `here` to show everyone. `/discuss add` adds your own question."
)
_ADDS: Final = re.compile(r"\s*add\b", re.IGNORECASE)
_BIDS: Final = re.compile(r"\w+ (?:(?:the|an?|you|your|how|what|why|whether|if|that|his|her|its|their|our)\b|[A-Z])")
_LONGEST_QUESTION: Final = 300
_MOST_ADDED: Final = 10
_ADD_FORM: Final = sentence("Write your question after `/discuss add`, with at most {most} characters.")
_TOO_MANY: Final = sentence("You've already added {most} questions here, which is the most I keep for each member.")
_KEPT: Final = sentence("Saved. `/discuss` shows it to anyone who has read this far.")
_NOT_KEPT: Final = sentence(
    "I didn't save that one. Please ask about the pages you've all read, with names that are on them."
)


class DiscussCommands:
    """`discuss`, `discuss add`, and the button that brings another question."""

    def __init__(self, open_books: OpenBooks, *, drafts: ClubDrafts, texts: ClubTexts, guard: Guard) -> None:
        self._open_books = open_books
        self._drafts = drafts
        self._texts = texts
        self._guard = guard

    def commands(self) -> list[Command]:
        """Return the commands, those of buttons last."""
        return [
            Command(
                words="discuss",
                takes=Option(name="chapter", hint=sentence("3; here; add your question"), is_optional=True),
                help=sentence("three questions to discuss about the last chapter you read"),
                is_long=self._drafts.has_writer,
                is_said=_is_said,
                run=self._discuss,
            ),
            Command(words=_ANOTHER, run=self._another),
        ]

    async def _discuss(self, request: CommandRequest) -> CommandResponse:
        if _ADDS.match(request.text):
            return await self._add(request)
        words = _words(request.text)
        opened, is_here = await self._open_books.as_chosen(request, is_here=_HERE in words)
        number = next((int(word) for word in words if word != _HERE), None)
        section = _section(opened, number)
        if section is None:
            return CommandResponse(text=opened.labelled(say(_NONE if number is None else NOT_BEGUN)))
        await self._drafts.write_questions(opened, request, section)
        found = await self._found(opened, section)
        if not found:
            return CommandResponse(text=opened.labelled(say(_NONE)))
        shown = "\n\n".join(_numbered(number, each) for number, each in enumerate(found[:_AT_ONCE], start=1))
        choices = _more(section, _AT_ONCE) if len(found) > _AT_ONCE else ()
        if is_here:
            return CommandResponse(announcement=opened.labelled(shown), choices=choices)
        return CommandResponse(text=opened.labelled(shown), choices=choices)

    async def _another(self, request: CommandRequest) -> CommandResponse:
        """Show whoever presses the next question, as far as they have read of those pages now."""
        first, last, shown = map(int, request.text.split(SEPARATOR))
        opened = await self._open_books.for_member(request)
        found = await self._found(opened, (first, last)) if first <= opened.position else []
        if shown >= len(found):
            return CommandResponse(text=opened.labelled(say(_NO_OTHER)))
        choices = _more((first, last), shown + 1) if len(found) > shown + 1 else ()
        return CommandResponse(text=opened.labelled(found[shown]), choices=choices)

    async def _found(self, opened: OpenBook, section: tuple[int, int]) -> list[str]:
        """Return all questions about some pages, as far as whoever sees them has read."""
        pages = section[0], min(section[1], opened.position)
        kept = await self._texts.of_reading(opened.club.reading_id, TextKind.ADDED, last_page=opened.position)
        added = [say("{question} (a member asks)", question=each.text) for each in kept if each.first_page == pages[0]]
        return [*added, *await self._drafts.questions(opened, pages), *questions(opened.read, *pages)]

    async def _add(self, request: CommandRequest) -> CommandResponse:
        """Keep a member's question about what the thread talks of: for the end, where it may tell what comes later.

        Nobody learns which of the two. A name that comes later is refused as one that never comes.
        """
        text = plain_name(_ADDS.sub("", request.text, count=1))
        if not any(letter.isalpha() for letter in text) or len(text) > _LONGEST_QUESTION:
            raise ThusfarError(say(_ADD_FORM, most=_LONGEST_QUESTION))
        opened = await self._open_books.for_all(request)
        section = _section(opened, None)
        if section is None:
            return CommandResponse(text=opened.labelled(say(_NONE)))
        kept = await self._texts.of_reading(opened.club.reading_id, TextKind.ADDED, last_page=opened.club.book.pages)
        if sum(each.member_id == request.member.member_id for each in kept) >= _MOST_ADDED:
            raise ThusfarError(say(_TOO_MANY, most=_MOST_ADDED))
        # It stands there with its capital: that somebody had silver buckles tells nothing of Silver.
        if any(find_name(opened.read, word) is None for word in _named(text)):
            return CommandResponse(text=opened.labelled(say(_NOT_KEPT)))
        added = ClubText(
            kind=TextKind.ADDED,
            first_page=section[0],
            last_page=opened.club.book.pages if await self._tells(text, opened) else section[1],
            text=text,
            member_id=request.member.member_id,
        )
        await self._texts.keep(opened.club.reading_id, [added])
        return CommandResponse(text=opened.labelled(say(_KEPT)))

    async def _tells(self, text: str, opened: OpenBook) -> bool:
        """Whether a question may tell what only unread pages tell."""
        judged = await self._guard.judge(text, book=opened.club.book, position=opened.position)
        ahead = await self._guard.revealed_page(text, book=opened.club.book, position=opened.position)
        return ahead is not None or judged.leaks


def _named(text: str) -> list[str]:
    """Return the words with a capital in a question, but for a first one that asks or bids: “Imagine you were Jim”."""
    named = [word for name in names_in(text) for word in name.split() if word.casefold() not in FUNCTION_WORDS]
    return named[1:] if named and text.startswith(named[0]) and _BIDS.match(text) else named


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
    # Note: a button under questions to discuss.
    return (Choice(label=say("Another"), command=_ANOTHER, text=text),)


def _words(text: str) -> list[str]:
    """Return what was typed behind `discuss`, a number and `here`, either or none.

    Raises:
        PositionError: it is something else.
    """
    words = text.casefold().split()
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    if len(numbers) > 1 or any(word not in {_HERE, *numbers, "ch", "chapter"} for word in words):
        raise PositionError(say(_FORMS))
    return [word for word in words if word == _HERE or word in numbers]


def _is_said(text: str) -> bool:
    if _ADDS.match(text):
        return True
    try:
        _words(text)
    except PositionError:
        return False
    return True
