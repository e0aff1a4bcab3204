"""Books: their pages are the source of truth, and everything else refers to them."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.domain.clean_text import OUR_MARKS, clean


class PageSource(StrEnum):
    """Where the page breaks of a book come from; estimated pages are shown as estimated."""

    PDF = "pdf"
    PAGE_LIST = "page_list"
    PAGE_BREAKS = "page_breaks"
    FORM_FEEDS = "form_feeds"
    ESTIMATED = "estimated"


class BookStatus(StrEnum):
    """`searchable` as soon as the text is in SQL; `complete` when every chunk has its vector."""

    SEARCHABLE = "searchable"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page: `number` from 1, `label` as printed on it, `start_offset` in characters of the book.

    Offsets count in the texts of all pages joined by one character each.
    """

    number: int
    text: str
    label: str | None = None
    start_offset: int = 0


class PartRole(StrEnum):
    """What a stretch of a book is. Only the story is searched, quoted and counted."""

    STORY = "story"
    FRONT = "front"
    NOTES = "notes"
    BACK = "back"
    EXCERPT = "excerpt"
    OTHER_WORK = "other work"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter and the pages it covers, both inclusive.

    `path` are the printed titles of what it stands in, outermost first: `("Volume II", "Book the Third")`.
    """

    number: int
    title: str
    first_page: int
    last_page: int
    path: tuple[str, ...] = ()


_SURE: Final = ("title", "EPUB semantics", "before the beginning that the book marks", "between two books of a series")
"""How it begins why a part is taken for what it is, where the book itself says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsidePart:
    """A stretch of a book that is no story: its role, its printed title, its pages, and why it is taken for that."""

    role: PartRole
    title: str
    first_page: int
    last_page: int
    why: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether it is only guessed from its text, and neither marked by the book nor named by its title."""
        return bool(self.why) and not self.why.startswith(_SURE)


OF_WORK: Final = " of "
"""Between a page's label and the title of its book in a series; labels in files never have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """One book of a series, or one novel of an omnibus: its title, and the first and last page of its story."""

    title: str
    first_page: int
    last_page: int

    def label(self, printed: str) -> str:
        """Return the label of a page in a series: `12 of The Hound`."""
        return f"{printed}{OF_WORK}{self.title}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """An indexed piece of one page; `number` counts from 1 through the book. A chunk never crosses a page boundary."""

    number: int
    start_page: int
    end_page: int
    text: str
    chapter_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BookText:
    """The whole book as read from a file, before it is stored and has an id.

    The story is the text between front and back matter; `outside` are the parts around it, in order. A reader that
    cannot tell them apart treats all pages as story (`last_story_page` None: up to the last page). `works` are the
    books of a series, in order; none for a single book.
    """

    title: str
    author: str | None
    pages: tuple[Page, ...]
    chapters: tuple[Chapter, ...]
    page_source: PageSource
    first_story_page: int = 1
    last_story_page: int | None = None
    outside: tuple[OutsidePart, ...] = ()
    works: tuple[Work, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", clean(self.title))
        object.__setattr__(self, "author", clean(self.author) or None)
        # Offsets count in the texts, so none of them gets shorter.
        object.__setattr__(
            self,
            "pages",
            tuple(
                replace(
                    page,
                    text=OUR_MARKS.sub("\ufffd", page.text),
                    label=None if not self.works and OF_WORK in (page.label or "") else page.label,
                )
                for page in self.pages
            ),
        )
        object.__setattr__(self, "chapters", tuple(map(_cleaned, self.chapters)))
        object.__setattr__(self, "outside", tuple(replace(each, title=clean(each.title)) for each in self.outside))


def _cleaned(chapter: Chapter) -> Chapter:
    return replace(chapter, title=clean(chapter.title), path=tuple(map(clean, chapter.path)))


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEdit:
    """An operator's changes to a book. None and missing titles mean no change. `author` may be empty.

    With both of the story's pages, all that lies between them is story, whatever it was taken for.
    """

    title: str | None = None
    author: str | None = None
    first_story_page: int | None = None
    last_story_page: int | None = None
    chapter_titles: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """One imported text, unique by scope and content hash. `pages`, `chapters` and `chunks` are counts.

    A book that is removed and imported again has the same `book_id` and another `import_id`. `notes_id` changes with
    its reading notes; it is empty while there are none, and while they are being made. What stands before
    `first_story_page` is no story, and what stands after `last_story_page`, where that is given. `works` are the books
    of a series.
    """

    book_id: str
    scope: str
    title: str
    author: str | None
    content_hash: str
    pages: int
    chapters: int
    chunks: int
    page_source: PageSource
    status: BookStatus
    import_id: str = ""
    notes_id: str = ""
    first_story_page: int = 1
    last_story_page: int | None = None
    works: tuple[Work, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BookOutline:
    """What the position rules need of a book: pages, printed labels, chapters and offsets.

    `ends` are the text offsets after the last character of each page; without them all pages count as equally long.
    `again` are the pages of each label that is printed on more than one; `labels` has the first of them.

    Of a series, the outline of one book (`at`) has its `title`, and counts pages on from page `begin`, before it.
    `before` is the last page of the story before it; between the two may stand what is no story.
    """

    pages: int
    labels: Mapping[str, int] = field(default_factory=dict)
    chapters: tuple[Chapter, ...] = ()
    ends: tuple[int, ...] = ()
    first_story_page: int = 1
    last_story_page: int | None = None
    outside: tuple[OutsidePart, ...] = ()
    again: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    works: tuple[Work, ...] = ()
    title: str = ""
    begin: int = 0
    before: int = 0

    @property
    def is_joined(self) -> bool:
        """Whether its works came from several files, each with page numbers of its own."""
        return any(OF_WORK in label for label in self.labels)

    @property
    def count(self) -> int:
        """How many pages the book has, without those of the books before it."""
        return self.pages - self.begin

    @property
    def story_end(self) -> int:
        """The last page of the story."""
        return self.last_story_page or self.pages

    def at(self, page: int | None) -> "BookOutline":
        """Return the outline of the book of a series that is read at a page; this outline for a single book."""
        return self.all_at(page)[0]

    def counted_at(self, page: int | None) -> "BookOutline":
        """Return the outline in which pages and shares count at a page: of an omnibus, the whole file."""
        return self.at(page) if self.is_joined else self

    def all_at(self, page: int | None) -> list["BookOutline"]:
        """Return the outlines of the books that a place named at a page may be in: at a book's end, also the next."""
        if not self.works:
            return [self]
        now = next((each for each in self.works if (page or 0) <= each.last_page), self.works[-1])
        following = [each for each in self.works if each.first_page > now.last_page][: page == now.last_page]
        return [self._of(each) for each in (now, *following)]

    def _of(self, work: Work) -> "BookOutline":
        """Return the outline of one work. Labels are its own without its title; the other works keep theirs."""
        inside = range(work.first_page, work.last_page + 1)
        before = max((each.last_page for each in self.works if each.last_page < work.first_page), default=0)
        chapters = [
            each
            for each in self.chapters
            if before < each.first_page <= work.last_page and each.last_page >= work.first_page
        ]
        if [each.title for each in chapters] == [work.title]:
            chapters = []  # the work itself, which has no chapters
        return replace(
            self,
            pages=work.last_page,
            labels={
                label.removesuffix(work.label("")) if page in inside else label: page
                for label, page in self.labels.items()
            },
            again={
                label.removesuffix(work.label("")): pages
                for label, pages in self.again.items()
                if any(page in inside for page in pages)
            },
            chapters=tuple(replace(each, number=number, path=each.path[1:]) for number, each in enumerate(chapters, 1)),
            first_story_page=work.first_page,
            last_story_page=work.last_page,
            works=(),
            title=work.title,
            begin=work.first_page - 1,
            before=before,
        )

    @property
    def story_pages(self) -> int:
        """How many pages there are up to the end of the story, without those of the books before it."""
        return self.story_end - self.begin

    def end_of(self, page: int) -> int:
        """Return the text offset at which pages 1 to `page` are read; 0 for no page."""
        if page < 1:
            return 0
        return self.ends[page - 1] if self.ends else page

    def pages_read(self, offset: int | Fraction) -> Fraction:
        """Return how many pages are read at a text offset, the part of a page included; whole pages round it down."""
        if offset < 0:
            return Fraction(0)
        if not self.ends:
            return min(Fraction(offset), Fraction(self.pages))
        whole = bisect_right(self.ends, offset)
        if whole == len(self.ends):
            return Fraction(whole)
        begin = self.end_of(whole)
        return whole + Fraction(offset - begin, 1) / (self.ends[whole] - begin)

    def page_holding(self, offset: int) -> int:
        """Return the page on which the character before a text offset stands."""
        return min(bisect_left(self.ends, offset) + 1 if self.ends else offset, self.pages)


def page_ends(starts: Sequence[int], length: int) -> tuple[int, ...]:
    """Return the end offsets of pages with these starts in a text of `length`; empty if the starts do not rise."""
    ends = (*(start - 1 for start in starts[1:]), length)
    rising = all(before < after for each in (starts, ends) for before, after in pairwise(each))
    return ends if rising else ()
