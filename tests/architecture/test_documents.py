"""The documents name what is there: files of the repository, and every setting."""

import re
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.architecture.source import ROOT, relative

_PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs" / "adr").glob("*.md"))]
_FOLDERS = "adapters|benchmarks|bot|core|docs|fixtures|prompts|tests"
_PATH = re.compile(rf"`((?:{_FOLDERS})/[\w./*-]*)`")
_NAME = re.compile(r"^#([A-Z_]+)=", re.MULTILINE)
_SETTINGS = {str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()}
# A table's row names a prefix once: `DISCORD_EMOJI_SEARCHING`, `_FOUND` ... and `SLACK_EMOJI_*`.
_NAMED_TOGETHER = re.compile(r"(?:DISCORD|SLACK)_EMOJI_\w+")


@pytest.mark.parametrize("page", _PAGES, ids=relative)
def test_a_file_that_a_document_names_is_there(page: Path) -> None:
    named = _PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not any(ROOT.glob(path.rstrip("/")))] == []


def test_the_example_env_file_has_every_setting_and_no_other() -> None:
    names = _NAME.findall((ROOT / ".env.example").read_text(encoding="utf-8"))
    assert sorted(names) == sorted(_SETTINGS)


def test_the_readme_has_every_setting() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [name for name in _SETTINGS if f"`{name}`" not in readme and not _NAMED_TOGETHER.fullmatch(name)] == []
