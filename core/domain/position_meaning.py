"""Which page something means that was said of a book (ADR 8)."""

from fractions import Fraction
from typing import Final

from core.catalogue.sentences import say, say_count
from core.domain.book import BookOutline, Chapter
from core.domain.errors import PositionError
from core.domain.numbers import printed_chapter_number, printed_division_number
from core.domain.position import Position, in_percent, labelled_pages
from core.domain.position_requests import (
    BegunRequest,
    ChapterDoneRequest,
    ChapterShareRequest,
    ChapterStartRequest,
    EitherRequest,
    EndRequest,
    FollowRequest,
    MorePagesRequest,
    PageRequest,
    PercentRequest,
    PlainRequest,
    PositionRequest,
    ResetRequest,
    ThisChapterRequest,
    UndoRequest,
)

_WHOLE: Final = 100


def resolve(  # noqa: C901 (one case a form)
    request: PositionRequest, outline: BookOutline, *, current: Position = None
) -> Position:
    """Find the page that a request means in one book.

    Where several chapters fit, a start is the earliest start and an end the earliest end, so that no choice reveals
    more than was said. `current` is where the page stands now, for what is said of it (`+10`, `end of this chapter`).

    Returns:
        0 to `outline.pages`, or None for `reset`.

    Raises:
        PositionError: no such page, label or chapter, more than 100 %, several meanings (`meanings` tells them), or
            `follow` and `undo`, which name no page; one sentence that never holds a chapter title.
    """
    position: Position
    match request:
        case PageRequest(label=label, of=of):
            position = _page_with_label(label, outline)
            if of not in {None, outline.pages}:
                raise PositionError(
                    say_count(
                        "This book has {number} page here. `/edition` tells me about your copy.",
                        "This book has {number} pages here. `/edition` tells me about your copy.",
                        outline.pages,
                    )
                )
        case ChapterStartRequest() | ChapterDoneRequest() | ChapterShareRequest():
            position = _in_chapter(request, outline)
        case ThisChapterRequest(percent=percent):
            position = _part_of(_chapter_at(current, outline), percent)
        case MorePagesRequest(pages=more):
            position = _pages_on(current, more, outline)
        case PercentRequest(percent=percent):
            if percent > _WHOLE:
                raise PositionError(say("A share can be at most 100%. The last page is p. {page}.", page=outline.pages))
            position = int(outline.story_end * percent / _WHOLE)
        case EndRequest():
            position = outline.story_end
        case BegunRequest():
            position = 0
        case ResetRequest():
            position = None
        case FollowRequest() | UndoRequest():
            raise PositionError(say("Name a place in the book, not `follow` or `undo`."))
        case EitherRequest(readings=readings):
            position = _the_one_of(readings, outline, current)
    return position


def meanings(request: PositionRequest, outline: BookOutline, *, copy_pages: int | None = None) -> list[PlainRequest]:
    """Return what a request may mean, likeliest first; what then names no page of the book is not meant.

    `page 20 of 300` of a book with other pages is its page 20, or as much of it as that is of 300 pages. `copy_pages`
    is how many pages the asker's own copy has, None where that is not known.
    """
    match request:
        case EitherRequest(readings=readings):
            return list(readings)
        case PageRequest(label=label, of=of) if of is not None and label.isdecimal():
            if of in {outline.pages, copy_pages}:
                return [PageRequest(label=label)]
            if int(label) <= of:
                return [PageRequest(label=label), PercentRequest(percent=Fraction(int(label) * _WHOLE, of))]
            return [request]
        case _:
            return [request]


def in_words(request: PlainRequest) -> str:
    """Return what a request says, for somebody who is to choose between several; empty where that needs no words."""
    words: str
    match request:
        case PageRequest(label=label):
            words = say("p. {page}", page=label)
        case ChapterStartRequest(chapter=number):
            words = say("chapter {number} begun", number=number)
        case ChapterDoneRequest(chapter=number):
            words = say("chapter {number} done", number=number)
        case ThisChapterRequest(percent=percent):
            share = in_percent(percent)
            words = say("this chapter") if percent == _WHOLE else say("{percent} of this chapter", percent=share)
        case MorePagesRequest(pages=more):
            words = say_count("{number} more page", "{number} more pages", more)
        case PercentRequest(percent=percent):
            words = say("{percent} of the book", percent=in_percent(percent))
        case EndRequest():
            words = say("the whole book")
        case _:
            words = ""
    return words


def _page_with_label(label: str, outline: BookOutline) -> int:
    pages = labelled_pages(outline)
    if pages:
        if label not in pages:
            first, last = next(iter(pages)), next(reversed(pages))
            raise PositionError(
                say(
                    "No page of this book has that label. Its labels run from {first} to {last}.",
                    first=first,
                    last=last,
                )
            )
        return pages[label]
    if not label.isdecimal():
        raise PositionError(
            say("This book has no printed page labels. Give a page from 1 to {last}.", last=outline.pages)
        )
    if int(label) > outline.pages:
        raise PositionError(say("The last page of this book is p. {page}.", page=outline.pages))
    return int(label)


def _the_one_of(readings: tuple[PlainRequest, ...], outline: BookOutline, current: Position) -> Position:
    """Return the page that all readings mean which mean one in this book."""
    found, refusals = set[Position](), list[PositionError]()
    for reading in readings:
        try:
            found.add(resolve(reading, outline, current=current))
        except PositionError as refusal:
            refusals.append(refusal)
    if not found:
        raise refusals[0]
    if len(found) > 1:
        raise PositionError(say("That could be more than one page. Try `p. 120`, `ch 7 done` or `+10`."))
    return found.pop()


def _in_chapter(request: ChapterStartRequest | ChapterDoneRequest | ChapterShareRequest, outline: BookOutline) -> int:
    match request:
        case ChapterStartRequest(chapter=number):
            return min(chapter.first_page for chapter in _chapters_numbered(number, outline)) - 1
        case ChapterDoneRequest(chapter=number, of=of):
            return min(chapter.last_page for chapter in _chapters_numbered(number, outline, of=of))
        case ChapterShareRequest(chapter=number, percent=percent):
            return min(_part_of(chapter, percent) for chapter in _chapters_numbered(number, outline))


def _part_of(chapter: Chapter, percent: Fraction) -> int:
    pages = chapter.last_page - chapter.first_page + 1
    return chapter.first_page - 1 + int(pages * percent / _WHOLE)


def _chapter_at(current: Position, outline: BookOutline) -> Chapter:
    """Return the chapter that is being read where pages 1 to `current` are read: the innermost that holds the next."""
    if current is None:
        raise PositionError(say("No page is set yet, so I don't know which chapter. Try `ch 7 done`."))
    page = min(current + 1, outline.pages)
    around = [chapter for chapter in outline.chapters if chapter.first_page <= page <= chapter.last_page]
    if not around:
        raise PositionError(say("Your page isn't in a chapter. Give a page, or a chapter like `ch 7 done`."))
    return max(around, key=lambda chapter: (chapter.first_page, -chapter.last_page))


def _pages_on(current: Position, more: int, outline: BookOutline) -> int:
    if current is None:
        raise PositionError(say("No page is set yet. Give the page itself, from 1 to {last}.", last=outline.pages))
    if current + more > outline.pages:
        raise PositionError(say("The last page of this book is p. {page}.", page=outline.pages))
    return current + more


def _chapters_numbered(number: int, outline: BookOutline, *, of: int | None = None) -> list[Chapter]:
    """Find the chapters that a number may mean: as printed in the title, else as a part's, else in running order."""
    if not outline.chapters:
        raise PositionError(say("This book has no chapters. Give a page from 1 to {last}.", last=outline.pages))
    fits = (
        [c for c in outline.chapters if printed_chapter_number(c.title) == number]
        or [c for c in outline.chapters if printed_division_number(c.title) == number]
        or [c for c in outline.chapters if c.number == number]
    )
    count = len(outline.chapters)
    if not fits or of not in {None, count}:
        raise PositionError(
            say_count(
                "There's no chapter with that number. This book has {number} chapter.",
                "There's no chapter with that number. This book has {number} chapters.",
                count,
            )
        )
    return fits
