"""The same question finds the same pages with the same scores in every process, in every home, however they hash."""

from pathlib import Path

import pytest

from tests.bot.running import ROOT, in_a_new_interpreter, thusfar
from tests.tiny_minilm import make_tiny_minilm

_NOVEL = ROOT / "fixtures" / "sample" / "novel.txt"
_QUESTION = "What did the Surveyor say about the keys of the weighbridge, and who would of known?"


@pytest.mark.parametrize("embedded", [False, True], ids=["words", "minilm"])
def test_repeated_runs_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedded: bool) -> None:
    if embedded:
        make_tiny_minilm(tmp_path / "minilm", [_NOVEL.read_text(encoding="utf-8")])
    search = ("search", _QUESTION, "--book", "novel", "--page", "60", "--top-k", "30", "--json")
    found = []
    for home, seed in (("one", "1"), ("other", "2")):
        monkeypatch.setenv("THUSFAR_HOME", str(tmp_path / home))
        assert thusfar("books", "add", str(_NOVEL)).code == 0
        ran = in_a_new_interpreter(*search, PYTHONHASHSEED=seed)
        assert (ran.code, ran.err) == (0, "")
        found.append(ran.out)
    assert found[0].count("start_page") == 30
    assert set(found) == {found[0]}
