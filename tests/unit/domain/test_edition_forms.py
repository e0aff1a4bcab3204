"""What may be typed after `/edition`, and a page of one's copy before the words of `/calibrate`."""

import pytest

from core.domain.copy_numbers import PlaceInCopy, Unit
from core.domain.edition_forms import ChapterStart, EditionRequest, parse_edition, split_copy_place
from core.domain.errors import PositionError

_FIFTH = (ChapterStart(chapter=5, page=81),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        *[(t, EditionRequest(last_page=312, unit=Unit.PAGES)) for t in ("312", " 312 pages", "312 pp.", "３１２")],
        *[
            (t, EditionRequest(last_page=312, unit=Unit.PAGES, first_page=7))
            for t in ("312 first 7", "312, first 7", "312 pages, from p. 7", "312 FIRST page 7", "312; begins on 7")
        ],
        ("first 7", EditionRequest(first_page=7)),
        *[(t, EditionRequest(chapters=_FIFTH)) for t in ("ch 5 at 81", "ch 5 81", "Ch. V: 81", "ch5 = 81")],
        *[
            (t, EditionRequest(chapters=_FIFTH, unit=Unit.PAGES))
            for t in ("chapter five at p. 81", "chapter 5 is page 81", "ch 5 at p81")
        ],
        (
            "312 first 7 ch 5 at 81, ch twenty-two at 260",
            EditionRequest(
                last_page=312, unit=Unit.PAGES, first_page=7, chapters=(*_FIFTH, ChapterStart(chapter=22, page=260))
            ),
        ),
        ("club 312 first 7", EditionRequest(for_club=True, last_page=312, unit=Unit.PAGES, first_page=7)),
        ("club", EditionRequest(for_club=True)),
        *[(t, EditionRequest(forgets=True)) for t in ("reset", "None", "forget")],
        ("club reset", EditionRequest(for_club=True, forgets=True)),
        *[(t, EditionRequest()) for t in ("", "  ", "show")],
    ],
)
def test_each_form_is_read(text: str, said: EditionRequest) -> None:
    assert parse_edition(text) == said
    assert said.asks is (said in {EditionRequest(), EditionRequest(for_club=True)})


NO_FORMS = [
    "x",
    "-5",
    "312x",
    "312 firs 7",
    "first",
    "ch 5",
    "ch 581",
    "ch at 81",
    "ch last at 5",
    "clubs 312",
    "312 7",
]


@pytest.mark.parametrize("text", [*NO_FORMS, "ch 5 at 81 and the butler did it", "9" * 400, "ch 5 at " * 100])
def test_anything_else_is_refused_in_a_sentence_that_shows_the_forms(text: str) -> None:
    with pytest.raises(PositionError) as refused:
        parse_edition(text)
    assert str(refused.value) == (
        "I don't understand that about a copy. Use `/edition` with 312, 312 first 7, 5200 locations, 9h30, ch 5 at 81, "
        "or reset."
    )


@pytest.mark.parametrize(
    ("text", "page", "words"),
    [
        ("p. 81: and the rain", 81, "and the rain"),
        ("page 81 “and the rain”", 81, "“and the rain”"),
        ("(p. 81) and the rain", 81, "and the rain"),
        ("My p81 — and the rain", 81, "and the rain"),
        ("and the rain", None, "and the rain"),
        ("81 men went to mow", None, "81 men went to mow"),
        ("on page 81 he wrote", None, "on page 81 he wrote"),
        ("p. 81", None, "p. 81"),
        ("", None, ""),
    ],
)
def test_a_page_before_the_words_is_one_of_ones_copy(text: str, page: int | None, words: str) -> None:
    assert split_copy_place(text) == (page and PlaceInCopy(unit=Unit.PAGES, number=page), words)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        *[
            (t, Unit.LOCATIONS, 5200)
            for t in (
                *("5200 locations", "5200 loc", "5200 locs", "5,200 locations", "loc 5200", "Kindle 5200"),
                *("5200 kindle", "kindle location 5200", "5200 Kindle locations"),
            )
        ],
        *[
            (t, Unit.MINUTES, 570)
            for t in (
                *("9h30", "9:30", "9h 30m", "9.5 hours", "9,5 h", "audiobook 9h30", "9:30:59", "Audible 9 h 30 min"),
                *("9 hours and 30 minutes", "570 min", "9hrs 30mins", "9h30m"),
            )
        ],
        ("Kindle 312 pages", Unit.PAGES, 312),
    ],
)
def test_a_copy_has_locations_or_a_length_of_time(text: str, unit: Unit, number: int) -> None:
    assert parse_edition(text) == EditionRequest(last_page=number, unit=unit)
    assert parse_edition(f"club {text}") == EditionRequest(last_page=number, unit=unit, for_club=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ch 5 at loc 812", EditionRequest(chapters=(ChapterStart(chapter=5, page=812),), unit=Unit.LOCATIONS)),
        ("ch 5 at 1h10", EditionRequest(chapters=(ChapterStart(chapter=5, page=70),), unit=Unit.MINUTES)),
        (
            "9:30 first 0:03, ch 5 at 1:10, ch 6 at 2h",
            EditionRequest(
                last_page=570,
                first_page=3,
                chapters=(ChapterStart(chapter=5, page=70), ChapterStart(chapter=6, page=120)),
                unit=Unit.MINUTES,
            ),
        ),
        (
            "5200 locations first 60 ch 5 at 812",
            EditionRequest(
                last_page=5200, first_page=60, chapters=(ChapterStart(chapter=5, page=812),), unit=Unit.LOCATIONS
            ),
        ),
    ],
)
def test_places_are_said_in_the_unit_of_the_copy(text: str, said: EditionRequest) -> None:
    assert parse_edition(text) == said
