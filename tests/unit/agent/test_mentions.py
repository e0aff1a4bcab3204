"""A name is found however its apostrophe is typed."""

import pytest

from core.agent.executor import ToolExecutor
from core.answering.read_book import ReadBook
from core.answering.tools.reading_tools import ReadingTools
from core.domain.tool_use import ToolInvocation
from tests.builders import a_book_text, chunks_of
from tests.memory import memory_books


@pytest.mark.parametrize("page", ["Miss O’Hara came.", "Miss O'Hara came."])
@pytest.mark.parametrize("name", ["O’Hara", "O'Hara", "miss o'hara"])
async def test_a_name_is_found_whichever_apostrophe_it_has(page: str, name: str) -> None:
    books, text = memory_books(), a_book_text([page])
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    tools = ToolExecutor(ReadingTools(read=ReadBook(books=books, book=book, position=1)).tools())
    output = await tools.execute(ToolInvocation(tool_name="find_mentions", arguments={"name": name}))
    assert output.count == 1
