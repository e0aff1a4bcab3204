"""The output of `thusfar books`: lines for people, and JSON."""

from typing import TYPE_CHECKING

from core.domain.book import PageSource
from core.domain.messages import counted
from core.domain.numbers import page_label
from core.domain.position import page_names

if TYPE_CHECKING:
    from core.domain.book import Book, BookOutline, Chapter
    from core.domain.note import NotesSummary

_SOURCES = {
    PageSource.PDF: "pages of the PDF",
    PageSource.PAGE_LIST: "the book's list of printed pages",
    PageSource.PAGE_BREAKS: "page-break marks in the file",
    PageSource.FORM_FEEDS: "form feeds in the file",
    PageSource.ESTIMATED: "estimated, about 300 words",
}


def summary(book: "Book") -> dict[str, object]:
    """Return a book as JSON, the same for every command."""
    return {
        "book_id": book.book_id,
        "title": book.title,
        "author": book.author,
        "pages": book.pages,
        "chapters": book.chapters,
        "chunks": book.chunks,
    }


def line(book: "Book") -> str:
    """Return a book as a line of a list."""
    by = f" by {book.author}" if book.author else ""
    estimated = "estimated " if book.page_source is PageSource.ESTIMATED else ""
    pages = counted(book.pages, f"{estimated}page")
    parts = f"{counted(book.chapters, 'chapter')}, {counted(book.chunks, 'chunk')}"
    return f"{book.book_id}  {book.title}{by}: {pages}, {parts}"


def details(book: "Book", outline: "BookOutline", notes: "NotesSummary", *, titles: bool) -> dict[str, object]:
    """Return the JSON of `books show`; pages are numbers, labels are the printed page numbers."""
    labels = _labels(outline)
    return {
        **summary(book),
        "status": book.status,
        "page_source": book.page_source,
        "labels": {"first": labels[0], "last": labels[-1], "pages": len(labels)} if labels else None,
        "first_story_page": outline.first_story_page,
        "last_story_page": outline.story_end,
        **series(outline),
        "left_out": [
            {
                "role": one.role,
                "title": one.title,
                "first_page": one.first_page,
                "last_page": one.last_page,
                "why": one.why,
            }
            for one in outline.outside
        ],
        "notes": {
            "notes": notes.notes,
            "pages": notes.pages,
            "written_by": list(notes.written_by),
            "in_use": bool(book.notes_id),
        },
        "chapter_list": [_chapter(chapter, titles=titles) for chapter in outline.chapters],
    }


def series(outline: "BookOutline") -> dict[str, object]:
    """Return the JSON of the books of a series or an omnibus; empty for a single book."""
    works = [{"title": one.title, "first_page": one.first_page, "last_page": one.last_page} for one in outline.works]
    return {"series": works} if works else {}


def told(book: "Book", outline: "BookOutline", notes: "NotesSummary", *, titles: bool) -> list[str]:
    """Return the lines of `books show`."""
    labels = _labels(outline)
    lines = [f"{line(book)}, {book.status}", f"pages: {_SOURCES[book.page_source]}"]
    if labels:
        lines.append(f"labels: {labels[0]} to {labels[-1]}, on {counted(len(labels), 'page')}")
    lines.append(f"story: p. {outline.first_story_page}-{outline.story_end}")
    lines += [
        f"  book {at}: p. {one.first_page}-{one.last_page}  {one.title}" for at, one in enumerate(outline.works, 1)
    ]
    lines += [
        f"  not story: p. {one.first_page}-{one.last_page}  {one.title} ({one.role}: {one.why})"
        for one in outline.outside
    ]
    lines.append(f"notes: {_notes(book, notes)}")
    name = page_names(outline)
    for chapter in outline.chapters:
        printed = f" (printed {name(chapter.first_page)}-{name(chapter.last_page)})" if labels else ""
        title = f"  {chapter.title}" if titles else ""
        lines.append(f"  chapter {chapter.number}: p. {chapter.first_page}-{chapter.last_page}{printed}{title}")
    return lines


def _notes(book: "Book", notes: "NotesSummary") -> str:
    if not notes.notes:
        return "none"
    by = f", by {', '.join(notes.written_by)}" if notes.written_by else ""
    unused = "" if book.notes_id else "; they are still being made and not used yet"
    return f"{notes.notes} on {notes.pages} of {counted(book.pages, 'page')}{by}{unused}"


def chapter_spans(outline: "BookOutline") -> str:
    """Return the pages of each chapter on one line, without the titles, which may reveal the story."""
    return ", ".join(f"{c.number}: p. {c.first_page}-{c.last_page}" for c in outline.chapters)


def _labels(outline: "BookOutline") -> list[str]:
    """Return the labels that members can type, in the book's order."""
    printed = sorted(outline.labels, key=lambda label: outline.labels[label])
    return [label for label in printed if page_label(label) is not None]


def _chapter(chapter: "Chapter", *, titles: bool) -> dict[str, object]:
    pages = {"number": chapter.number, "first_page": chapter.first_page, "last_page": chapter.last_page}
    return pages | ({"title": chapter.title} if titles else {})
