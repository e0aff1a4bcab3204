"""Reads EPUB 2 and 3; chosen by `choose.reader_for`."""

from collections.abc import Sequence
from pathlib import Path

from adapters.readers.bound import bound
from adapters.readers.decoding import require_letters
from adapters.readers.epub.archive import opened
from adapters.readers.epub.content import Content, content_of
from adapters.readers.epub.layout import EpubStory, pages_of, story_of
from adapters.readers.epub.navigation import Navigation, Target, navigation_of
from adapters.readers.epub.package import Package, package_of
from adapters.readers.files import DEFAULT_MAX_BYTES, require_size
from adapters.readers.formats import FileReader
from adapters.readers.heading_levels import chapters_by_level
from adapters.readers.headings import Heading
from adapters.readers.naming import first_name, shown_name, title_of
from adapters.readers.outline import OutlineEntry, chapters_of, outside_entries
from adapters.readers.roles import is_never_chapter
from adapters.readers.sections import Typed, outside_lines, told_at
from adapters.readers.story import shape_of
from core.domain.book import BookText, PartRole

_MOST_ENTRIES_A_PLACE = 3


class EpubBookReader(FileReader):
    """Reads .epub files: pages as the book lists or marks them, else estimated; chapters from its contents."""

    def __init__(self, *, max_bytes: int = DEFAULT_MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    def read(self, path: Path, *, title: str | None = None, author: str | None = None) -> BookText:
        """Read the file; `title` and `author` override its metadata."""
        require_size(path, self._max_bytes)
        name = shown_name(path)
        with opened(path, name) as archive:
            package = package_of(archive, name)
            navigation = navigation_of(archive, package, name)
            content = content_of(archive, package, navigation, name)
        story, source = story_of(content)
        texts = story.texts
        require_letters("\n".join(texts), name)
        named, writer = title_of(path, (title, package.title)), first_name((author, package.author))
        entries = _entries(story, navigation)
        typed = _typed(content, story, navigation, package)
        headings = _headings(story, texts, entries, typed)
        shape = shape_of(
            headings,
            texts,
            others=[*outside_entries(entries), *outside_lines(texts, headings, story.levels)],
            typed=typed,
            begin=_begin(story, navigation, package, typed),
            names=(named, writer),
        )
        pages, page_of = pages_of(story, shape.breaks, content.notes)
        return bound(shape, pages, page_of, title=named, author=writer, source=source)


def _entries(story: EpubStory, navigation: Navigation) -> list[OutlineEntry]:
    placed = [(entry, _index_of(entry.target, story)) for entry in navigation.entries]
    return [
        OutlineEntry(title=entry.title, index=index, depth=entry.depth) for entry, index in placed if index is not None
    ]


def _headings(
    story: EpubStory, texts: Sequence[str], entries: Sequence[OutlineEntry], typed: Sequence[Typed]
) -> list[Heading]:
    """Return the chapters from the contents or the headings, without those that the book marks as no story."""
    told = (told_at(index, typed) for index in range(len(texts)))
    may_be_story = [one is None or one[0] is PartRole.STORY for one in told]
    levels = [level if may else 0 for level, may in zip(story.levels, may_be_story, strict=True)]
    listed = chapters_of([entry for entry in entries if may_be_story[entry.index]], texts, levels)
    if listed and len({entry.index for entry in entries}) > max(1, len(entries) // _MOST_ENTRIES_A_PLACE):
        return listed
    # The contents name one place repeatedly, or only the beginning.
    headed = [one for one in chapters_by_level(texts, levels) if not is_never_chapter(one.title)]
    return headed if len(headed) >= len(listed) else listed


def _index_of(target: Target | None, story: EpubStory) -> int | None:
    if target is None:
        return None
    return story.anchors.get(target, story.anchors.get((target[0], "")))


def _typed(content: Content, story: EpubStory, navigation: Navigation, package: Package) -> list[Typed]:
    """Return what elements, landmarks and guide say about stretches of the text."""
    anchors, last = story.anchors, len(story.paragraphs)
    # A document without text is where the next one begins, which it says nothing about.
    owner = {index: member for (member, name), index in anchors.items() if not name}
    told = [*navigation.landmarks, *((frozenset({key}), target) for key, target in package.guide.items())]
    found = [
        Typed(start=index, stop=index + 1, types=types - {"bodymatter"})
        for types, target in told
        if (index := _index_of(target, story)) is not None and owner.get(index, target[0]) == target[0]
    ]
    return found + [
        Typed(start=anchors[one.begin], stop=anchors.get(one.end, last) if one.end else last, types=one.types)
        for one in content.divisions
        if one.begin in anchors
    ]


def _begin(story: EpubStory, navigation: Navigation, package: Package, typed: Sequence[Typed]) -> int | None:
    """Return the paragraph at which, by the book's own marks, the story begins."""
    targets = [target for types, target in navigation.landmarks if "bodymatter" in types]
    targets += [package.guide[key] for key in ("text", "start") if key in package.guide]
    begins = [_index_of(target, story) for target in targets]
    begins += [one.start for one in typed if "bodymatter" in one.types]
    return next((index for index in begins if index is not None), None)
