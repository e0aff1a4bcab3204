"""A page or chapter that a question names: looked at where it is read; of others nothing is said, there or not."""

import pytest

from core.answering.extracts.named_parts import named_pages, on_its_page
from core.answering.extracts.read_text import ReadText
from core.domain.book import Chapter, Page

_PAGES = ("The keeper lit the lamp.", "The storm broke the window.", "Ines rowed out to the wreck.")
_CHAPTERS = (
    Chapter(number=1, title="The Lamp", first_page=1, last_page=2),
    Chapter(number=2, title="The Wreck", first_page=3, last_page=9),
)


def _read(labels: tuple[str | None, ...] = (None, None, None)) -> ReadText:
    pages = [
        Page(number=number, text=text, label=label)
        for number, (text, label) in enumerate(zip(_PAGES, labels, strict=True), start=1)
    ]
    return ReadText(pages, _CHAPTERS)


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("Who lit the lamp?", None),
        ("Who lit the lamp in chapter 1?", [range(1, 3)]),
        ("what broke in chapter one, and who rowed in ch. 2?", [range(1, 3), range(3, 10)]),
        ("what is broken on p. 2?", [range(2, 3)]),
        ("who drowns in chapter 3?", []),
        ("who drowns in chapter 99?", []),
        ("who drowns on page 4?", []),
        ("who rows on page 3, and who drowns on page 400?", []),
    ],
)
def test_what_is_named_is_told_by_its_pages_and_what_is_not_read_by_none(
    question: str, spans: list[range] | None
) -> None:
    assert named_pages(question, _read()) == spans


def test_a_running_number_is_none_where_chapters_print_their_own() -> None:
    titles = ("Letter 1", "Chapter 1")
    chapters = [
        Chapter(number=each.number, title=title, first_page=each.first_page, last_page=each.last_page)
        for each, title in zip(_CHAPTERS, titles, strict=True)
    ]
    read = ReadText(_read().pages, chapters)
    asked = ("what broke in chapter 1?", "what broke in chapter 2?", "what broke in letter 1?")
    assert [named_pages(each, read) for each in asked] == [[range(3, 10)], [], [range(1, 3)]]


@pytest.mark.parametrize(
    "question", ["what is on page 2?", "What happens on p. 2", "show me page 2", "so what does page 2 say?"]
)
def test_a_page_is_shown_that_is_asked_for(question: str) -> None:
    shown = on_its_page(question, _read())
    assert shown is not None
    assert [each.text for each in shown.sentences] == [_PAGES[1]]


def test_a_page_is_meant_as_it_is_printed() -> None:
    shown = on_its_page("what is on page 2?", _read(("xi", "1", "2")))
    assert shown is not None
    assert shown.page == 3
    assert named_pages("what is on page 3?", _read(("xi", "1", "2"))) == []
    assert named_pages("what is on page xi?", _read(("xi", "1", "2"))) == [range(1, 2)]


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("how did Robin meet Little John?", [range(1, 3)]),
        ("what was the caucus race", [range(3, 4)]),
        ("what did Robin do?", None),
        ("what did Robin and Little John eat?", None),
        ("who wins the race?", None),
        ("how was the Sheriff fooled?", None),
        ("what was the storm about", [range(2, 3)]),
        ("what did Ines do", None),
        ("what about the candles", [range(3, 4)]),
    ],
)
def test_a_chapter_is_named_by_what_its_title_says_and_only_where_it_is_begun(
    question: str, spans: list[range] | None
) -> None:
    chapters = [
        Chapter(number=1, title="Chapter 1: How Robin Hood Met Little John", first_page=1, last_page=2),
        Chapter(number=2, title="The Storm", first_page=2, last_page=2),
        Chapter(number=3, title="A Caucus-Race and a Long Tale", first_page=3, last_page=3),
        Chapter(number=4, title="Ines", first_page=3, last_page=3),
        Chapter(number=5, title="Candles", first_page=3, last_page=3),
    ]
    pages = [*_read().pages, Page(number=4, text="All candles burned.")]
    assert named_pages(question, ReadText(pages, chapters)) == spans


@pytest.mark.parametrize(
    ("question", "spans"),
    [
        ("what breaks in volume 1 chapter 1?", [range(1, 2)]),
        ("and in chapter 1 of volume two?", [range(2, 10)]),
        ("what happens in volume 3 chapter 1?", []),
        ("in the book I read, who lit the lamp in chapter 1?", [range(2, 10)]),
    ],
)
def test_a_chapter_of_a_volume_is_that_volumes(question: str, spans: list[range]) -> None:
    chapters = (
        Chapter(number=1, title="Chapter 1", path=("Volume I",), first_page=1, last_page=1),
        Chapter(number=2, title="Chapter 1", path=("Volume II",), first_page=2, last_page=9),
    )
    pages = [Page(number=number, text=text) for number, text in enumerate(_PAGES, start=1)]
    assert named_pages(question, ReadText(pages, chapters)) == spans
