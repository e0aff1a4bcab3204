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
    assert told.startswith("**Fenn** comes up 6 times on the pages read, first (p. 1), last (p. 4):")
    assert "> Tobias Fenn, the lighthouse keeper, was a thin man of sixty." in told


def test_the_first_meeting_is_the_first_page_with_the_name_whole() -> None:
    told = _told("Where did we first meet Mr Fenn?")
    assert told.startswith("**Mr. Fenn** first comes up in chapter 1 (p. 1):")
    assert "Nobody saw Mr. Fenn board it with seven clocks." in told


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


def test_where_we_stopped_ends_with_the_last_words_read() -> None:
    told = _told("Where did we stop?", 2)
    assert told.startswith("You've read up to here (p. 2), at the end of chapter 1.")
    assert told.endswith("He wound each of his clocks twice on Sundays.")


def test_those_who_have_come_up_are_told_by_how_often_they_do() -> None:
    told = _told("whos in it so far")
    assert "- **Fenn** 6 times" in told
    assert "Ada" not in told


def test_a_name_at_the_end_of_a_sentence_is_written_without_its_point() -> None:
    mentions = find_mentions(_read(3, [*_PAGES[:2], "They asked Mr. Fenn."]), "mr fenn")
    assert mentions is not None
    assert not mentions.name.endswith(".")


def test_a_word_is_shown_where_it_stood_last() -> None:
    told = _told("what does firkin mean?")
    assert "2 times so far" in told
    assert "Fenn looked at the firkin all night." in told


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


def test_an_animal_is_meant_where_a_heading_has_its_name_once() -> None:
    pages = ("The Robin\n\nShe saw the robin. The robin sang, and the robin flew.", "Then the robin was seen again.")
    mentions = find_somebody(_read(2, pages), "the robin")
    assert mentions is not None
    assert mentions.total > 1


def test_somebody_whom_no_sentence_introduces_is_shown_where_they_first_come_up() -> None:
    pages = ("“Black Dog!” said he. “Black Dog as ever was,” said the other, “come to see his old shipmate.”",)
    assert "come to see his old shipmate" in _answer("Who is Black Dog?", *pages)


def test_a_prologue_is_told_by_its_name() -> None:
    chapters = [Chapter(number=1, title="Prologue", first_page=1, last_page=1)]
    read = ReadText(
        [Page(number=1, text="Prologue\n\nThe snow had begun to fall on the village before noon.")], chapters
    )
    kind = kind_of("what's the prologue about")
    assert kind is not None
    found = answer_to(kind, read)
    assert found is not None
    assert "The snow had begun" in found.text


def _answer(question: str, *texts: str) -> str:
    return _told(question, len(texts), texts)


def test_two_people_asked_for_at_once_are_both_told() -> None:
    told = _answer("who are Fenn and Ada", *_PAGES)
    assert told.index("**Fenn**") < told.index("**Ada**")
    assert not _answer("who are Fenn and Quill", *_PAGES)


def test_a_title_is_shared_by_two_of_one_name() -> None:
    told = _answer("who r mr and mrs Aske", "At noon Mr. Aske spoke. Then Mrs. Aske wept, and Mr. Aske with her.")
    assert told.startswith("**Mr. Aske**")
    assert "**Mrs. Aske**" in told


def test_a_word_is_explained_within_a_sentence_and_not_by_the_next_one() -> None:
    told = _answer("what does quoth mean", "“Hold!” quoth he. “What mean ye by this?”", "“So be it,” quoth the outlaw.")
    assert "outlaw" in told


def test_a_word_is_shown_in_a_short_sentence_of_the_latest_rather_than_in_a_long_one() -> None:
    long = " ".join(["and the water was dark"] * 20)
    told = _answer("whats a palfrey", "He rode his palfrey to the gate.", f"She had a palfrey {long}.")
    assert "to the gate" in told


def test_a_signature_or_a_note_is_no_first_meeting_where_the_story_has_one() -> None:
    told = _answer(
        "where did we meet Walton", "He sailed on.\n\nR. Walton.", "Then Captain Walton came on deck at dawn."
    )
    assert "came on deck" in told


def test_few_chapters_are_told_by_more_than_a_sentence_each() -> None:
    page = (
        "At noon Fenn took the ledger from the drawer. Then at last Fenn threw the ledger into the stove by the door. "
    )
    text = (
        page
        + "In the evening Ada found the key and ran with it to the mill. Soon Ada gave the key to Fenn and left him."
    )
    kind = kind_of("recap")
    assert kind is not None
    chapter = Chapter(number=1, title="Chapter 1", first_page=1, last_page=1)
    found = answer_to(kind, ReadText([Page(number=1, text=text)], [chapter]))
    assert found is not None
    line = next(line for line in found.text.splitlines() if line.startswith("- "))
    assert line.count("“") > 1
