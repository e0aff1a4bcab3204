"""Finds the position that a member names: in the book that is read, in another of its series, or by their own copy."""

import re
from dataclasses import replace
from typing import Final

from core.answering.editions import converted, place_converted, share_converted
from core.domain.book import OF_WORK, BookOutline
from core.domain.club_state import ClubState
from core.domain.copy_numbers import Unit
from core.domain.edition import page_in_copy
from core.domain.errors import PositionError
from core.domain.position import NamedPosition, NeedsChoice, Position
from core.domain.position_meaning import in_words, meanings, resolve
from core.domain.position_requests import (
    BegunRequest,
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
    ThisChapterRequest,
)
from core.understanding.position_forms import parse_position

_BOOK_FIRST: Final = re.compile(r"book (?P<number>[0-9]{1,2})[ ,:]+(?P<place>.+)", re.IGNORECASE)


def read_position(text: str, club: ClubState) -> tuple[PositionRequest, ClubState]:
    """Return what a text asks for, and the club with the one book of its series that the text names, if it names one.

    Raises:
        PositionError: the text is no form of a position.
    """
    for place, outline in _places_in_works(text.strip(), club.outline):
        try:
            return parse_position(place, titles=True), club.within(outline)
        except PositionError:
            continue
    return parse_position(text, titles=True), club


def _places_in_works(text: str, outline: BookOutline) -> list[tuple[str, BookOutline]]:
    """Return the place before a work's title (`p. 5 of The Hound`) or behind its number (`book 2 p. 5`), with it."""
    found = []
    for number, work in enumerate(outline.works, 1):
        behind = re.fullmatch(rf"(?P<place>.+){OF_WORK}{re.escape(work.title)}[.!]?", text, re.IGNORECASE)
        first = _BOOK_FIRST.fullmatch(text)
        match = behind or (first if first and int(first["number"]) == number else None)
        if match:
            found.append((match["place"], outline.at(work.last_page)))
    return found


def named_position(request: PositionRequest, club: ClubState, *, current: Position) -> NamedPosition | NeedsChoice:
    """Return the position that a request names, or a choice where it has several meanings.

    Raises:
        PositionError: it names none; the error is that of its likeliest meaning.
    """
    found, refusals = list[NamedPosition](), list[PositionError]()
    for outline in _books_meant(request, club, current):
        _look_in(club.within(outline), request, current, found, refusals)
    if not found and club.outline.works and _names_book(request):
        _look_in(club, request, current, found, refusals)
    if not found:
        raise refusals[0]
    if len({named.position for named in found}) == 1:
        return found[0]
    reached = current or 0
    if club.outline.works:
        found.sort(key=lambda named: (named.position or 0) <= reached)  # what is ahead first, else as it was
    return NeedsChoice(from_page=reached, meanings=tuple(found))


def _look_in(
    club: ClubState,
    request: PositionRequest,
    current: Position,
    found: list[NamedPosition],
    refusals: list[PositionError],
) -> None:
    """Add what a request means in a book, and why its other meanings name no position there."""
    for meaning in meanings(request, club.outline, copy=club.own_edition or club.club_edition, current=current):
        try:
            found.append(replace(_position_of(meaning, club, current=current), book=club.outline.title))
        except PositionError as refusal:
            refusals.append(refusal)


def _books_meant(request: PositionRequest, club: ClubState, current: Position) -> list[BookOutline]:
    """Return the books of a series in which a place may be; a page or a share is one of the whole file."""
    of_work = isinstance(request, PlaceRequest | ThisChapterRequest | EndRequest | BegunRequest | ResetRequest)
    return club.outline.all_at(current) if of_work or club.outline.is_joined else [club.outline]


def _names_book(request: PositionRequest) -> bool:
    """Whether a request may name a book of a series: `book 1 ch 3`, `A Study in Scarlet done`."""
    return isinstance(request, PlaceRequest) and (bool(request.steps[0].title) or request.steps[0].word == "book")


def _position_of(request: PlainRequest, club: ClubState, *, current: Position) -> NamedPosition:
    """Return the position that one meaning names. Page numbers are those of the member's copy, if there is one."""
    if isinstance(request, FollowRequest):
        return NamedPosition(position=None)
    words, in_book = in_words(request), _by_copy(request, club, current)
    if in_book is not None:
        return replace(in_book, words=words or in_book.words)
    return NamedPosition(position=resolve(request, club.outline, current=current), words=words)


def _by_copy(request: PlainRequest, club: ClubState, current: Position) -> NamedPosition | None:
    """Return the position of what a member's copy shows; None where a request names a place of the book itself."""
    outline, copy = club.outline, club.copy_in(Unit.PAGES)
    match request:
        case PlaceInCopyRequest(unit=unit):
            return place_converted(club.copy_in(unit), request, outline)
        case PageRequest(label=label) if label.isdecimal():
            return converted(copy, int(label), outline)
        case MorePagesRequest(pages=more) if copy is not None and copy.converts and current is not None:
            return converted(copy, page_in_copy(copy, current, outline) + more, outline)
        case PercentRequest(percent=percent):
            return share_converted(percent, outline)
        case _:
            return None
