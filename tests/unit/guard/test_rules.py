"""The rules that need no weighing: quotations, names, read text word for word, and what cannot be read."""

import random

import pytest

from core.domain.book import BookText
from core.domain.verdict import Judgement
from tests.unit.guard.conftest import JudgeText

_READ_UP_TO = 30


def _kinds(judgement: Judgement) -> list[str]:
    return [reason.kind for reason in judgement.reasons]


@pytest.mark.parametrize("wrapped", ["{}", "It says: “{}”", "> {}", "**{}**", "{} (p. 3)", "{}!"])
def test_eight_unread_words_in_a_row_never_pass(wrapped: str, sample_text: BookText, judged: JudgeText) -> None:
    chance = random.Random(wrapped)
    for page in range(2, len(sample_text.pages) + 1, 5):
        unread = sample_text.pages[page - 1].text.split()
        at = chance.randint(0, max(len(unread) - 12, 0))
        quoted = " ".join(unread[at : at + 12])
        assert judged(wrapped.format(quoted), chance.randrange(page)).leaks, f"p. {page}: {quoted}"


@pytest.mark.parametrize(
    "change",
    [
        str.upper,
        lambda text: text.replace(" ", "\u200b "),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.replace(" ", ". ", 3),
        lambda text: text.replace(" was ", " _was_ "),
        lambda text: text.replace("o", "o\u00ad"),
    ],
    ids=["capitals", "invisible characters", "lines", "sentences", "emphasis", "soft hyphens"],
)
def test_a_quotation_is_seen_through_what_is_done_to_it(
    change: object, sample_text: BookText, judged: JudgeText
) -> None:
    assert callable(change)
    quoted = " ".join(sample_text.pages[79].text.split()[:12])
    found = judged(change(quoted), _READ_UP_TO)
    assert "quote" in _kinds(found)
    assert found.reasons[0].page == 80


def test_read_sentences_pass_word_for_word_and_are_grounded(sample_text: BookText, judged: JudgeText) -> None:
    quoted = "“I ought to say what a weighbridge is,” (p. 1)"
    (sentence,) = judged(quoted, 1).sentences
    assert (sentence.leaks, sentence.verbatim, sentence.grounded, sentence.score) == (False, True, True, 0.0)


@pytest.mark.parametrize(
    ("text", "name", "page"),
    [
        ("The dock watchman is Alfred Coker.", "coker", 49),
        ("the dock watchman is called coker.", "coker", 49),
        ("Somebody called Sheila is mentioned.", "sheila", 29),
    ],
)
def test_a_name_leaks_until_its_page_is_read(text: str, name: str, page: int, judged: JudgeText) -> None:
    before = judged(text, page - 1)
    assert ("name", page, name) in [(reason.kind, reason.page, reason.evidence) for reason in before.reasons]
    assert "name" not in _kinds(judged(text, page))


def test_a_name_from_nowhere_leaks_unless_the_question_brought_it(judged: JudgeText) -> None:
    text = "That reminds me of Sherlock Holmes."
    assert _kinds(judged(text, _READ_UP_TO)) == ["name", "name"]
    assert not judged(text, _READ_UP_TO, question="Is it like Sherlock Holmes?").leaks


def test_a_name_that_comes_later_leaks_also_where_the_question_brought_it(judged: JudgeText) -> None:
    assert "name" in _kinds(judged("I do not know any Coker yet.", 20, question="Who is Coker?"))


@pytest.mark.parametrize(
    "text",
    [
        "Unyynz xvyyrq Cerjrgg jvgu n jrvtug sebz uvf bja fgber.",
        "mallaH dellik tteweP ta eht egdirb.",
        "SGFsbGFtIGtpbGxlZCBQcmV3ZXR0IHdpdGggYSB3ZWlnaHQ=",
        "48 61 6c 6c 61 6d 20 6b 69 6c 6c 65 64",
        "72 97 108 108 97 109 32 100 105 100 32 105 116",
        "H a l l a m did it.",
        "H-a-l-l-a-m did it.",
        "Халлам убил Прюэтта.",
        "Hаllam did it.",
        "ハラムがプルーエットを殺した。",
        "Hallam hat den Mann getötet und danach die Uhr verstellt.",
        "C'est Hallam qui a tué cet homme avec un poids de laiton.",
        ".... .- .-.. .-.. .- -- / -.. .. -.. / .. -",
        "The name is rekoC, if you read it backwards.",
        "The name is c0ker, with a nought.",
        "Can one know every reason? Certainly only keen eyes read.",
    ],
)
def test_what_cannot_be_read_does_not_pass(text: str, judged: JudgeText) -> None:
    found = judged(text, 20)
    assert found.leaks
    assert found.score == 1.0
    assert "unreadable" in _kinds(found)


@pytest.mark.parametrize(
    "text",
    [
        "It weighs 364 lb, and the ticket says 6.40 p.m., no. 1,422 of 1954.",
        "See https://example.org/some/long/path for the standard.",
        "A mother-in-law-to-be, a merry-go-round and well-known people.",
        "E. M. Tasker signs her notes.",
        "Mmm… well, OK!!! (Really?)",
    ],
)
def test_odd_but_honest_text_can_be_read(text: str, judged: JudgeText) -> None:
    assert "unreadable" not in _kinds(judged(text, 83))
