"""A rule is a file: options and tools in its front matter, a strict template below it.

What a template may do with titles and names is in `test_prompts`; what is checked at start is in `test_rule_check`.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.agent.response_rules import ResponseRule, RuleTools, load_rule
from core.answering.tools.search_book import DEFINITION
from core.domain.errors import SettingsError
from core.domain.tool_use import GenerationOptions, ToolDefinition

_PROMPTS = Path(__file__).resolve().parents[3] / "prompts"
_MENTIONS = ToolDefinition(name="find_mentions", description="", parameters={})
_WHOLE = """---
model: large-1
temperature: 0.3
max_tokens: 700
tools:
  enabled: true
  allowed_tools: [search_book]
  max_iterations: 2
---
You have read {{ book.title }}.

---
Be kind.
"""

Written = Callable[[str], ResponseRule]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write a rule to a file, and load it from there."""

    def write(text: str) -> ResponseRule:
        (tmp_path / "answer.md").write_text(text, encoding="utf-8")
        return load_rule(tmp_path, "answer.md")

    return write


def test_options_and_tools_come_from_the_front_matter_and_the_prompt_from_below_it(written: Written) -> None:
    rule = written(_WHOLE)
    assert rule.name == "answer"
    assert rule.options() == GenerationOptions(model="large-1", temperature=0.3, max_tokens=700)
    assert rule.tools == RuleTools(enabled=True, allowed_tools=("search_book",), max_iterations=2)
    assert rule.render({"book": {"title": "Emma"}}) == "You have read Emma.\n\n---\nBe kind."


@pytest.mark.parametrize(
    ("front_matter", "left"),
    [
        ("enabled: true", ["search_book", "find_mentions"]),
        ("enabled: true\n  allowed_tools:", ["search_book", "find_mentions"]),
        ("enabled: true\n  allowed_tools: [find_mentions]", ["find_mentions"]),
        ("enabled: true\n  allowed_tools: []", []),
        ("enabled: false\n  allowed_tools: [find_mentions]", []),
        ("max_iterations: 2", []),
    ],
)
def test_a_rule_leaves_only_the_tools_that_it_allows(written: Written, front_matter: str, left: list[str]) -> None:
    rule = written(f"---\ntools:\n  {front_matter}\n---\nBe kind.")
    assert [tool.name for tool in rule.tools.allowed([DEFINITION, _MENTIONS])] == left


@pytest.mark.parametrize(
    ("front_matter", "says"),
    [
        ("temperature: warm", "temperature: input should be a valid number"),
        ("temperature: 2.5", "temperature: input should be less than or equal to 2"),
        ("temperature: -0.1", "temperature: input should be greater than or equal to 0"),
        ("temperature: .nan", "temperature: input should be a finite number"),
        ("temperature: true", "temperature: input should be a valid number"),
        ("max_tokens: 0", "max_tokens: input should be greater than or equal to 1"),
        ("max_tokens: '700'", "max_tokens: input should be a valid integer"),
        ("max_tokens: 7.5", "max_tokens: input should be a valid integer"),
        ("model: ''", "model: string should have at least 1 character"),
        ("model: 4", "model: input should be a valid string"),
        ("colour: red", "colour: there is no such key"),
        ("1: red", "1: keys should be strings"),
        ("tools:\n  enabled: 1", "tools.enabled: input should be a valid boolean"),
        ("tools:\n  max_iterations: 0", "tools.max_iterations: input should be greater than or equal to 1"),
        ("tools:\n  max_iterations: 21", "tools.max_iterations: input should be less than or equal to 20"),
        ("tools:\n  allowed_tools: search_book", "tools.allowed_tools: input should be a valid tuple"),
        ("tools:\n  allowed_tools: [search_book, 7]", "tools.allowed_tools.1: input should be a valid string"),
        ("tools:\n  timeout: 3", "tools.timeout: there is no such key"),
        ("tools: all", "tools: it holds keys with values"),
        ("just a sentence", "front matter: it holds keys with values"),
        ("- a\n- list", "front matter: it holds keys with values"),
        ("model: large-1\ntemperature: [0.3\n", "front matter, line 5: did not find expected"),
        ("\n\nmodel: large-1\na: b: c", "front matter, line 5: mapping values are not allowed"),
        ("model: !!python/object/apply:os.system ['ls']", "front matter, line 2: could not determine a constructor"),
        ("model: 2026-99-99", "front matter: it is no YAML"),
        ("model: \x00", "front matter: it is no YAML"),
    ],
)
def test_a_mistake_in_the_front_matter_is_one_line_that_names_file_and_key(
    written: Written, tmp_path: Path, front_matter: str, says: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        written(f"---\n{front_matter}\n---\nBe kind.")
    assert str(caught.value).startswith(f"{tmp_path.name}/answer.md: {says}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("---\nmodel: large-1\nBe kind.", "front matter: the line --- that ends it is missing"),
        ("---\nmodel: large-1\n---\nBe\n{{ kind", "template, line 5: "),
        ("Be {% if kind %} kind.", "template, line 1: "),
        ("Be\n{{ kind|loudly }}", "template, line 2: No filter named 'loudly'."),
        ("Be\n{% if kind %}{% if kind is louder %}!{% endif %}{% endif %}", "template, line 2: there is no 'louder'"),
        ("{% if kind %}{{ kind|loudly }}{% endif %}", "template, line 1: there is no 'loudly'"),
        ("{% include 'other.md' %}", "template: it stands alone"),
        ("{% import other as o %}{{ o.kind() }}", "template: it stands alone"),
    ],
)
def test_a_mistake_in_the_template_is_one_line_that_names_file_and_place(
    written: Written, tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        written(text)
    assert str(caught.value).startswith(f"{tmp_path.name}/answer.md: {says}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("template", "variables"),
    [
        ("Be kind.", set()),
        ("{{ rag_context }} {{intent}}", {"rag_context", "intent"}),
        ("{{ book.title }} {{ book['author'] }}", {"book.title", "book.author"}),
        ("{{ a.b.c }}", {"a.b.c"}),
        ("{{ book.title.upper() }} {{ book.title|upper }}", {"book.title"}),
        ("{{ told() }}", {"told"}),
        ("{{ book[field] }}", {"book", "field"}),
        ("{% if reader.progress %}{{ book.title }}{% endif %}", {"reader.progress", "book.title"}),
        ("{% for page in pages %}{{ page.number }} {{ loop.index }}{% endfor %}", {"pages"}),
        ("{% set all = range(3) %}{{ all }}", set()),
        ("{# {{ nothing }} #}", set()),
    ],
)
def test_a_rule_knows_the_variables_that_it_will_want(written: Written, template: str, variables: set[str]) -> None:
    assert written(template).template.variables == variables


def test_the_rule_of_a_conversation_that_ships_allows_the_reading_tools() -> None:
    rule = load_rule(_PROMPTS, "conversation_system_prompt.md")
    assert rule.options() == GenerationOptions(temperature=0.3, max_tokens=2048)
    assert rule.tools.allowed([DEFINITION, _MENTIONS]) == [DEFINITION, _MENTIONS]
    assert rule.tools.max_iterations is None, "the setting counts"
