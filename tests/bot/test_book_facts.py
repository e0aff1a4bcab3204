"""What is printed of a book with printed page labels."""

from bot.commands.book_facts import chapter_spans, details, told
from core.domain.book import Book, BookOutline, BookStatus, Chapter, PageSource
from core.domain.note import NotesSummary

_BOOK = Book(
    book_id="b_1",
    scope="local",
    title="Labelled",
    author=None,
    content_hash="h",
    pages=9,
    chapters=1,
    chunks=9,
    page_source=PageSource.PAGE_LIST,
    status=BookStatus.COMPLETE,
)
_OUTLINE = BookOutline(
    pages=9,
    labels={"The butler did it": 1, "i": 2, "ii": 3, "1": 4, "5": 8},
    chapters=(Chapter(number=1, title="The Calm", first_page=4, last_page=8),),
    first_story_page=4,
    last_story_page=8,
)


_NOTES = NotesSummary(notes=40, pages=8, written_by=("scripted-1",))


def test_people_see_numbers_and_what_is_printed() -> None:
    assert told(_BOOK, _OUTLINE, _NOTES, titles=False) == [
        "b_1  Labelled: 9 pages, 1 chapter, 9 chunks, complete",
        "pages: the book's list of printed pages",
        "labels: i to 5, on 4 pages",
        "story: p. 4-8",
        "notes: 40 on 8 of 9 pages, by scripted-1; they are still being made and not used yet",
        "  chapter 1: p. 4-8 (printed 1-5)",
    ]
    assert told(_BOOK, _OUTLINE, _NOTES, titles=True)[-1] == "  chapter 1: p. 4-8 (printed 1-5)  The Calm"
    assert chapter_spans(_OUTLINE) == "1: p. 4-8"


def test_json_has_numbers_and_the_range_of_labels() -> None:
    shown = details(_BOOK, _OUTLINE, _NOTES, titles=False)
    assert shown["labels"] == {"first": "i", "last": "5", "pages": 4}
    assert shown["notes"] == {"notes": 40, "pages": 8, "written_by": ["scripted-1"], "in_use": False}
    assert (shown["first_story_page"], shown["last_story_page"]) == (4, 8)
    assert shown["chapter_list"] == [{"number": 1, "first_page": 4, "last_page": 8}]
