"""Citations are posted by the labels that are printed in the book."""

import pytest

from core.domain.book import BookOutline
from core.domain.position import page_names
from core.guard.citations import with_labels

LABELLED = BookOutline(pages=6, labels={"i": 1, "ii": 2, "1": 3, "2": 4, "3": 5}, chapters=())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("She rowed (p. 3).", "She rowed (p. 1)."),
        ("She rowed (pp. 2-4) and slept [page 5].", "She rowed (pp. ii-2) and slept [page 3]."),
        ("He rests (p. 1; p. 3).", "He rests (p. i; p. 1)."),
        ("An advertisement (p. 6).", "An advertisement (p. [6])."),
        ("In 1823 (see page 3) 4 men came (5).", "In 1823 (see page 3) 4 men came (5)."),
    ],
)
def test_only_the_pages_of_citations_get_their_labels(text: str, shown: str) -> None:
    assert with_labels(text, page_names(LABELLED)) == shown


IN_SERIES = BookOutline(pages=6, labels={f"{page} of The Quay": page for page in (1, 2, 3)} | {"1": 4, "2": 5, "3": 6})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("She rowed (pp. 1-3).", "She rowed (pp. 1-3 of The Quay)."),
        ("She rowed (pp. 2-5).", "She rowed (pp. 2 of The Quay-2)."),
        ("She rowed (pp. 4-6; p. 2).", "She rowed (pp. 1-3; p. 2 of The Quay)."),
    ],
)
def test_pages_of_a_book_before_are_named_with_it_once(text: str, shown: str) -> None:
    assert with_labels(text, page_names(IN_SERIES)) == shown
