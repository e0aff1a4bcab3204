"""A verifier's answer is read in whatever form it comes; what is missing or contradicts itself is a no."""

import pytest

from core.domain.verdict import Verdict
from core.guard.verifier import read_verdicts

_YES, _VIEW, _TALK, _UNSAID, _NO = Verdict


@pytest.mark.parametrize(
    ("answer", "verdicts"),
    [
        ("1 SUPPORTED\n2 NOT", (_YES, _NO)),
        ("1. SUPPORTED page 1 says so\n2: TALK a greeting\n", (_YES, _TALK)),
        ("2 OPINION\n\n1 ABSTAIN", (_UNSAID, _VIEW)),
        ("Here you are:\n**1.** supported\n- 2) Opinion", (_YES, _VIEW)),
        ("| 1 | SUPPORTED |\n| 2 | NOT |", (_YES, _NO)),
        ("Sentence 1: SUPPORTED\nSentence 2: [TALK]", (_YES, _TALK)),
        ('{"verdicts": [{"number": 1, "verdict": "SUPPORTED"}, {"number": 2, "verdict": "TALK"}]}', (_YES, _TALK)),
        ('```json\n{"1": "SUPPORTED", "2": "opinion"}\n```', (_YES, _VIEW)),
        ('[{"number": "2", "verdict": "SUPPORTED"}]', (_NO, _YES)),
        ('{"verdicts": [{"number": 1, "verdict": "SUPPORTED"}', None),
        ('{"verdicts": [{"number": 1, "verdict": "PLAUSIBLE"}, 2, {"number": 2}]}', (_NO, _NO)),
        ("1 SUPPORTED", (_YES, _NO)),
        ("1 SUPPORTED\n2 SUPPORTED\n3 SUPPORTED", (_YES, _YES)),
        ("1 SUPPORTED\n1 NOT\n2 SUPPORTED", (_NO, _YES)),
        ("1 NOT SUPPORTED\n2 UNSUPPORTED", (_NO, _NO)),
        ("1 SUPPORTEDLY\n2 is SUPPORTED", None),
        ("The first is SUPPORTED", None),
        ("3 SUPPORTED", None),
        ("", None),
    ],
)
def test_an_answer_is_read(answer: str, verdicts: tuple[Verdict, ...] | None) -> None:
    assert read_verdicts(answer, 2) == verdicts
