"""The same question finds the same pages with the same scores in every process, in every home, however they hash."""

from pathlib import Path

import pytest

from tests.bot.running import ROOT, in_a_new_interpreter, thusfar
from tests.tiny_minilm import make_tiny_minilm

_PAGES = (ROOT / "fixtures" / "sample" / "novel.txt").read_text(encoding="utf-8").split("\f")[:12]
_QUESTION = "What did the Surveyor say about the keys of the weighbridge, and who would of known?"


@pytest.mark.parametrize("embedded", [False, True], ids=["words", "minilm"])
def test_repeated_runs_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: bool) -> None:
    novel = tmp_path / "novel.txt"
    novel.write_text("\f".join(_PAGES), encoding="utf-8")
    if embedded:
        make_tiny_minilm(tmp_path / "minilm", _PAGES)
    search = ("search", _QUESTION, "--book", "novel", "--page", "10", "--top-k", "12", "--json")
    found = []
    for home in ("one", "other"):
        monkeypatch.setenv("THUSFAR_HOME", str(tmp_path / home))
        assert thusfar("books", "add", str(novel)).code == 0
        ran = thusfar(*search) if home == "one" else in_a_new_interpreter(*search, PYTHONHASHSEED="2")
        assert (ran.code, ran.err) == (0, "")
        found.append(ran.out)
    assert found[0].count("start_page") == 12
    assert set(found) == {found[0]}
