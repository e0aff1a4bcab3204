"""The documents name what is there: files, links, commands, settings, benchmarks; and a decision fits on a page."""

import ast
import configparser
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import typer.main

from benchmarks import docs_tables
from bot.cli import app
from bot.serving import LAST_TURNS_S
from bot.settings import Settings
from tests.architecture.source import ROOT, modules, relative, remarks

_ADRS = sorted((ROOT / "docs" / "adr").glob("*.md"))
_PAGES = sorted(
    page
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("[!.]*/**/README.md"))
    if not any(part.startswith(".") for part in page.relative_to(ROOT).parts)
)
_FOLDERS = "adapters|benchmarks|bot|core|docs|fixtures|prompts|tests"
_PATH = re.compile(rf"(?<![\w./-])(?:{_FOLDERS})/[\w./*@-]*[\w/*]")
_LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]*))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`([^`\n]+)`")
_MODULE = re.compile(r"python -m ([\w.]+)")
_TARGET = re.compile(r"(?:^|&& |sudo )make ([a-z]+)", re.MULTILINE)
_COMMAND = re.compile(r"(?:^|bin/|\| )thusfar ((?:[a-z]+ ?)+)")
_MOST_WORDS, _MOST_LINES = 500, 45
_LONGEST_README = 12_000
_NAME = re.compile(r"^#([A-Z_]+)=", re.MULTILINE)
_SETTINGS = {str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()}
_DEPLOY = ROOT / "docs" / "deploy"
_OF_OTHERS = re.compile(r"\bspec(?:ification)?s?,? (?:sections? )?\d|\bspec sections?\b|\bC(?:A|TU)-\d")
_DECIDED = {int(page.name[:4]) for page in _ADRS}
_DECISIONS = re.compile(r"\bADRs? \d+(?:(?:,| and) (?:ADR )?\d+)*")
# What a command's output is sent to (`> club.md`) is the reader's own.
_MARKDOWN = re.compile(r"(?<!> )\b[\w/-]+\.md\b")
_MARKDOWN_FILES = {path.name for path in (*_PAGES, *(ROOT / "prompts").glob("*.md"))}


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _anchors(page: Path) -> set[str]:
    """Return what a heading can be reached by, in GitHub's way."""
    headings = _HEADING.findall(_FENCE.sub("", _text(page)))
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _said_in_code(page: Path) -> Iterator[str]:
    """Yield what stands in code, in a line or in a block: what a reader may type."""
    text = _text(page)
    for block in _FENCE.findall(text):
        yield from block.splitlines()[1:-1]
    yield from _CODE.findall(_FENCE.sub("", text))


def test_the_documents_are_found() -> None:
    found = {relative(page) for page in _PAGES}
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md", "docs/ablations.md"} <= found
    assert {"tests/fuzz/README.md", relative(_ADRS[0])} <= found


def test_a_file_that_a_document_names_is_there() -> None:
    named = {(relative(page), path) for page in _PAGES for path in _PATH.findall(_text(page))}
    assert [(page, path) for page, path in sorted(named) if not _is_there(path)] == []


def test_a_link_leads_somewhere() -> None:
    broken = []
    for page in _PAGES:
        for path, anchor in _LINK.findall(_text(page)):
            target = (page.parent / path).resolve() if path else page
            if not target.exists() or (anchor and anchor not in _anchors(target)):
                broken.append(f"{relative(page)}: {path}#{anchor}")
    assert broken == []


def test_a_module_or_a_target_that_a_document_runs_is_there() -> None:
    said = "\n".join(line for page in _PAGES for line in _said_in_code(page))
    modules = set(_MODULE.findall(said)) - {"pytest", "venv"}
    assert [name for name in sorted(modules) if not (ROOT / f"{name.replace('.', '/')}.py").exists()] == []
    targets = set(re.findall(r"^([a-z-]+):", _text(ROOT / "Makefile"), re.MULTILINE))
    assert set(_TARGET.findall(said)) - targets == set()


def test_a_command_that_a_document_types_is_there() -> None:
    commands = typer.main.get_command(app)
    typed = {match[1] for page in _PAGES for said in _said_in_code(page) for match in _COMMAND.finditer(said)}
    assert [words for words in sorted(typed) if not _is_command(commands, words.split())] == []


def _is_command(one: object, words: Sequence[str]) -> bool:
    """Whether these words lead to a command; what follows it is the command's own."""
    for word in words:
        inner = getattr(one, "commands", None)
        if inner is None:
            return True
        if word not in inner:
            return False
        one = inner[word]
    return True


def test_a_decision_is_a_page_of_context_decision_and_price() -> None:
    assert [relative(page) for page in _ADRS if not _is_decision(page)] == []


def _is_decision(page: Path) -> bool:
    text = _text(page)
    places = [text.find(f"**{part}.**") for part in ("Context", "Decision", "Price")]
    return (
        len(text.split()) <= _MOST_WORDS
        and len(text.splitlines()) <= _MOST_LINES
        and text.startswith(f"# {int(page.name[:4])}. ")
        and -1 not in places
        and places == sorted(places)
    )


def test_what_the_code_says_cites_only_documents_that_are_there() -> None:
    house = modules("adapters", "benchmarks", "bot", "core", "tests")
    # Code may name what it likes (a test writes files of its own): only where it does is it taken apart, which is slow.
    suspects = [module for module in house if _lost_in(_text(module))]
    assert relative(suspects[-1]).startswith("tests/")
    assert [(relative(one), lost) for one in suspects for said in remarks(one) for lost in _lost_in(said)] == []
    # That page is about the other documents, and says which they are.
    pages = [page for page in _PAGES if page.name != "founding-scenarios.md"]
    assert [(relative(page), lost) for page in pages for lost in _OF_OTHERS.findall(_text(page))] == []


def _lost_in(remark: str) -> list[str]:
    """What a comment names and nobody can look up: another document's sections, a file, a decision."""
    numbers = re.findall(r"\d+", " ".join(_DECISIONS.findall(remark)))
    return [
        *_OF_OTHERS.findall(remark),
        *(f"ADR {number}" for number in numbers if int(number) not in _DECIDED),
        *(name for name in _MARKDOWN.findall(remark) if Path(name).name not in _MARKDOWN_FILES),
        *(path for path in _PATH.findall(remark) if not _is_there(path)),
    ]


@cache
def _is_there(path: str) -> bool:
    return any(ROOT.glob(path.rstrip("/")))


def test_what_is_not_there_is_found_in_a_comment() -> None:
    lost = "By spec section 4, spec 7 and CA-3 (chat-agent.md, ADR 18, ADR 999 and ADRs 21 and 998); see README.md."
    assert _lost_in(lost) == ["spec section 4", "spec 7", "CA-3", "ADR 999", "ADR 998", "chat-agent.md"]
    assert _lost_in("Wired in bot/nowhere.py.") == ["bot/nowhere.py"]
    assert _lost_in("The specific rule of `prompts/scope_prompt.md`: export > club.md.") == []


def test_every_benchmark_has_its_line() -> None:
    runs = [path for path in (ROOT / "benchmarks").glob("*.py") if '__name__ == "__main__"' in _text(path)]
    named = _MODULE.findall(_text(ROOT / "benchmarks" / "README.md"))
    assert {f"benchmarks.{path.stem}" for path in runs} <= set(named)


def test_every_folder_of_tests_is_described() -> None:
    described = _text(ROOT / "CONTRIBUTING.md")
    folders = [path.parent for path in (ROOT / "tests").glob("*/__init__.py")]
    assert [relative(folder) for folder in sorted(folders) if f"`{relative(folder)}/`" not in described] == []


def test_the_readme_can_be_read_in_one_sitting() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= _LONGEST_README


def test_the_example_env_file_has_every_setting_and_no_other() -> None:
    names = _NAME.findall(_text(ROOT / ".env.example"))
    assert sorted(names) == sorted(_SETTINGS)


def test_the_tables_of_commands_and_settings_are_up_to_date() -> None:
    assert {path: _text(path) for path in docs_tables.pages()} == docs_tables.pages()


def test_every_setting_is_explained() -> None:
    assert [line for line in docs_tables.settings_table().splitlines() if line.endswith("|  |")] == []


def test_the_service_gives_the_last_answers_their_time() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(_DEPLOY / "thusfar.service", encoding="utf-8")
    assert unit.getfloat("Service", "TimeoutStopSec") > LAST_TURNS_S
    stop_timeouts = re.findall(r"--stop-timeout (\d+)", _text(ROOT / "docs" / "deployment.md"))
    assert stop_timeouts
    assert min(map(float, stop_timeouts)) > LAST_TURNS_S


def test_the_image_gets_all_that_is_installed() -> None:
    said = _text(_DEPLOY / "Containerfile")
    copied = {part for line in re.findall(r"^COPY (.+) \S+$", said, re.MULTILINE) for part in line.split()}
    project = tomllib.loads(_text(ROOT / "pyproject.toml"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    beside = {"pyproject.toml", "requirements.lock", project["project"]["readme"]}
    assert copied == {*packages, *beside}
    taken = {line[1:] for line in _text(ROOT / ".dockerignore").splitlines() if line.startswith("!")}
    assert taken == copied
    assert all((ROOT / part).exists() for part in copied)


def test_each_room_says_in_at_most_five_lines_what_lives_there() -> None:
    rooms = [path for each in ("core", "adapters", "bot") for path in (ROOT / each).rglob("__init__.py")]
    told = {relative(path): (ast.get_docstring(ast.parse(_text(path))) or "").splitlines() for path in rooms}
    assert [name for name, lines in told.items() if not 1 <= len(lines) <= 5] == []
