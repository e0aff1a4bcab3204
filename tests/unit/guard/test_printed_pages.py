"""Citations are posted by the labels that are printed in the book."""

from gettext import NullTranslations

import pytest

from core.catalogue.sentences import read_in
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


class _German(NullTranslations):
    def gettext(self, message: str) -> str:
        return {"p.": "S.", "pp.": "S."}.get(message, message)


def test_the_marks_of_citations_are_in_the_readers_language() -> None:
    text = "**pp. 3-4, chapter 1**\n> She rowed on p. 3. (p. 3)"
    with read_in(_German()):
        assert with_labels(text, str) == "**S. 3-4, chapter 1**\n> She rowed on p. 3. (S. 3)"
    assert with_labels(text, str) == text


def test_a_book_without_labels_keeps_its_numbers() -> None:
    text = "She rowed (p. 3)."
    assert with_labels(text, page_names(BookOutline(pages=6, labels={}, chapters=()))) == text
