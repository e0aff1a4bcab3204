"""Turns the shape of a book into pages, chapters and parts outside the story; called by all readers."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from adapters.readers.story import StoryShape
from core.domain.book import BookText, Chapter, OutsidePart, Page, PageSource


def bound(
    shape: StoryShape,
    pages: tuple[Page, ...],
    page_of: Sequence[int],
    *,
    title: str,
    author: str | None,
    source: PageSource,
) -> BookText:
    """Return the book; a page that the story shares with what is outside it belongs to the story."""
    first = page_of[shape.start] if page_of else 1
    last = max(first, _last_page(shape.stop, page_of, len(pages)))
    return BookText(
        title=title,
        author=author,
        pages=pages,
        chapters=tuple(_chapters(shape, page_of, last)),
        page_source=source,
        first_story_page=first,
        last_story_page=last if last < len(pages) else None,
        outside=tuple(_parts(shape, page_of, len(pages))),
    )


def _chapters(shape: StoryShape, page_of: Sequence[int], last: int) -> Iterable[Chapter]:
    """Yield the chapters; one ends where the next one begins, or something outside the story."""
    edges = sorted({one.front for one in shape.chapters} | {one.start for one in shape.outside} | {len(page_of)})
    for number, one in enumerate(shape.chapters, 1):
        begin = page_of[one.index]
        end = _last_page(edges[bisect_right(edges, one.index)], page_of, last)
        yield Chapter(
            number=number, title=one.title, first_page=begin, last_page=max(begin, min(end, last)), path=one.path
        )


def _parts(shape: StoryShape, page_of: Sequence[int], pages: int) -> Iterable[OutsidePart]:
    outside = {index for one in shape.outside for index in range(one.start, one.stop)}
    story = {page_of[index] for index in range(shape.start, shape.stop) if index not in outside}
    for one in shape.outside:
        numbers = range(page_of[one.start], _last_page(one.stop, page_of, pages) + 1)
        own = [number for number in numbers if number not in story]
        if own:
            yield OutsidePart(role=one.role, title=one.title, first_page=own[0], last_page=own[-1], why=one.why)


def _last_page(stop: int, page_of: Sequence[int], pages: int) -> int:
    """Return the last page of the paragraphs before `stop`, which the next paragraph may share."""
    if stop >= len(page_of):
        return pages
    return page_of[stop] - (page_of[stop - 1] != page_of[stop])
