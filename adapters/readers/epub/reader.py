"""Reads EPUB 2 and 3; picked by `choose.reader_for`."""

from collections.abc import Sequence
from pathlib import Path

from adapters.readers.decoding import require_letters
from adapters.readers.epub.archive import opened
from adapters.readers.epub.content import BACK, STORY, content_of
from adapters.readers.epub.layout import EpubStory, pages_of, story_of
from adapters.readers.epub.navigation import Navigation, Target, navigation_of
from adapters.readers.epub.package import Package, package_of
from adapters.readers.files import DEFAULT_MAX_BYTES, require_size
from adapters.readers.formats import FileReader
from adapters.readers.heading_levels import chapters_by_level
from adapters.readers.headings import Heading
from adapters.readers.naming import clean_name, first_name, shown_name, title_of
from adapters.readers.outline import (
    OutlineEntry,
    back_matter,
    chapters_of,
    is_front,
    is_never_chapter,
    story_span,
    within,
)
from adapters.readers.pages import chapters_over
from core.domain.book import BookText, Chapter, Page
from core.language.sentences import unit_count

_MOST_ENTRIES_A_PLACE = 3
_MOST_WORDS_OF_TITLE_PAGE = 300


class EpubBookReader(FileReader):
    """Reads .epub files: pages as the book lists or marks them, else estimated; chapters from its contents."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` win over its metadata."""
        require_size(path, self._max_bytes)
        name = shown_name(path)
        with opened(path, name) as archive:
            package = package_of(archive, name)
            navigation = navigation_of(archive, package, name)
            content = content_of(archive, package, navigation, name)
        story, source = story_of(content)
        texts = story.texts
        require_letters("\n".join(texts), name)
        entries = _without_title_page(_entries(story, navigation), package.title, texts)
        headings = _headings(story, texts, entries)
        marked = _marked_span(story, navigation, package, back_matter(entries, headings))
        breaks = [Heading(index=index, front=index, title="") for index in marked if index is not None]
        pages, page_of = pages_of(story, [*headings, *breaks], content.notes)
        chapters = chapters_over(headings, page_of, len(pages))
        first, last = _span(chapters, marked, page_of, pages)
        return BookText(
            title=title_of(path, (title, package.title)),
            author=first_name((author, package.author)),
            pages=pages,
            chapters=within(chapters, first, last) or chapters,
            page_source=source,
            first_story_page=first,
            last_story_page=last if last < len(pages) else None,
        )


def _entries(story: EpubStory, navigation: Navigation) -> list[OutlineEntry]:
    placed = [(entry, _index_of(entry.target, story)) for entry in navigation.entries]
    return [
        OutlineEntry(title=entry.title, index=index, depth=entry.depth) for entry, index in placed if index is not None
    ]


def _without_title_page(
    entries: Sequence[OutlineEntry], title: str | None, texts: Sequence[str]
) -> Sequence[OutlineEntry]:
    """Leave out a first line of the contents that names the book, and stands for hardly more than its title page."""
    if len(entries) <= 1 or clean_name(title or "").casefold() != clean_name(entries[0].title).casefold():
        return entries
    words = sum(map(unit_count, texts[entries[0].index : entries[1].index]))
    return entries[1:] if words <= _MOST_WORDS_OF_TITLE_PAGE else entries


def _headings(story: EpubStory, texts: Sequence[str], entries: Sequence[OutlineEntry]) -> list[Heading]:
    listed = chapters_of(entries, texts)
    if listed and len({entry.index for entry in entries}) > max(1, len(entries) // _MOST_ENTRIES_A_PLACE):
        return listed
    # The contents name one place again and again, or nothing but the beginning.
    headed = [one for one in chapters_by_level(texts, story.levels) if not is_never_chapter(one.title)]
    return headed if len(headed) > len(listed) else listed


def _index_of(target: Target | None, story: EpubStory) -> int | None:
    if target is None:
        return None
    return story.anchors.get(target, story.anchors.get((target[0], "")))


def _marked_span(
    story: EpubStory, navigation: Navigation, package: Package, back: int | None
) -> tuple[int | None, int | None]:
    """Return the paragraphs at which the book itself says that the story begins, and the back matter."""
    begins = [target for types, target in navigation.landmarks if "bodymatter" in types]
    begins += [package.guide[key] for key in ("text", "start") if key in package.guide]
    begin = next((index for target in [*begins, STORY] if (index := _index_of(target, story)) is not None), None)
    end = min((one for one in (story.anchors.get(BACK), back) if one is not None), default=None)
    return begin, end if end is not None and end > (begin or 0) else None


def _span(
    chapters: Sequence[Chapter], marked: tuple[int | None, int | None], page_of: Sequence[int], pages: Sequence[Page]
) -> tuple[int, int]:
    first, last = story_span(chapters, pages)
    begin, end = marked
    if begin is not None and not any(is_front(one.title) for one in chapters if one.first_page == page_of[begin]):
        first = page_of[begin]
    if end is not None:
        # A printed page that both share belongs to the story.
        is_shared = end > 0 and page_of[end - 1] == page_of[end]
        last = max(first, page_of[end] if is_shared else page_of[end] - 1)
    return first, max(first, last)
