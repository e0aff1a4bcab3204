"""The books of a series in one text: found in an omnibus, or joined from several files."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import Final, TypeVar

from core.catalogue.sentences import say
from core.domain.book import OF_WORK, BookText, Chapter, OutsidePart, Page, PageSource, PartRole, Work
from core.domain.book_places import marks_in

_LONGEST_TITLE: Final = 40
_Stretch = TypeVar("_Stretch", Work, Chapter, OutsidePart)


def works_of(text: BookText) -> tuple[Work, ...]:
    """Return the novels of an omnibus; none for a single book.

    They are what all chapters stand in, under titles without a number, if the chapters of each are counted from 1.
    """
    if not all(each.path for each in text.chapters):
        return ()
    groups = [(title, [*chapters]) for title, chapters in groupby(text.chapters, key=lambda each: each.path[0])]
    titles = [title for title, _ in groups]
    if len(titles) < 2 or len({*titles}) < len(titles) or any(map(marks_in, titles)):  # noqa: PLR2004 (a series)
        return ()
    if not all(_begins_at_one(chapters) for _, chapters in groups):
        return ()
    starts = [chapters[0].first_page for _, chapters in groups]
    ends = [start - 1 for start in starts[1:]] + [text.last_story_page or len(text.pages)]
    if any(before >= after for before, after in pairwise(starts)):
        return ()
    return tuple(
        Work(title=_short(title), first_page=start, last_page=min(end, max(each.last_page for each in chapters)))
        for (title, chapters), start, end in zip(groups, starts, ends, strict=True)
    )


def joined(first: BookText, then: BookText) -> BookText:
    """Return the text of two books, or series, as one series, the pages of the second after those of the first.

    Each page has its printed label, or its number, with the title of its book; chapters stand in their book. What lies
    between the stories is outside.
    """
    one = _as_series(first, beside=then.works)
    two, before = _as_series(then, beside=one.works), len(first.pages)
    start = text_length(one) + 1
    pages = (replace(each, number=each.number + before, start_offset=each.start_offset + start) for each in two.pages)
    works = (*one.works, *(_moved(each, before) for each in two.works))
    chapters = (*one.chapters, *(_moved(each, before) for each in two.chapters))
    outside = [*one.outside, *(_moved(each, before) for each in two.outside)]
    between = range((one.last_story_page or before) + 1, before + two.first_story_page)
    outside += _runs([page for page in between if not any(page in _pages(part) for part in outside)])
    is_estimated = PageSource.ESTIMATED in {first.page_source, then.page_source}
    return BookText(
        title=_title(works),
        author=", ".join(dict.fromkeys(filter(None, (first.author, then.author)))) or None,
        pages=(*one.pages, *pages),
        chapters=tuple(replace(each, number=number) for number, each in enumerate(chapters, 1)),
        page_source=PageSource.ESTIMATED if is_estimated else then.page_source,
        first_story_page=one.first_story_page,
        last_story_page=before + (two.last_story_page or len(two.pages)),
        outside=tuple(sorted(outside, key=lambda part: part.first_page)),
        works=works,
    )


def text_length(text: BookText) -> int:
    """Return how many characters the pages of a book have, joined by one character each."""
    last = text.pages[-1]
    return last.start_offset + len(last.text)


def _as_series(text: BookText, *, beside: Sequence[Work]) -> BookText:
    """Return a book as a series of one, or a series as it is, with labels that name the book.

    A book that has the title of one `beside` it gets another, since its pages and places are named with it.
    """
    works, chapters = text.works, text.chapters
    if not works:
        last = text.last_story_page or len(text.pages)
        title = _unlike(_short(text.title), [each.title for each in beside])
        works = (Work(title=title, first_page=text.first_story_page, last_page=last),)
        chapters = tuple(replace(each, path=(works[0].title, *each.path)) for each in chapters) or (
            Chapter(
                number=1, title=works[0].title, first_page=works[0].first_page, last_page=last, path=(works[0].title,)
            ),
        )
    is_labelled = any(page.label for page in text.pages)
    pages = tuple(replace(each, label=_label(each, works, is_labelled=is_labelled)) for each in text.pages)
    return replace(text, works=works, chapters=chapters, pages=pages)


def _unlike(title: str, others: Sequence[str]) -> str:
    """Return a title that none of the others is: `The Quay (2)`."""
    named = (title, *(f"{title} ({number})" for number in range(2, len(others) + 2)))
    return next(each for each in named if each not in others)


def _label(page: Page, works: Sequence[Work], *, is_labelled: bool) -> str:
    """Return the label of a page in a series; in a labelled book, a page without one has its number in brackets."""
    if page.label and OF_WORK in page.label:
        return page.label
    work = next((each for each in works if page.number <= each.last_page), works[-1])
    number = f"[{page.number}]" if is_labelled else str(page.number)
    return work.label(page.label or number)


def _moved(stretch: _Stretch, by: int) -> _Stretch:
    return replace(stretch, first_page=stretch.first_page + by, last_page=stretch.last_page + by)


def _runs(pages: Sequence[int]) -> Iterator[OutsidePart]:
    """Yield the pages between two stories that belong to no part outside them yet."""
    for _, run in groupby(enumerate(pages), key=lambda each: each[1] - each[0]):
        numbers = [page for _, page in run]
        why = "between two books of a series"
        yield OutsidePart(role=PartRole.BACK, title="", first_page=numbers[0], last_page=numbers[-1], why=why)


def _pages(part: OutsidePart) -> range:
    return range(part.first_page, part.last_page + 1)


def _begins_at_one(chapters: Sequence[Chapter]) -> bool:
    """Whether the first number that chapters print is 1."""
    numbers = [number for each in chapters for _, number in marks_in(each.title)]
    return numbers[:1] == [1]


def _title(works: Sequence[Work]) -> str:
    if len(works) == 2:  # noqa: PLR2004 (both are named)
        return say("{first} and {second}", first=works[0].title, second=works[1].title)
    return say("{first} and {number} more", first=works[0].title, number=len(works) - 1)


def _short(title: str) -> str:
    """Return a title without its subtitle, and without what makes it long."""
    short = title.partition(":")[0].partition(";")[0].strip().replace(OF_WORK, " Of ") or title
    return short if len(short) <= _LONGEST_TITLE else f"{short[:_LONGEST_TITLE].rsplit(' ', 1)[0]}…"
