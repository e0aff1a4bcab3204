"""Cite or cut: which pages a draft names, and whether its sentences rest on them."""

import pytest

from core.guard.citations import check_citations, cited_pages, without_citations
from tests.builders import STORY

_PAGES = dict(enumerate(STORY, start=1))


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("Ada carries it (p. 1).", [1]),
        ("Ada carries it (p.1) in her coat (p. 2).", [1, 2]),
        ("It is told twice (pp. 3, 7 and 9).", [3, 7, 9]),
        ("It goes on for a while (pp. 3-5).", [3, 4, 5]),
        ("It goes on for a while [pages 3–5, 8].", [3, 4, 5, 8]),
        ("On page 12 she leaves; see p. 14 too.", [12, 14]),
        ("See PAGE 7 & p. 7.", [7]),
        ("All of it (pp. 1 to 3).", [1, 2, 3]),
        ("A range too long to mean anything (pp. 1-900).", [1, 900]),
        ("A range the wrong way round (pp. 9-3).", [9, 3]),
        ("At 6 p.m. the top 10 of 12 came by.", []),
        ("Nothing at all.", []),
        ("", []),
    ],
)
def test_the_pages_that_a_text_names(text: str, pages: list[int]) -> None:
    assert cited_pages(text) == pages


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Ada carries it (p. 1).", "Ada carries it."),
        ("Ada carries it [pp. 1-3] in her coat (see p. 2).", "Ada carries it in her coat."),
        ("On page 3 (at night) it went.", "On page 3 (at night) it went."),
    ],
)
def test_a_text_without_its_citations(text: str, rest: str) -> None:
    assert without_citations(text) == rest


@pytest.mark.parametrize(
    ("sentences", "lacking"),
    [
        (["Ada carries a brass compass (p. 1)."], [False]),
        (["Ada carries a brass compass (p. 2)."], [True]),
        (["Ada carries a brass compass (p. 2, p. 1)."], [False]),
        (["Ada carries a brass compass."], [True]),
        (["Ada carries a brass compass.", "The keeper kept seven clocks (p. 2)."], [True, False]),
        (["Ada carries a compass.", "Her compass is brass (p. 1)."], [False, False]),
        (["Ada carries a brass compass. (p. 1)", "The keeper kept seven clocks (p. 2)."], [False, False]),
        (["Ada carries a compass (p. 99)."], [True]),
        (["He did (p. 1)."], [True]),
    ],
    ids=[
        "right", "wrong page", "one of two is right", "missing", "another page is cited", "covered by the next",
        "cited behind its full stop", "no such page", "nothing to rest on",
    ],
)  # fmt: skip
def test_a_sentence_whose_citation_is_missing_or_wrong_lacks_one(sentences: list[str], lacking: list[bool]) -> None:
    assert [checked.page is None for checked in check_citations(sentences, _PAGES)] == lacking


def test_a_sentence_may_rest_on_several_pages_that_it_cites_together() -> None:
    both = "Ada carries a brass compass, and the keeper kept seven clocks"
    (checked, alone) = check_citations([f"{both} (pp. 1-2).", f"{both} (p. 3)."], _PAGES)
    assert (checked.page in {1, 2}, alone.page) == (True, None)


@pytest.mark.parametrize(
    ("sentence", "is_quotation"),
    [
        ("It says “None of his clocks ever agreed” (p. 2).", True),
        ("It says “None of his clocks ever agreed”, and Tobias hid the ledger (p. 2).", False),
        ("It says “None of his clocks ever agreed” and “hid the ledger under” (p. 2).", False),
        ("Tobias kept seven clocks (p. 2).", False),
    ],
)
def test_a_quotation_holds_nothing_but_words_of_its_page(sentence: str, is_quotation: bool) -> None:
    (checked,) = check_citations([sentence], _PAGES)
    assert checked.is_quotation is is_quotation
