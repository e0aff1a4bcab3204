"""What is found without a search and without a model: from read sentences alone, and never beyond them."""

from collections.abc import Sequence
from gettext import NullTranslations

import pytest

from core.answering.extracts.answers import answer_to
from core.answering.extracts.people import find_mentions, find_somebody
from core.answering.extracts.read_text import ReadText
from core.catalogue.sentences import read_in
from core.domain.book import Chapter, Page
from tests.unit.meant import kind_of

_PAGES = (
    "Chapter 1: The Morning Ferry\n\nThe ferry left the quay at dawn. Nobody saw Mr. Fenn board it with seven clocks.",
    "Tobias Fenn, the lighthouse keeper, was a thin man of sixty. He wound each of his clocks twice on Sundays.",
    "Chapter 2: The Ledger\n\nA stranger asked Fenn for the ledger. Fenn said it was lost, and hid it in the firkin.",
    "Fenn looked at the firkin all night. In the morning the stranger was gone, and Fenn laughed until he wept.",
    "Chapter 3: The Magistrate Confesses\n\nThe magistrate confessed. Ada Lindqvist had seen the magistrate with Fenn.",
)
_CHAPTERS = (
    Chapter(number=1, title="Chapter 1: The Morning Ferry", first_page=1, last_page=2),
    Chapter(number=2, title="Chapter 2: The Ledger", first_page=3, last_page=4),
    Chapter(number=3, title="Chapter 3: The Magistrate Confesses", first_page=5, last_page=5),
)
_QUESTIONS = (
    "Who is Fenn?", "Where did we first meet Fenn?", "recap please", "What happened in chapter 1?", "last chapter?",
    "what just happened?", "Where did we stop?", "who has come up so far",
    "How far to the end of this chapter?", "What does firkin mean?",
)  # fmt: skip


def _read(position: int, pages: Sequence[str] = _PAGES) -> ReadText:
    texts = [Page(number=number, text=text) for number, text in enumerate(pages, start=1)]
    return ReadText(texts[:position], [each for each in _CHAPTERS if each.first_page <= position])


def _told(question: str, position: int = 4, pages: Sequence[str] = _PAGES) -> str:
    kind = kind_of(question)
    assert kind is not None
    found = answer_to(kind, _read(position, pages))
    return found.text if found else ""


class _Marking(NullTranslations):
    """A language in which every sentence stands in brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(super().ngettext(msgid1, msgid2, n))


@pytest.mark.parametrize("question", _QUESTIONS)
def test_every_answer_has_its_own_words_in_the_readers_language(question: str) -> None:
    told = _told(question)
    with read_in(_Marking()):
        read = _told(question)
    assert told
    assert read
    assert read.startswith("⟦")
    assert read.replace("⟦", "").replace("⟧", "").lower() == told.lower()


def test_who_somebody_is_is_told_by_description_rather_than_by_the_first_mention() -> None:
    told = _told("Who is Fenn again?")
    assert told.startswith("**Fenn** 6 times, first (p. 1), last (p. 4)\n")
    assert "> Tobias Fenn, the lighthouse keeper, was a thin man of sixty." in told


def test_a_recap_has_a_line_a_chapter_begun_with_a_quotation() -> None:
    told = _told("recap please")
    lines = [line for line in told.splitlines() if line.startswith("- ")]
    assert [line.partition("**")[2].partition("**")[0] for line in lines] == [
        "Chapter 1: The Morning Ferry",
        "Chapter 2: The Ledger",
    ]
    assert all("“" in line for line in lines)


def test_a_chapter_is_told_as_far_as_it_is_read() -> None:
    told = _told("What happened in chapter 2?", 3)
    assert told.startswith("**Chapter 2** (The Ledger), as far as you've read")
    assert "wept" not in told


@pytest.mark.parametrize(
    ("position", "told"),
    [
        (3, "Chapter 2 goes on for 1 more page: from where you are (p. 3) to its end (p. 4)."),
        (4, "Chapter 2 ends where you are (p. 4)."),
    ],
)
def test_how_far_it_is_to_the_end_of_the_chapter(position: int, told: str) -> None:
    assert _told("How far to the end of this chapter?", position) == told


@pytest.mark.parametrize("question", _QUESTIONS)
@pytest.mark.parametrize("position", range(6))
def test_an_answer_is_the_same_whatever_the_unread_pages_hold(question: str, position: int) -> None:
    kind = kind_of(question)
    assert kind is not None
    other = [*_PAGES[:position], *["Fenn Fenn Fenn. The firkin."] * (len(_PAGES) - position)]
    assert answer_to(kind, _read(position)) == answer_to(kind, _read(position, other))


@pytest.mark.parametrize("question", ["Who is Ada?", "Who is the mayor?", "What happened in chapter 3?"])
def test_what_is_not_read_yet_has_no_answer(question: str) -> None:
    assert not _told(question)


def test_somebody_is_found_without_title_and_by_description() -> None:
    read = _read(4)
    for name in ("mr fenn", "Captain Fenn", "Tobias Fenn"):
        found = find_somebody(read, name)
        assert found is not None
        assert found.name in {"Mr. Fenn", "Fenn", "Tobias Fenn"}
    assert find_somebody(read, "Fen") is None
    assert find_somebody(read, "the man on the train") is None
    assert find_mentions(read, "magistrate") is None


def test_an_end_of_a_chapter_is_quoted_where_it_is_read() -> None:
    told = _told("how did chapter 1 end")
    assert told.startswith("Chapter 1 ends (p. 2):")
    assert told.endswith("He wound each of his clocks twice on Sundays.")
    begins = _told("what happens at the start of chapter 2")
    assert begins.startswith("Chapter 2 begins (p. 3):\n\n> A stranger asked Fenn for the ledger.")
    assert not _told("how did chapter 2 end", position=3)


def test_a_letter_and_a_chapter_of_one_number_are_told_apart() -> None:
    texts = (
        "Letter II\n\nThe ice closed in upon the ship that night.",
        "Chapter II\n\nHe was born in Geneva to a magistrate.",
    )
    chapters = [
        Chapter(number=1, title="Letter II", first_page=1, last_page=1),
        Chapter(number=2, title="Chapter II", first_page=2, last_page=2),
    ]
    read = ReadText([Page(number=number, text=text) for number, text in enumerate(texts, start=1)], chapters)

    def told(question: str) -> str:
        kind = kind_of(question)
        found = answer_to(kind, read) if kind else None
        return found.text if found else ""

    assert "The ice closed in" in told("what happened in letter 2?")
    assert "born in Geneva" in told("what happened in chapter 2?")
    assert told("what happened in stave 2?") == ""


def test_a_word_is_shown_where_the_book_explains_it() -> None:
    pages = (
        "“What is a firkin?” asked Ada. “A firkin means a small cask,” said Fenn.",
        "Fenn kept his eye on the firkin.",
    )
    assert "means a small cask" in _answer("whats a firkin", *pages)


def _answer(question: str, *texts: str) -> str:
    return _told(question, len(texts), texts)


def test_two_people_asked_for_at_once_are_both_told() -> None:
    told = _answer("who are Fenn and Ada", *_PAGES)
    assert told.index("**Fenn**") < told.index("**Ada**")
    assert not _answer("who are Fenn and Quill", *_PAGES)
