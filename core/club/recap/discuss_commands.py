"""`discuss`: three questions about the last chapter read, and a button for another one.

Members' questions come first, then the model's, then templates filled from the read pages.
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
from core.language.names import names_in
from core.language.words import FUNCTION_WORDS
from core.ports.club_texts import ClubTexts
from core.ports.guard import Guard

_ANOTHER: Final = ".discuss"
_PER_PAGE: Final = 3
_HERE: Final = "here"
_NONE: Final = sentence("You haven't read enough for a question yet. Tell me how far you've read.")
_NO_OTHER: Final = sentence("I have no other question about these pages.")
_FORMS: Final = sentence(
    "Use `/discuss` or `/discuss 3` (a chapter). Add `here` to show everyone. `/discuss add` adds your own question."
)
_ADDS: Final = re.compile(r"\s*add\b", re.IGNORECASE)
_IMPERATIVE: Final = re.compile(
    r"\w+ (?:(?:the|an?|you|your|how|what|why|whether|if|that|his|her|its|their|our)\b|[A-Z])"
)
_LONGEST_QUESTION: Final = 300
_MOST_ADDED: Final = 10
_ADD_FORM: Final = sentence("Write your question after `/discuss add`, with at most {most} characters.")
_TOO_MANY: Final = sentence("You've already added {most} questions here, which is the most I keep for each member.")
_SAVED: Final = sentence("Saved. `/discuss` shows it to anyone who has read this far.")
_NOT_SAVED: Final = sentence(
    "I didn't save that one. Please ask about the pages you've all read, with names that are on them."
)


class DiscussCommands:
    """`discuss`, `discuss add`, and the button for another question."""

    def __init__(self, open_books: OpenBooks, *, drafts: ClubDrafts, texts: ClubTexts, guard: Guard) -> None:
        self._open_books = open_books
        self._drafts = drafts
        self._texts = texts
        self._guard = guard

    def commands(self) -> list[Command]:
        """Return the commands; those behind buttons come last."""
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
        shown = "\n\n".join(_numbered(number, each) for number, each in enumerate(found[:_PER_PAGE], start=1))
        choices = _more(section, _PER_PAGE) if len(found) > _PER_PAGE else ()
        if is_here:
            return CommandResponse(announcement=opened.labelled(shown), choices=choices)
        return CommandResponse(text=opened.labelled(shown), choices=choices)

    async def _another(self, request: CommandRequest) -> CommandResponse:
        """Show the presser the next question, from what they have read of those pages."""
        first, last, shown = map(int, request.text.split(SEPARATOR))
        opened = await self._open_books.for_member(request)
        found = await self._found(opened, (first, last)) if first <= opened.position else []
        if shown >= len(found):
            return CommandResponse(text=opened.labelled(say(_NO_OTHER)))
        choices = _more((first, last), shown + 1) if len(found) > shown + 1 else ()
        return CommandResponse(text=opened.labelled(found[shown]), choices=choices)

    async def _found(self, opened: OpenBook, section: tuple[int, int]) -> list[str]:
        """Return all questions about some pages, up to the reader's page."""
        pages = section[0], min(section[1], opened.position)
        kept = await self._texts.of_reading(opened.club.reading_id, TextKind.ADDED, last_page=opened.position)
        added = [say("{question} (a member asks)", question=each.text) for each in kept if each.first_page == pages[0]]
        notes = await self._drafts.telling(opened, [pages])
        return [*added, *await self._drafts.questions(opened, pages), *questions(opened.read, *pages, notes)]

    async def _add(self, request: CommandRequest) -> CommandResponse:
        """Save a member's question about the thread's section; one that may be a spoiler is held back until the end.

        The reply is the same either way. Unread names are refused like names that are not in the book.
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
        # The name has to be there with its capital: “silver buckles” does not introduce Silver.
        if any(find_name(opened.read, word) is None for word in _capitalised(text)):
            return CommandResponse(text=opened.labelled(say(_NOT_SAVED)))
        added = ClubText(
            kind=TextKind.ADDED,
            first_page=section[0],
            last_page=opened.club.book.pages if await self._is_spoiler(text, opened) else section[1],
            text=text,
            member_id=request.member.member_id,
        )
        await self._texts.keep(opened.club.reading_id, [added])
        return CommandResponse(text=opened.labelled(say(_SAVED)))

    async def _is_spoiler(self, text: str, opened: OpenBook) -> bool:
        """Whether a question may give away something from unread pages."""
        judged = await self._guard.judge(text, book=opened.club.book, position=opened.position)
        ahead = await self._guard.revealed_page(text, book=opened.club.book, position=opened.position)
        return ahead is not None or judged.leaks


def _capitalised(text: str) -> list[str]:
    """Return a question's capitalised words, except a first verb or question word: “Imagine you were Jim”."""
    named = [word for name in names_in(text) for word in name.split() if word.casefold() not in FUNCTION_WORDS]
    return named[1:] if named and text.startswith(named[0]) and _IMPERATIVE.match(text) else named


def _numbered(number: int, question: str) -> str:
    """Return a question with its number; a quotation has to start its own line."""
    return f"**{number}.**{chr(10) if question.startswith('> ') else ' '}{question}"


def _section(opened: OpenBook, number: int | None) -> tuple[int, int] | None:
    """Return the pages to discuss: the named chapter, else the last finished one, else the current one."""
    read = opened.read
    if number is not None:
        chapters = read.chapters_meant(number)
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
    # Note: a button under questions for discussion.
    return (Choice(label=say("Another"), command=_ANOTHER, text=text),)


def _words(text: str) -> list[str]:
    """Return the words after `discuss`: a number, `here`, both or neither.

    Raises:
        PositionError: there is anything else.
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
