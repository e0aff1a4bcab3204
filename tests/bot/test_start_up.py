"""What a command imports: libraries take longer to load than most commands to run, so each loads its own alone."""

import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from bot.home import sample_book
from bot.settings import Settings
from core.library.library import content_hash
from tests.bot.running import environment

_SAMPLE = sample_book(Settings().sample_folder)
_MODELS = {"anthropic", "openai", "wordllama", "tokenizers"}
_PLATFORMS = {"discord", "slack_bolt", "slack_sdk", "aiohttp", "prompt_toolkit"}
_READERS = {"lxml", "pypdfium2", "markdown_it", "charset_normalizer"}
_SEARCH = {"chromadb", "numpy", "onnxruntime", "rapidfuzz"}
_PROMPTS = {"jinja2", "yaml", "jsonschema"}
_STORE = {"sqlalchemy", "sqlmodel", "pydantic"}
_UPGRADES = {"alembic", "filelock"}
_BESIDE = {"rich"}
_SHOWS_MODULES = "import sys, bot.cli\ntry:\n    bot.cli.main()\nfinally:\n    print(*sys.modules, file=sys.stderr)"


def _imported(*command: str) -> set[str]:
    ran = subprocess.run(
        [sys.executable, "-c", _SHOWS_MODULES, *command],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        timeout=60,
    )
    return set(ran.stderr.split())


@pytest.fixture(scope="module")
def asked(sample_home: Path) -> set[str]:
    """What a question without a model imports."""
    assert sample_home.is_dir()
    return _imported("ask", "Who is Prewett?", "--book", "sample", "--page", "20")


def _among(libraries: Iterable[str], imported: set[str]) -> set[str]:
    return imported.intersection(libraries)


def test_help_imports_no_library_but_the_command_lines() -> None:
    imported = _imported("--help")
    heavy = _MODELS | _PLATFORMS | _READERS | _SEARCH | _PROMPTS | _STORE | _UPGRADES | _BESIDE
    assert _among(heavy | {"asyncio", "bot.settings", "bot.wiring"}, imported) == set()
    assert "typer" in imported


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("command", [["list"], ["show", _SAMPLE.title]])
def test_looking_at_books_imports_the_store_alone(command: list[str]) -> None:
    imported = _imported("books", *command)
    heavy = _MODELS | _PLATFORMS | _READERS | _SEARCH | _PROMPTS | _UPGRADES | _BESIDE
    assert _among(heavy | {"bot.wiring"}, imported) == set()
    assert _among(_STORE, imported) == _STORE


def test_a_question_without_a_model_imports_no_sdk_no_chroma_no_platform_and_no_reader(asked: set[str]) -> None:
    needless = {
        "anthropic", "openai", "chromadb", "onnxruntime", "wordllama", "rapidfuzz", "jsonschema", "alembic", "lxml",
        "pypdfium2", "markdown_it",
    }  # fmt: skip
    assert _among(needless | _PLATFORMS | _BESIDE, asked) == set()
    assert "adapters.readers.text" not in asked  # the sample is known by its hash


def test_a_question_imports_nothing_that_serves_clubs(asked: set[str]) -> None:
    of_clubs = {
        "bot.serving_clubs",
        "bot.noting",
        "adapters.persistence.club_life_tables",
        "adapters.platform.services",
    }
    assert _among(of_clubs, asked) == set()
    assert [name for name in sorted(of_clubs) if find_spec(name) is None] == []


def test_the_sample_is_known_by_the_hash_of_its_text() -> None:
    assert content_hash(reader_for(_SAMPLE.path).read(_SAMPLE.path)) == _SAMPLE.content_hash


def test_the_names_that_must_not_be_imported_are_names_of_libraries() -> None:
    names = _PLATFORMS | _READERS | _SEARCH | _PROMPTS | _STORE | _UPGRADES | _BESIDE | {"anthropic", "openai"}
    assert [name for name in sorted(names) if find_spec(name) is None] == []


_PRESSED_WHILE_LOADING = """
import runpy, sys

class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == "typer":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Pressed())
runpy.run_module("bot", run_name="__main__")
"""


def test_ctrl_c_while_it_is_being_loaded_ends_it_without_a_word() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _PRESSED_WHILE_LOADING],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        timeout=60,
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")
