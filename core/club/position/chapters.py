"""The places that are offered while somebody types how far they have read."""

from collections.abc import Callable
from typing import Final

from core.answering.positions import page_of_member
from core.catalogue.sentences import say
from core.club.commands.values import CommandRequest, Suggestion
from core.club.position.asked_back import label_of
from core.domain.book import BookOutline, Chapter
from core.domain.club_state import ClubState
from core.domain.errors import PositionError
from core.domain.folding import folded
from core.domain.numbers import printed_chapter_number
from core.domain.position import NeedsChoice, Position, page_names
from core.domain.position_meaning import resolve
from core.understanding.position_forms import parse_position

_MOST_OFFERED: Final = 25


def suggested_places(club: ClubState, request: CommandRequest, current: Position) -> list[Suggestion]:
    """Return what was typed first, as far as it already names one place; then chapters."""
    chapters = suggested_chapters(club.outline, current, typed=request.text)
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
    """Return the ends of chapters, those still ahead first; a chapter has its title only once its first page is read.

    What was typed is looked for in what is shown alone: to find a chapter by a title not yet read would tell the title.
    """
    reached = position or 0
    ahead = [chapter for chapter in outline.chapters if chapter.last_page > reached]
    behind = [chapter for chapter in reversed(outline.chapters) if chapter.last_page <= reached]
    wanted = folded(typed)
    shown = page_names(outline)
    offered = [_done(chapter, outline, reached, shown) for chapter in (*ahead, *behind)]
    return [one for one in offered if one and wanted in folded(f"{one.label} {one.text}")][:most]


def _done(chapter: Chapter, outline: BookOutline, reached: int, shown: Callable[[int], str]) -> Suggestion | None:
    """Return the suggestion that a chapter is done; None where no number means this chapter and no other."""
    printed = printed_chapter_number(chapter.title)
    number = chapter.number if printed is None else printed
    text = f"ch {number} done"
    try:
        if resolve(parse_position(text), outline) != chapter.last_page:
            return None
    except PositionError:
        return None
    name = say("Chapter {number}", number=number)
    if chapter.first_page <= reached and chapter.title.strip():
        name = chapter.title.strip() if printed is not None else f"{name}, {chapter.title.strip()}"
    # Where a coming chapter ends is nothing that has been read.
    if chapter.last_page > reached:
        return Suggestion(label=say("{chapter}: done", chapter=name), text=text)
    label = say("{chapter}: done, p. {page}", chapter=name, page=shown(chapter.last_page))
    return Suggestion(label=label, text=text)
