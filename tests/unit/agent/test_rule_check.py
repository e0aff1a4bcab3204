"""What is wrong with a rule is said when the program starts, in one line, and not when a member asks."""

import shutil
from pathlib import Path

import pytest

from core.agent.prompts import VARIABLES, check_rules
from core.answering.read_book import ReadBook
from core.answering.tools.reading_tools import ReadingTools
from core.answering.tools.search_book import DEFINITION
from core.answering.tools.tool_registry import TOOL_NAMES
from core.domain.errors import SettingsError
from tests.builders import a_book_text, chunks_of
from tests.memory import memory_books

_PROMPTS = Path(__file__).resolve().parents[3] / "prompts"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the prompts that ship."""
    return Path(shutil.copytree(_PROMPTS, tmp_path / "prompts"))


def test_the_rules_that_ship_are_in_order() -> None:
    check_rules(_PROMPTS, tools=TOOL_NAMES)
    assert {path.name for path in _PROMPTS.glob("*.md")} == set(VARIABLES)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        (
            "conversation_system_prompt.md",
            "Of {{ book.publisher }}.",
            "template: 'book.publisher' is not given; given are: background, book.author, book.title, ",
        ),
        ("conversation_system_prompt.md", "{{ reader }} {{ last_page }}", "template: 'last_page' is not given; "),
        ("scope_prompt.md", "{{ book.title }} {{ reader.progress }}", "template: 'reader.progress' is not given; "),
        ("scope_prompt.md", "{{ book.title.short }}", "template: 'book.title.short' is not given; "),
        ("verifier_prompt.md", "{{ user_message }}", "template: 'user_message' is not given; given are: background"),
        ("of_my_own.md", "{{ service }} {{ last_page }}", "template: 'last_page' is not given; given are: book.author"),
        (
            "of_my_own.md",
            "---\ntools:\n  enabled: true\n  allowed_tools: [search_book, read_ending]\n---\nBe kind.",
            "tools.allowed_tools: there is no tool 'read_ending'; there are: find_mentions, list_chapters,",
        ),
        ("of_my_own.md", "---\ntemperature: 7\n---\nBe kind.", "temperature: input should be less than or equal to 2"),
        ("of_my_own.md", "---\ntone: warm\n---\nBe kind.", "tone: there is no such key"),
        ("of_my_own.md", "---\nmodel: [\n---\nBe kind.", "front matter, line 3: "),
        ("of_my_own.md", "Be {{ kind", "template, line 1: "),
    ],
)
def test_a_mistake_is_one_line_that_names_file_and_key(folder: Path, name: str, text: str, says: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as caught:
        check_rules(folder, tools=TOOL_NAMES)
    assert str(caught.value).startswith(f"prompts/{name}: {says}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "{{intent}} {{service}} {{user_message}}",
        "{{ book.title }}{% if book.author %} by {{ book.author }}{% endif %}{% if book %}!{% endif %}",
        "---\ntools:\n  enabled: true\n  allowed_tools: [read_pages]\n---\nBe kind.",
        "Be kind.",
    ],
)
def test_a_rule_of_ones_own_may_use_what_every_answer_is_given(folder: Path, text: str) -> None:
    (folder / "of_my_own.md").write_text(text, encoding="utf-8")
    check_rules(folder, tools=TOOL_NAMES)


@pytest.mark.parametrize("name", sorted(VARIABLES))
def test_a_rule_that_is_missing_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(SettingsError, match=rf"^prompts/{name}: it cannot be read \(No such file or directory\)$"):
        check_rules(folder, tools=TOOL_NAMES)


async def test_the_tools_that_a_rule_may_name_are_those_that_there_are() -> None:
    books = memory_books()
    text = a_book_text()
    book, _ = await books.add(scope="local", content_hash="h", text=text, chunks=chunks_of(text))
    tools = ReadingTools(read=ReadBook(books=books, book=book, position=1)).tools()
    assert set(TOOL_NAMES) == {DEFINITION.name, *(tool.name for tool in tools)}
