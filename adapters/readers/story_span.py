"""Which pages hold the story, between front and back matter; called by the EPUB and PDF readers."""

from collections.abc import Sequence
from dataclasses import replace

from adapters.readers.outline import is_back, is_front
from core.domain.book import Chapter


def story_span(chapters: Sequence[Chapter], pages: int) -> tuple[int, int]:
    """Return the first and last page of the story by the names of what comes before and behind it."""
    story = [*chapters]
    while story and is_front(story[0].title):
        story.pop(0)
    if not story:
        return 1, pages
    first, last = story[0].first_page, pages
    while len(story) > 1 and is_back(story[-1].title):
        last = max(first, story.pop().first_page - 1)
    return first, last


def within(chapters: Sequence[Chapter], first: int, last: int) -> tuple[Chapter, ...]:
    """Return the chapters of the story alone, numbered anew, none beyond its last page."""
    inside = [one for one in chapters if first <= one.first_page <= last]
    return tuple(
        replace(one, number=number, last_page=min(one.last_page, last)) for number, one in enumerate(inside, 1)
    )
