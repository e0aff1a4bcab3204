"""A verifier's lines are read as they come; what is missing, contradicts itself or names no shown page is a no."""

import pytest

from core.domain.verdict import Verdict
from core.guard.verifier import read_verdicts

_YES, _VIEW, _TALK, _UNSAID, _OUTSIDE, _BET, _NO = Verdict


@pytest.mark.parametrize(
    ("answer", "verdicts"),
    [
        ("1 SUPPORTED p71\n2 NOT", (_YES, _NO)),
        ("1. SUPPORTED page 71 says so\n2: TALK a greeting\n", (_YES, _TALK)),
        ("2 OPINION\n\n1 ABSTAIN", (_UNSAID, _VIEW)),
        ("1 BACKGROUND\n2 Background <1", (_OUTSIDE, _OUTSIDE)),
        ("1 BACKGROUND p73\n2 BACKGROUND\n2 TALK", (_NO, _NO)),
        ("1 GUESS p71 <2\n2 TALK", (_BET, _TALK)),
        ("Here you are:\n**1.** supported (p. 71)\n- 2) Opinion", (_YES, _VIEW)),
        ("| 1 | SUPPORTED | pp. 71-72 |\n| 2 | NOT |", (_YES, _NO)),
        ("Sentence 1: SUPPORTED p71 p72\nSentence 2: [TALK]", (_YES, _TALK)),
        ("1 SUPPORTED p72", (_YES, _NO)),
        ("1 SUPPORTED\n2 OPINION", (_NO, _VIEW)),
        ("1 SUPPORTED p73\n2 OPINION p71 p73", (_NO, _NO)),
        ("1 SUPPORTED 71 <2\n2 TALK", (_NO, _TALK)),
        ("1 SUPPORTED p71\n1 NOT\n2 SUPPORTED p71", (_NO, _YES)),
        ("1 PLAUSIBLE p71\n2 TALK", (_NO, _TALK)),
        ("1 NOT SUPPORTED p71\n2 UNSUPPORTED p71", (_NO, _NO)),
        ('{"verdicts": [{"number": 1, "verdict": "SUPPORTED"}]}', None),
        ("1 SUPPORTEDLY\n2 is SUPPORTED", None),
        ("The first is SUPPORTED p71", None),
        ("3 SUPPORTED p71", None),
        ("", None),
    ],
)
def test_an_answer_is_read(answer: str, verdicts: tuple[Verdict, ...] | None) -> None:
    read = read_verdicts(answer, 2, {71, 72})
    assert verdicts == (None if read is None else tuple(each.verdict for each in read))


@pytest.mark.parametrize(
    ("answer", "leans_on"),
    [("1 TALK", set()), ("1 TALK <2", {1}), ("1 OPINION p71 < 2 <3", {1, 2}), ("1 NOT 2 <3", {2})],
)
def test_a_line_says_what_its_sentence_leans_on(answer: str, leans_on: set[int]) -> None:
    (read,) = read_verdicts(answer, 1, {71}) or ()
    assert read.leans_on == leans_on
