"""Suggests positions while a member types how far they have read."""

from collections.abc import Callable
from itertools import islice
from typing import Final

from core.answering.positions import page_of_member
from core.catalogue.sentences import say
from core.club.commands.values import CommandRequest, Suggestion
from core.club.position.asked_back import label_of
from core.domain.book import BookOutline, Chapter
from core.domain.book_places import BookPlaces, marks_in
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.folding import folded
from core.domain.position import NeedsChoice, Position, page_names

_MOST_OFFERED: Final = 25


def suggested_places(club: ClubState, request: CommandRequest, current: Position) -> list[Suggestion]:
    """Return the position that the typed text names, if it names exactly one, then the ends of chapters."""
    chapters = suggested_chapters(club.outline.all_at(current)[-1], current, typed=request.text)
    try:
        named = page_of_member(club, request.text, current=current)
    except PositionError:
        return chapters
    if isinstance(named, NeedsChoice) or named.position is None:
        return chapters
    typed = Suggestion(label=label_of(named, club.page_name), text=request.text.strip())
    return [typed, *(one for one in chapters if one.text != typed.text)][:_MOST_OFFERED]


def suggested_chapters(
    outline: BookOutline, position: Position, *, typed: str, most: int = _MOST_OFFERED
) -> list[Suggestion]:
    """Return the ends of chapters that match the typed text, unread chapters first.

    A chapter's title is shown only once its first page is read. The typed text is compared with the shown labels only:
    finding a chapter by an unread title would reveal the title.
    """
    reached = position or 0
    ahead = [chapter for chapter in outline.chapters if chapter.last_page > reached]
    behind = [chapter for chapter in reversed(outline.chapters) if chapter.last_page <= reached]
    wanted = folded(typed)
    shown, places = page_names(outline), BookPlaces(outline, reached=position)
    offered = (_done(chapter, places, reached, shown) for chapter in (*ahead, *behind))
    return list(islice((one for one in offered if one and wanted in folded(f"{one.label} {one.text}")), most))


def _done(chapter: Chapter, places: BookPlaces, reached: int, shown: Callable[[int], str]) -> Suggestion | None:
    """Return the suggestion that a chapter is done; None where nothing that can be typed identifies it."""
    typed = places.typed_name(chapter)
    if typed is None:
        return None
    text = f"{typed} done"
    name = typed.replace("ch ", "chapter ")
    name = name[:1].upper() + name[1:]
    if chapter.first_page <= reached and chapter.title.strip():
        title = chapter.title.strip()
        names_itself = marks_in(title) or folded(title).startswith(folded(name))
        name = title if names_itself else f"{name}, {title}"
    # The last page of an unread chapter is not shown.
    if chapter.last_page > reached:
        return Suggestion(label=say("{chapter}: done", chapter=name), text=text)
    label = say("{chapter}: done, p. {page}", chapter=name, page=shown(chapter.last_page))
    return Suggestion(label=label, text=text)
