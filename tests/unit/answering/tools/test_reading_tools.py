"""Pages, chapters and mentions: exactly what has been read, whatever a model asks for."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.executor import ToolExecutor, ToolOutput
from core.answering.read_book import ReadBook
from core.answering.tools.reading_tools import MOST_PAGES, ReadingTools
from core.domain.book import Chapter
from core.domain.position import Position
from core.domain.tool_use import ToolInvocation
from tests.builders import STORY, a_book_text, chunks_of
from tests.memory import memory_books

_CHAPTERS = (
    Chapter(number=1, title="The Ferry", first_page=1, last_page=2),
    Chapter(number=2, title="The Ledger", first_page=3, last_page=4),
    Chapter(number=3, title="A Confession", first_page=5, last_page=6),
)


_OF_TWO_PARTS = (
    Chapter(number=1, title="I: The Ferry", first_page=1, last_page=2),
    Chapter(number=2, title="II: The Ledger", first_page=3, last_page=4),
    Chapter(number=3, title="I: A Confession", first_page=5, last_page=6),
)


async def _use(
    tool: str, position: Position, *, chapters: Sequence[Chapter] = _CHAPTERS, **arguments: object
) -> ToolOutput:
    books = memory_books()
    text = a_book_text(chapters=tuple(chapters))
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    executor = ToolExecutor(ReadingTools(read=ReadBook(books=books, book=book, position=position)).tools())
    return await executor.execute(ToolInvocation(tool_name=tool, arguments=arguments))


@pytest.mark.parametrize(
    ("position", "first", "last", "pages"),
    [
        (6, 1, 2, [1, 2]),
        (6, 2, None, [2]),
        (6, 1, 6, [1, 2, 3]),
        (6, 4, 2, [2, 3, 4]),
        (4, 3, 6, [3, 4]),
        (4, 4, 900, [4]),
        (1, -5, 1, [1]),
    ],
)
async def test_pages_are_given_as_far_as_they_are_read(
    position: int, first: int, last: int | None, pages: list[int]
) -> None:
    output = await _use("read_pages", position, first_page=first, last_page=last)
    assert output.text == "\n\n".join(f"[p. {page}]\n{STORY[page - 1]}" for page in pages)
    assert [passage.end_page for passage in output.passages] == pages
    assert (output.count, output.reveals_page) == (len(pages), pages[-1])


@pytest.mark.parametrize(
    ("position", "says"),
    [(4, "The pages read so far are 1 to 4."), (0, "Nothing has been read yet."), (None, "Nothing")],
)
async def test_an_unread_page_is_refused_without_a_word_of_it(position: Position, says: str) -> None:
    output = await _use("read_pages", position, first_page=5, last_page=6)
    assert output.is_error
    assert says in output.text
    assert not output.passages


@given(position=st.integers(0, len(STORY)), first=st.integers(-3, 12), last=st.integers(-3, 12))
async def test_what_can_be_read_is_exactly_what_lies_behind(position: int, first: int, last: int) -> None:
    output = await _use("read_pages", position, first_page=first, last_page=last)
    shown = {number for number, page in enumerate(STORY, start=1) if page in output.text}
    low, high = sorted((max(first, 1), max(last, 1)))
    assert shown == set(range(low, min(high, position, low + MOST_PAGES - 1) + 1))


@pytest.mark.parametrize(
    ("position", "listed"),
    [
        (None, "No chapter has been begun."),
        (2, "1. The Ferry (p. 1 to 2)"),
        (3, "1. The Ferry (p. 1 to 2)\n2. The Ledger (p. 3, being read)"),
        (4, "1. The Ferry (p. 1 to 2)\n2. The Ledger (p. 3 to 4)"),
    ],
)
async def test_only_chapters_that_are_begun_have_a_title(position: Position, listed: str) -> None:
    assert (await _use("list_chapters", position)).text == listed


async def test_a_chapter_that_is_not_begun_is_refused_like_one_that_is_not_there() -> None:
    for number in (2, 9):
        output = await _use("read_chapter", 2, chapter=number)
        assert (output.is_error, output.text) == (True, f"Error: No chapter {number} has been begun.")


@pytest.mark.parametrize(("position", "pages"), [(1, "1"), (4, "1, 4"), (6, "1, 4, 6")])
async def test_a_later_mention_is_not_known_before_it_is_read(position: int, pages: str) -> None:
    assert f"pages read: {pages}." in (await _use("find_mentions", position, name="COMPASS")).text


@pytest.mark.parametrize("name", ["magistrate", "clock", "(", "Nobody"])
async def test_what_is_not_mentioned_yet_and_what_never_is_read_alike(name: str) -> None:
    assert (await _use("find_mentions", 4, name=name)).text == f"{name} does not stand on the pages read so far."


@pytest.mark.parametrize("tool", ["read_pages", "read_chapter", "list_chapters", "find_mentions"])
async def test_no_tool_takes_a_position_or_a_book(tool: str) -> None:
    books = memory_books()
    text = a_book_text()
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    (found,) = [
        one for one in ReadingTools(read=ReadBook(books=books, book=book, position=1)).tools() if one.name == tool
    ]
    properties = found.parameters["properties"]
    assert isinstance(properties, dict)
    assert set(properties) <= {"first_page", "last_page", "chapter", "part", "name"}


async def test_where_numbers_begin_again_in_each_part_the_number_in_the_list_counts() -> None:
    assert "3. I: A Confession" in (await _use("list_chapters", 5, chapters=_OF_TWO_PARTS)).text
    output = await _use("read_chapter", 5, chapters=_OF_TWO_PARTS, chapter=3)
    assert output.text == f"I: A Confession\n\n[p. 5]\n{STORY[4]}"


async def test_a_chapter_is_read_by_its_number_as_far_as_it_is_read() -> None:
    output = await _use("read_chapter", 3, chapter=2)
    assert output.text == f"The Ledger\n\n[p. 3]\n{STORY[2]}"
    assert (output.count, output.reveals_page, [each.end_page for each in output.passages]) == (1, 3, [3])
