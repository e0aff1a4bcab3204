"""The rules of a question's kind are looked at only where a word stands that each of them needs."""

import json
from collections.abc import Iterator

from core.understanding import kind_rules
from core.understanding.asked import Asked
from core.understanding.words_of_asking import as_spelled, without_asides
from tests.architecture.source import ROOT

_FEWEST = 500


def _texts() -> Iterator[str]:
    for name in ("sample/questions", "scope/messages", "watch/messages", "listening/threads"):
        for line in (ROOT / "fixtures" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            given = json.loads(line)
            said = [given, *given.get("lines", ())]
            yield from (each[key] for each in said for key in ("question", "text") if key in each)


def _without_looking_for_words(text: str) -> Asked | None:
    for _, pattern, made in kind_rules._RULES:
        match = pattern.search(text)
        if match and (found := made(match)) is not None:
            return found
    return None


def test_what_a_rule_needs_is_in_all_that_it_fits() -> None:
    texts = list(dict.fromkeys(_texts()))
    texts += [without_asides(as_spelled(" ".join(text.split()))) for text in texts]
    assert len(texts) > _FEWEST
    assert [text for text in texts if kind_rules.by_rule(text) != _without_looking_for_words(text)] == []


def test_letters_that_a_pattern_takes_for_others_are_as_good() -> None:
    for text in (
        "Wh\u0131ch one \u0131\u017f Lacey again",
        "WH\u0130CH ONE IS Lacey again",
        "what'\u017f an ulster li\u212ae",
    ):
        assert kind_rules.by_rule(text) == _without_looking_for_words(text)
        assert kind_rules.by_rule(text) is not None
