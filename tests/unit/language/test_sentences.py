"""What hangs on a true statement is taken apart from it."""

import time
from itertools import pairwise

import pytest
from sentencex import get_sentence_boundaries

from core.language.sentences import clauses, sentence_ends


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("Ada carried a compass in her coat.", ["Ada carried a compass in her coat."]),
        (
            "The keeper wound his clocks, and the magistrate drowned the pilot.",
            ["The keeper wound his clocks", "and the magistrate drowned the pilot."],
        ),
        (
            "I remember it like yesterday: the magistrate drowned him; nobody saw it happen.",
            ["I remember it like yesterday:", "the magistrate drowned him;", "nobody saw it happen."],
        ),
        (
            "He kept seven clocks – the magistrate did it – and wound them.",
            ["He kept seven clocks", "the magistrate did it and wound them."],
        ),
        ("Bread, and butter, and tea.", ["Bread and butter and tea."]),
        ("", []),
    ],
)
def test_a_sentence_falls_into_what_could_stand_alone(sentence: str, parts: list[str]) -> None:
    assert clauses(sentence) == parts


@pytest.mark.parametrize("run", ["\"'“‘", "„", "‘a", "“a. "])
def test_no_run_of_quotation_marks_holds_the_process_up(run: str) -> None:
    text = (run * 40_000)[:40_000]
    began = time.process_time()
    ends = sentence_ends(text)
    assert time.process_time() - began < 2
    assert ends[-1] == len(text)


def test_a_long_text_is_cut_as_a_short_one_is() -> None:
    paragraph = "“The lamp is lit,” said Ada. Mr. Hallam looked at p. 12 again. Nobody came! "
    ends = sentence_ends(paragraph * 400)
    assert ends == [each["end_index"] for each in get_sentence_boundaries("en", paragraph * 400)]
    assert max(end - start for start, end in pairwise(ends)) < len(paragraph)
