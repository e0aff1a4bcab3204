"""Which page something means that was said of a book (ADR 8)."""

from dataclasses import replace
from fractions import Fraction
from typing import Final

from core.catalogue.sentences import say, say_count, sentence
from core.domain.book import BookOutline, Chapter
from core.domain.book_places import BookPlaces, Place
from core.domain.copy_numbers import Unit
from core.domain.edition import Edition
from core.domain.errors import PositionError
from core.domain.position import Position, in_percent, labelled_pages, page_names
from core.domain.position_requests import (
    NOT_A_POSITION,
    BegunRequest,
    EitherRequest,
    EndRequest,
    FollowRequest,
    MorePagesRequest,
    PageRequest,
    PercentRequest,
    PlaceInCopyRequest,
    PlaceRequest,
    PlainRequest,
    PositionRequest,
    ResetRequest,
    SpanRequest,
    Step,
    ThisChapterRequest,
    UndoRequest,
)

_WHOLE: Final = 100
_MOST_MEANINGS: Final = 4
_SEVERAL: Final = sentence("That could be more than one page. Try `p. 120`, `ch 7 done` or `+10`.")


def resolve(  # noqa: C901 (one case a form)
    request: PositionRequest, outline: BookOutline, *, current: Position = None
) -> Position:
    """Find the page that a request means in one book.

    `current` is where the page stands now, for what is said of it (`+10`, `end of this chapter`).

    Returns:
        0 to the end of the story, or None for `reset`.

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
                        outline.count,
                    )
                )
        case PlaceRequest(percent=percent) | SpanRequest(percent=percent) | ThisChapterRequest(percent=percent):
            position = _part_of(_stretch(request, outline, current), percent)
        case MorePagesRequest(pages=more):
            position = _pages_on(current, more, outline)
        case PercentRequest(percent=percent):
            if percent > _WHOLE:
                raise PositionError(
                    say("A share can be at most 100%. The last page is p. {page}.", page=_last_page(outline))
                )
            position = outline.begin + int(outline.story_pages * percent / _WHOLE)
        case EndRequest():
            position = outline.story_end
        case BegunRequest():
            position = outline.begin
        case ResetRequest():
            position = outline.before or None  # what was read of the books before stays read
        case FollowRequest() | UndoRequest() | PlaceInCopyRequest():
            raise PositionError(say("Name a place in the book, not `follow` or `undo`."))
        case EitherRequest(readings=readings):
            position = _the_one_of(readings, outline, current)
    return None if position is None else min(position, outline.story_end)


def meanings(
    request: PositionRequest, outline: BookOutline, *, copy: Edition | None = None, current: Position = None
) -> list[PlainRequest]:
    """Return what a request may mean, likeliest first; what then names no page of the book is not meant.

    Of several places with one name, or pages with one label, the nearest are meant, those ahead of `current` first.

    `page 20 of 300` of a book with other pages is a page of a copy with 300; one with less than half of the pages is
    doubtful. A bare number may be a location in `copy`, the asker's own.
    """
    match request:
        case EitherRequest(readings=readings):
            return [each for one in readings for each in _alike(one, outline, current)]
        case PageRequest(label=label, of=of) if of is not None and label.isdecimal():
            return _pages_of(int(label), of, outline, copy)
        case PageRequest(label=label, is_bare=True) if label.isdecimal() and copy and copy.unit is Unit.LOCATIONS:
            at = PlaceInCopyRequest(unit=Unit.LOCATIONS, number=int(label))
            return [*_alike(request, outline, current), at]
    return _alike(request, outline, current)


def _pages_of(number: int, of: int, outline: BookOutline, copy: Edition | None) -> list[PlainRequest]:
    """Return what a page of so many may mean: one of the book, or of a copy with that many."""
    page, in_copy = PageRequest(label=str(number)), PlaceInCopyRequest(unit=Unit.PAGES, number=number, of=of)
    last_label = max((int(each) for each in labelled_pages(outline) if each.isdecimal()), default=0)
    if of in {outline.pages, last_label} and (copy is None or copy.unit is not Unit.PAGES):
        return [page]
    if number > of:
        return [replace(page, of=of)]
    return [page, in_copy] if of * 2 < outline.count else [in_copy]


def in_words(request: PlainRequest) -> str:
    """Return what a request says, for somebody who is to choose between several; empty where that needs no words."""
    words: str
    match request:
        case PageRequest(label=label):
            words = say("p. {page}", page=label)
        case PlaceRequest(steps=steps, percent=percent) if percent in {0, _WHOLE}:
            words = _share_of(" ".join(_step_in_words(step) for step in steps), percent)
        case SpanRequest(name=name, percent=percent):
            words = _share_of(name, percent)
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
    if label in outline.again:
        raise PositionError(say(_SEVERAL))
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
        raise PositionError(say(_SEVERAL))
    return found.pop()


def _stretch(
    request: PlaceRequest | SpanRequest | ThisChapterRequest, outline: BookOutline, current: Position
) -> Place | Chapter | SpanRequest:
    """Return the pages that a request speaks of. Raises PositionError where there are none, or several."""
    match request:
        case SpanRequest():
            return request
        case ThisChapterRequest():
            return _chapter_at(current, outline)
    place, *others = _places(request, outline, current)
    if others:
        raise PositionError(say(_SEVERAL))
    return place


def _places(request: PlaceRequest, outline: BookOutline, current: Position) -> list[Place]:
    """Return the places that a request may mean. Raises PositionError where the book has none."""
    if not outline.chapters:
        first, last = page_names(outline)(outline.first_story_page), _last_page(outline)
        raise PositionError(
            say("This book has no chapters. Give a page from {first} to {last}.", first=first, last=last)
        )
    places = BookPlaces(outline, reached=current)
    found = places.named(request.steps)
    count = len(outline.chapters)
    if found and request.of in {None, count}:
        return found
    forms = places.forms()
    if any(step.title for step in request.steps):
        raise PositionError(say(NOT_A_POSITION))
    if forms is not None:
        raise PositionError(
            say("I can't find that place. This book has {levels}; try `{example}`.", levels=forms[0], example=forms[1])
        )
    raise PositionError(
        say_count(
            "There's no chapter with that number. This book has {number} chapter.",
            "There's no chapter with that number. This book has {number} chapters.",
            count,
        )
    )


def _alike(request: PlainRequest, outline: BookOutline, current: Position) -> list[PlainRequest]:
    """Return what a request may mean where several places have its name, or several pages its label."""
    match request:
        case PlaceRequest():
            return _spans(request, outline, current)
        case PageRequest(label=label) if label in outline.again:
            return _pages_labelled(label, outline, current)
    return [request]


def _spans(request: PlaceRequest, outline: BookOutline, current: Position) -> list[PlainRequest]:
    """Return the nearest of several places that a request may mean; the request itself where it means one at most."""
    places = BookPlaces(outline, reached=current)
    found = places.named(request.steps)[:_MOST_MEANINGS]
    if len(found) <= 1:
        return [request]
    return [
        SpanRequest(
            name=places.name_of(each),
            first_page=each.first_page,
            last_page=each.last_page,
            percent=request.percent,
        )
        for each in found
    ]


def _pages_labelled(label: str, outline: BookOutline, current: Position) -> list[PlainRequest]:
    """Return the nearest of the pages that have one label, each by its place."""
    reached = current or 0
    places = BookPlaces(outline, reached=current)
    pages = sorted(outline.again[label], key=lambda page: (page <= reached, abs(page - reached)))
    found: list[PlainRequest] = []
    for page in pages[:_MOST_MEANINGS]:
        name, place = say("p. {page}", page=label), places.around(page)
        if place is not None:
            name = say("{place} of {whole}", place=name, whole=places.name_of(place))
        found.append(SpanRequest(name=name, first_page=page, last_page=page, percent=Fraction(_WHOLE)))
    return found


def _share_of(place: str, percent: Fraction) -> str:
    """Return in words how much of a place is read."""
    if percent in {0, _WHOLE}:
        return say("{place} done", place=place) if percent else say("{place} begun", place=place)
    return say("{percent} of {place}", percent=in_percent(percent), place=place)


def _step_in_words(step: Step) -> str:
    return step.title or " ".join(str(each) for each in (step.word, step.number) if each)


def _part_of(place: Place | Chapter | SpanRequest, percent: Fraction) -> int:
    pages = place.last_page - place.first_page + 1
    return place.first_page - 1 + int(pages * percent / _WHOLE)


def _chapter_at(current: Position, outline: BookOutline) -> Chapter:
    """Return the chapter that is being read where pages 1 to `current` are read: the innermost that holds the next."""
    if current is None:
        raise PositionError(say("No page is set yet, so I don't know which chapter. Try `ch 7 done`."))
    page = min(max(current + 1, outline.first_story_page), outline.pages)
    around = [chapter for chapter in outline.chapters if chapter.first_page <= page <= chapter.last_page]
    if not around:
        raise PositionError(say("Your page isn't in a chapter. Give a page, or a chapter like `ch 7 done`."))
    return max(around, key=lambda chapter: (chapter.first_page, -chapter.last_page))


def _last_page(outline: BookOutline) -> str:
    """Return what readers call the last page of the story."""
    return page_names(outline)(outline.story_end)


def _pages_on(current: Position, more: int, outline: BookOutline) -> int:
    if current is None:
        last = _last_page(outline)
        raise PositionError(say("No page is set yet. Give the page itself, from 1 to {last}.", last=last))
    page = max(current, outline.begin) + more
    if page > outline.pages:
        raise PositionError(say("The last page of this book is p. {page}.", page=_last_page(outline)))
    return page
