"""Weighed sentences: what passes, what leaks, and what a sentence takes from those before it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.guard.book_index import BookIndex
from core.guard.judge import Exempt, Judge
from core.guard.score import Thresholds, fitted_score
from tests.unit.guard.conftest import JudgeText

_TALK = [
    line
    for line in Path(__file__).with_name("general_talk.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
_MOST_BLOCKED = 0.08


@pytest.mark.parametrize("page", [0, 1, 20, 60, 83])
def test_general_talk_passes_and_rests_on_nothing(page: int, judged: JudgeText) -> None:
    found = {line: judged(line, page) for line in _TALK}
    blocked = [line for line, judgement in found.items() if judgement.leaks]
    assert len(blocked) <= _MOST_BLOCKED * len(_TALK), blocked
    assert sum(judgement.grounded for judgement in found.values()) <= 0.35 * len(_TALK)


@pytest.mark.parametrize(
    "text",
    [
        "The pages do not say.",
        "I can't say anything about that from the pages read so far.",
        "Thank you, that is kind.",
        "What would you like to know?",
        "I have not seen anything about that on your pages yet.",
        "Would you like a short recap of what you have read so far?",
    ],
)
@pytest.mark.parametrize("page", [0, 5, 40])
def test_what_a_companion_says_when_it_has_nothing_to_say_passes(text: str, page: int, judged: JudgeText) -> None:
    found = judged(text, page)
    assert not found.leaks
    assert not found.grounded


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("The doctor says that he was killed by a blow behind the ear.", 7),
        ("Enid lodges with Mrs. Osgerby, and Miss Dove lives at the top of the house.", 17),
        ("Alderman Harold Aske wept.", 9),
        ("The letter says that Prewett kept the true weights in a second book.", 26),
    ],
)
def test_what_is_read_passes_and_is_grounded_and_leaks_before(text: str, page: int, judged: JudgeText) -> None:
    after = judged(text, page)
    assert not after.leaks
    assert after.grounded
    before = judged(text, page // 2)
    assert before.leaks
    assert all(reason.page is None or reason.page > page // 2 for reason in before.reasons)


def test_a_sentence_takes_its_matter_from_those_before_it(judged: JudgeText) -> None:
    said = "He did."
    alone, harmless, bad = (
        judged(f"{before} {said}".strip(), 30).sentences[-1].score
        for before in (
            "",
            "Prewett polished the old brass measures.",
            "The killer moved the hands of the clock to get a later time.",
        )
    )
    assert alone < harmless < bad


def test_strict_wants_every_sentence_to_rest_on_read_text(judged: JudgeText) -> None:
    text = "It is a slow opening."
    assert not judged(text, 20).leaks
    strict = judged(text, 20, strict=True)
    assert "ungrounded" in [reason.kind for reason in strict.reasons]
    assert strict.leaks


def test_reasons_name_unread_pages_and_what_speaks(judged: JudgeText) -> None:
    found = judged("The killer moved the hands of the clock to get a later time on the ticket.", 30)
    assert found.leaks
    assert "meaning" in {reason.kind for reason in found.reasons}
    assert all(reason.page is not None and reason.page > 30 for reason in found.reasons)
    assert all(reason.evidence for reason in found.reasons)


def test_at_the_end_of_the_book_nothing_leaks_but_what_the_book_never_says(judged: JudgeText) -> None:
    assert not judged("It was Hallam who killed Prewett, and he confesses it.", 83).leaks
    assert judged("Dr. Moriarty is behind it.", 83).leaks


@pytest.mark.parametrize(("page", "leaks", "doubtful"), [(11, False, True), (75, True, False)])
def test_late_in_a_book_a_lower_score_leaks(page: int, leaks: bool, doubtful: bool, sample_index: BookIndex) -> None:
    fitted = fitted_score()
    steady = replace(
        fitted,
        leaks=replace(fitted.leaks, base=0.4, leaves=np.zeros_like(fitted.leaks.leaves)),
        thresholds=Thresholds(balanced=0.7, strict=0.2, doubtful=0.4, grounded=0.4, slope=2.0),
    )
    reply, exempt = "Prewett polished Hallam with a spoon.", Exempt.of("Short Weight", None, None)
    (found,) = Judge(index=sample_index, last_page=page, fitted=steady).verdicts(reply, exempt).sentences
    assert (found.leaks, found.doubtful) == (leaks, doubtful)
