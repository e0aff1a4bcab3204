"""What stands around the story, and what its chapters stand in: one small book for each kind."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from adapters.readers.wire import HEADER, book_frame, told_book
from core.domain.book import BookText, PartRole
from tests.adapters.readers.epubs import Epub
from tests.adapters.readers.files import prose, read_back
from tests.adapters.readers.pdfs import TOP, Pdf, Shown

_TEXT = f"<p>{prose(400)}</p>"  # two estimated pages
_SHORT = f"<p>{prose(40)}</p>"
_ESSAY = (
    "<p>Readers of this novel have often asked what its author meant. The critics of the decade were cold to it, and "
    f"the first edition was never sold.</p>{_TEXT}"
)
_Section = tuple[int, str, str]
"""Its depth in the contents, its title, and its text; without a text the contents list it, but nothing stands there."""


def _chapters(count: int, depth: int = 0, first: int = 1) -> list[_Section]:
    return [(depth, f"Chapter {number}", _TEXT) for number in range(first, first + count)]


def _epub(sections: Sequence[_Section], *, attributes: str = "") -> Epub:
    documents = {
        f"{at}.xhtml": f"<section {attributes if 'type=' not in text else ''}><h2>{title}</h2>{text}</section>"
        for at, (_, title, text) in enumerate(sections)
    }
    toc = [(depth, title, f"{at}.xhtml") for at, (depth, title, _) in enumerate(sections)]
    return Epub(documents=documents, toc=toc)


def _read(folder: Path, sections: Sequence[_Section]) -> BookText:
    return read_back(folder, _epub(sections).packed(), "book.epub")


def _outside(book: BookText) -> list[tuple[PartRole, str]]:
    return [(one.role, one.title) for one in book.outside]


def _paths(book: BookText) -> list[str]:
    return [" / ".join((*one.path, one.title)) for one in book.chapters]


def _story(book: BookText) -> tuple[int, int]:
    return book.first_story_page, book.last_story_page or len(book.pages)


_SIX = [f"Chapter {number}" for number in range(1, 7)]


@pytest.mark.parametrize(
    ("tail", "roles"),
    [
        ([(0, "The Tide and Its Debts", _ESSAY)], [PartRole.BACK]),
        ([(0, "The Pier", _SHORT), *_chapters(2)], [PartRole.EXCERPT]),
        ([(0, "The Pier", ""), *_chapters(2)], [PartRole.EXCERPT]),
        ([(0, "The Pier", ""), (0, "Prologue", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "The Pier", ""), *_chapters(2, depth=1)], [PartRole.EXCERPT]),
        ([(0, "An Excerpt from The Pier", _SHORT), *_chapters(2)], [PartRole.EXCERPT]),
        ([(0, "An Excerpt from The Pier", ""), *_chapters(2, depth=1)], [PartRole.EXCERPT]),
        ([(0, "An Excerpt from The Pier", _SHORT), (0, "The Storm", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "Sneak Peek: The Pier", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "The First Chapter of The Pier", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "Read On for The Pier", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "Keep Reading", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "Bonus Chapters", ""), (1, "The Mole", _TEXT), (1, "The Crane", _TEXT)], [PartRole.EXCERPT]),
        ([(0, "The Mole", _TEXT)], [PartRole.OTHER_WORK]),
        ([(0, "Notes", _SHORT), *((0, f"Chapter {number}", _SHORT) for number in range(1, 7))], [PartRole.NOTES]),
        ([(0, "Acknowledgements", _SHORT), (0, "The Pier", _TEXT)], [PartRole.BACK]),
        (
            [(0, "Thanks", _TEXT), (0, "The Pier", ""), *_chapters(2)],
            [PartRole.BACK, PartRole.EXCERPT],
        ),
        ([(0, "A Reading Group Guide", _SHORT), (0, "About the Author", _SHORT)], [PartRole.BACK, PartRole.BACK]),
        (
            [(0, "Afterword", _ESSAY), (0, "Endnotes", _SHORT), (0, "Colophon", _SHORT)],
            [PartRole.BACK, PartRole.NOTES, PartRole.BACK],
        ),
    ],
)
def test_the_story_ends_with_its_last_chapter(tail: list[_Section], roles: list[PartRole], tmp_path: Path) -> None:
    book = _read(tmp_path, [*_chapters(6), *tail])
    assert _paths(book) == _SIX
    assert _story(book) == (1, 12)
    assert [role for role, _ in _outside(book)] == roles
    assert _outside(book)[0][1] == tail[0][1]
    assert (book.outside[0].first_page, book.outside[-1].last_page) == (13, len(book.pages))


_PREVIEW = [(0, "The Pier", ""), *_chapters(1, depth=1)]


@pytest.mark.parametrize(
    ("tail", "outside"),
    [
        (
            [(0, "Acknowledgments", _SHORT), *_PREVIEW],
            [(PartRole.BACK, "Acknowledgments"), (PartRole.EXCERPT, "The Pier")],
        ),
        ([(0, "The Pier", _SHORT), (1, "Prologue", _TEXT), *_PREVIEW[1:]], [(PartRole.EXCERPT, "The Pier")]),
        ([(0, "Harbour House Press", _SHORT)], [(PartRole.BACK, "Harbour House Press")]),
    ],
)
def test_the_last_part_ends_with_what_the_contents_list_in_it(
    tail: list[_Section], outside: list[tuple[PartRole, str]], tmp_path: Path
) -> None:
    parts = [one for part in ("Part One", "Part Two") for one in ((0, part, ""), *_chapters(3, depth=1))]
    book = _read(tmp_path, [*parts, (0, "Epilogue", _TEXT), *tail])
    assert (_paths(book)[-2:], _outside(book)) == (["Part Two / Chapter 3", "Epilogue"], outside)


def test_papers_within_the_story_are_no_excerpt_of_another_book(tmp_path: Path) -> None:
    titles = ["Ada", "Ivo", "Quill", "Tobias", "Extracts from the Diary of Ada", "Ivo Again"]
    book = _read(tmp_path, [(0, title, _TEXT) for title in titles])
    assert (_paths(book), _outside(book)) == (titles, [])


@pytest.mark.parametrize("title", ["Epilogue", "Ten Years Later", "After the Tide", "The Last Bell"])
def test_a_last_chapter_without_a_number_belongs_to_the_story(title: str, tmp_path: Path) -> None:
    book = _read(tmp_path, [*_chapters(6), (0, title, _TEXT), (0, "About the Author", _SHORT)])
    assert (_paths(book), _outside(book)) == ([*_SIX, title], [(PartRole.BACK, "About the Author")])


@pytest.mark.parametrize(
    "front",
    [
        ("Introduction", _TEXT),
        ("The Persons of the Story", "<p>ADA, a teacher</p><p>IVO, keeper of the light</p>"),
        ("Dramatis Personæ", "<p>ADA, a teacher</p><p>IVO, keeper of the light</p>"),
        ("A Note on the Text", _TEXT),
        ("Chronology", _SHORT),
        ("Questions for Discussion", _SHORT),
        ("The Tide and Its Debts", _ESSAY),
        ("On Reading The Quay, by R. Fell", _TEXT),
        ("Family Tree", _SHORT),
        ("Who Is Who in Quay", _SHORT),
        ("Inhalt", _SHORT),
        ("Dédicace", _SHORT),
        ("Nota del traductor", _SHORT),
        ("Premessa", _SHORT),
    ],
    ids=lambda front: str(front[0]),
)
def test_the_story_begins_with_its_first_chapter(front: tuple[str, str], tmp_path: Path) -> None:
    book = _read(tmp_path, [(0, *front), *_chapters(6)])
    assert (_paths(book), _outside(book)) == (_SIX, [(PartRole.FRONT, front[0])])
    assert book.pages[book.first_story_page - 1].text.startswith("Chapter 1")


def test_a_title_before_an_introduction_is_no_chapter(tmp_path: Path) -> None:
    book = _read(tmp_path, [(0, "Harbour Classics", _SHORT), (0, "Introduction", _TEXT), *_chapters(6)])
    assert (_paths(book), [title for _, title in _outside(book)]) == (_SIX, ["Harbour Classics", "Introduction"])


def test_prologues_and_interludes_and_letters_are_story(tmp_path: Path) -> None:
    titles = ["Prologue", "Letter 1", "Letter 2", "Chapter 1", "Interlude", "Chapter 2", "The Bell", "Chapter 3"]
    book = _read(tmp_path, [(0, title, _TEXT) for title in titles])
    assert (_paths(book), _outside(book)) == (titles, [])


_WORKS = ("The Quay", "The Pier", "The Mole")


@pytest.mark.parametrize(
    "sections",
    [
        [one for work in _WORKS for one in ((0, work, ""), *_chapters(3, depth=1))],
        [one for work in _WORKS for one in ((0, work, "<p>A novel</p>"), *_chapters(3))],
        [(0, work, "".join(f"<h3>Chapter {number}</h3>{_TEXT}" for number in (1, 2, 3))) for work in _WORKS],
        [
            one
            for work in _WORKS
            for one in ((0, work, ""), (1, "Introduction", _SHORT), *_chapters(3, depth=1), (1, "Notes", _SHORT))
        ],
    ],
    ids=["a tree", "a flat list", "works only", "each with an introduction and notes"],
)
def test_an_omnibus_has_the_titles_of_its_works(sections: list[_Section], tmp_path: Path) -> None:
    book = _read(tmp_path, sections)
    assert _paths(book) == [f"{work} / Chapter {number}" for work in _WORKS for number in (1, 2, 3)]
    if len(sections) == 18:
        assert _outside(book) == [(PartRole.FRONT, "Introduction"), (PartRole.NOTES, "Notes")] * 3
        quay = book.chapters[2]
        assert [(one.first_page, one.last_page) for one in book.outside[1:3]] == [(8, 8), (9, 9)]
        assert (quay.last_page, book.first_story_page, book.last_story_page) == (7, 2, 23)


@pytest.mark.parametrize("first", [1, 4], ids=["numbers begin again", "numbers run on"])
@pytest.mark.parametrize("heads", ["<h3>Chapter {}</h3>", "<h3>{}</h3>", '<p class="c">Chapter {}</p>'])
def test_chapters_are_found_in_parts_that_the_contents_list_alone(first: int, heads: str, tmp_path: Path) -> None:
    numbers = {"Part One": (1, 2, 3), "Part Two": tuple(range(first, first + 3))}
    text = {part: "".join(heads.format(number) + _TEXT for number in inside) for part, inside in numbers.items()}
    book = _read(tmp_path, [(0, part, body) for part, body in text.items()])
    assert [one.path for one in book.chapters] == [("Part One",)] * 3 + [("Part Two",)] * 3
    assert [one.title.removeprefix("Chapter ") for one in book.chapters] == [
        str(n) for n in (1, 2, 3, *numbers["Part Two"])
    ]


_SCENE = '<h3 id="s{0}">Scene {0}</h3>' + _TEXT


@pytest.mark.parametrize("listed", [True, False])
def test_the_scenes_of_a_play_stand_in_its_acts(listed: bool, tmp_path: Path) -> None:
    documents = {f"{act}.xhtml": f"<h2>Act {act}</h2>{_SCENE.format(1)}{_SCENE.format(2)}" for act in ("I", "II")}
    toc = []
    for act in ("I", "II"):
        toc.append((0, f"Act {act}", f"{act}.xhtml"))
        toc += [(1, f"Scene {scene}", f"{act}.xhtml#s{scene}") for scene in (1, 2) if listed]
    book = read_back(tmp_path, Epub(documents=documents, toc=toc).packed(), "play.epub")
    assert _paths(book) == ["Act I / Scene 1", "Act I / Scene 2", "Act II / Scene 1", "Act II / Scene 2"]


def _typed(kind: str, body: str) -> str:
    return f'<section epub:type="{kind}">{body}</section>'


def test_an_epub_says_itself_what_its_sections_are(tmp_path: Path) -> None:
    documents = {
        "cover.xhtml": _typed("cover", '<img src="c.jpg" alt=""/>'),
        "word.xhtml": _typed("introduction", f"<h2>A Word</h2>{_TEXT}"),
        "before.xhtml": _typed("prologue", f"<h2>Introductory</h2>{_TEXT}"),
        "one.xhtml": _typed("chapter", f'<h2>One</h2><blockquote epub:type="epigraph">{_SHORT}</blockquote>{_TEXT}'),
        "two.xhtml": _typed("chapter", f"<h2>Two</h2>{_TEXT}"),
        "own.xhtml": _typed("backmatter", _typed("epilogue", f"<h2>The Bell</h2>{_TEXT}")),
        "more.xhtml": _typed("endnotes", f"<h2>What It Means</h2>{_SHORT}"),
        "hand.xhtml": _typed("afterword", f"<h2>Another Hand</h2>{_TEXT}"),
    }
    titles = ["A Word", "Introductory", "One", "Two", "The Bell", "What It Means", "Another Hand"]
    toc = [(0, title, name) for title, name in zip(titles, [*documents][1:], strict=True)]
    book = read_back(tmp_path, Epub(documents=documents, toc=toc).packed(), "book.epub")
    assert _paths(book) == titles[1:5]
    assert _outside(book) == [
        (PartRole.FRONT, "A Word"),
        (PartRole.NOTES, "What It Means"),
        (PartRole.BACK, "Another Hand"),
    ]
    assert book.outside[0].why == "EPUB semantics: introduction"


def test_pictures_and_lists_of_contents_say_nothing_about_the_chapter_behind_them(tmp_path: Path) -> None:
    places = {"cover": "cover.xhtml", "title-page": "title.xhtml", "toc": "list.xhtml", "text": "0.xhtml"}
    links = "".join(f'<p><a href="{at}.xhtml">Chapter {at + 1}</a></p>' for at in range(6))
    picture = '<img src="c.jpg" alt=""/>'
    epub = _epub(_chapters(6))
    documents = {"cover.xhtml": picture, "title.xhtml": picture, "list.xhtml": links, **epub.documents}
    guide = "".join(f'<reference type="{kind}" href="{place}"/>' for kind, place in places.items())
    made = Epub(documents=documents, toc=epub.toc, guide=f"<guide>{guide}</guide>").packed()
    book = read_back(tmp_path, made, "book.epub")
    assert (_paths(book), _outside(book)) == (_SIX, [])


def test_a_marked_section_ends_where_its_element_ends(tmp_path: Path) -> None:
    chapters = "".join(f'<h2 id="c{n}">Chapter {n}</h2>{_TEXT}' for n in (1, 2, 3))
    ends = [f'<section id="pg-{end}"><h2>Project Gutenberg</h2>{_SHORT}</section>' for end in ("header", "footer")]
    book = read_back(tmp_path, Epub(documents={"a.xhtml": ends[0] + chapters + ends[1]}).packed(), "book.epub")
    assert (_paths(book), [one.role for one in book.outside]) == (_SIX[:3], [PartRole.FRONT, PartRole.BACK])


def test_marked_endnotes_stay_behind_the_story(tmp_path: Path) -> None:
    call = '<p>Word<a epub:type="noteref" href="#n{0}">{0}</a></p>'
    chapters = "".join(f"<h2>Chapter {n}</h2>{_TEXT}{call.format(n)}" for n in (1, 2, 3))
    notes = "".join(f'<aside epub:type="endnote" id="n{n}"><p>He drowns.</p></aside>' for n in (1, 2, 3))
    body = chapters + _typed("endnotes", f"<h2>Notes</h2>{notes}")
    book = read_back(tmp_path, Epub(documents={"a.xhtml": body}).packed(), "book.epub")
    assert (_paths(book), _outside(book)) == (_SIX[:3], [(PartRole.NOTES, "Notes")])
    assert [page.number for page in book.pages if "drowns" in page.text] == [book.outside[0].first_page]


@pytest.mark.parametrize(
    ("sections", "role"),
    [
        ([(0, "The Tide and Its Debts", _ESSAY)], PartRole.BACK),
        ([(0, "The Pier", _SHORT), *_chapters(2)], PartRole.EXCERPT),
    ],
)
def test_chapters_without_numbers_end_too(sections: list[_Section], role: PartRole, tmp_path: Path) -> None:
    names = ["Ada", "Ivo", "Ada", "Quill", "Ada"]
    book = _read(tmp_path, [*((0, name, _TEXT) for name in names), *sections])
    assert (_paths(book), [one.role for one in book.outside]) == (names, [role])


@pytest.mark.parametrize(
    ("tail", "role"),
    [
        ([(0, "The Pier", ""), (0, "One", _TEXT)], PartRole.EXCERPT),
        ([(0, "The Salt in the Wound", _TEXT)], PartRole.OTHER_WORK),
    ],
)
def test_a_number_alone_in_words_counts_chapters(tail: list[_Section], role: PartRole, tmp_path: Path) -> None:
    numbers = ["One", "Two", "Three", "Four"]
    book = _read(tmp_path, [*((0, number, _TEXT) for number in numbers), *tail])
    assert (_paths(book), _outside(book)) == (numbers, [(role, tail[0][1])])


def test_what_the_contents_do_not_list_has_a_role_too(tmp_path: Path) -> None:
    sections = [(0, "Introduction", _TEXT), *_chapters(6), (0, "An Excerpt from The Pier", _TEXT)]
    epub = _epub(sections)
    book = read_back(tmp_path, Epub(documents=epub.documents, toc=epub.toc[1:7]).packed(), "book.epub")
    assert _paths(book) == _SIX
    assert _outside(book) == [(PartRole.FRONT, "Introduction"), (PartRole.EXCERPT, "An Excerpt from The Pier")]


def test_a_preview_that_the_contents_do_not_list_is_no_end_of_the_last_chapter(tmp_path: Path) -> None:
    epub = _epub([*_chapters(6), (0, "The Pier", ""), *_chapters(1)])
    book = read_back(tmp_path, Epub(documents=epub.documents, toc=epub.toc[:6]).packed(), "book.epub")
    assert (_paths(book), _outside(book)) == (_SIX, [(PartRole.EXCERPT, "The Pier")])


_TIDE = ["The Tide", "Salt", "The Ferry", "A Debt", "Ivo", "The Light"]


@pytest.mark.parametrize("listed", [(0, 2, 4), (1, 3, 5), (0, 1, 2), (0, 5)], ids=str)
@pytest.mark.parametrize(
    ("titles", "head"),
    [(_SIX, "<h2>{}</h2>"), (_SIX, '<p class="h">{}</p>'), (["I", "II", "III", "IV", "V", "VI"], "<h2>{}</h2>")],
    ids=["headings", "paragraphs", "numbers alone"],
)
def test_chapters_that_the_contents_leave_out_are_found_from_their_headings(
    titles: list[str], head: str, listed: tuple[int, ...], tmp_path: Path
) -> None:
    documents = {f"{at}.xhtml": head.format(title) + _TEXT for at, title in enumerate(titles)}
    toc = [(0, titles[at], f"{at}.xhtml") for at in listed]
    book = read_back(tmp_path, Epub(documents=documents, toc=toc).packed(), "book.epub")
    assert (_paths(book), [one.first_page for one in book.chapters]) == (titles, [1, 3, 5, 7, 9, 11])


@pytest.mark.parametrize(
    "titles", [_TIDE, ["Prologue", *_SIX[:2], "Interlude", _SIX[2], "Epilogue"]], ids=["titles", "named"]
)
def test_titles_that_the_contents_leave_out_are_found_too(titles: list[str], tmp_path: Path) -> None:
    epub = _epub([(0, title, _TEXT) for title in titles])
    book = read_back(tmp_path, Epub(documents=epub.documents, toc=epub.toc[1::3]).packed(), "book.epub")
    assert (_paths(book), _outside(book)) == (titles, [])


def test_numbers_begin_again_in_parts_with_half_of_their_chapters_listed(tmp_path: Path) -> None:
    parts = [one for part in ("Part One", "Part Two") for one in ((0, part, ""), *_chapters(3, depth=1))]
    epub = _epub(parts)
    toc = [one for at, one in enumerate(epub.toc) if at not in {2, 5, 7}]
    book = read_back(tmp_path, Epub(documents=epub.documents, toc=toc).packed(), "book.epub")
    assert _paths(book) == [f"Part {part} / Chapter {number}" for part in ("One", "Two") for number in (1, 2, 3)]


def test_sections_and_anchors_within_listed_chapters_are_no_further_chapters(tmp_path: Path) -> None:
    inner = "".join(f"<h3>{number}</h3>{_SHORT}" for number in (1, 2, 3))
    documents = {f"{at}.xhtml": f'<h2>Chapter {at}</h2><div id="a">{inner}</div>' for at in range(1, 7)}
    toc = [(0, f"Chapter {at}", f"{at}.xhtml#a") for at in range(1, 7)]
    assert _paths(read_back(tmp_path, Epub(documents=documents, toc=toc).packed(), "book.epub")) == _SIX


@pytest.mark.parametrize("mark", ['epub:type="endnotes"', 'role="doc-endnotes"'])
@pytest.mark.parametrize("listed", [True, False])
def test_marked_notes_between_chapters_are_no_part_of_the_next_one(mark: str, listed: bool, tmp_path: Path) -> None:
    notes = f"<section {mark}><h2>What It Means</h2><p>1. He drowns.</p></section>"
    epub = _epub(_chapters(6))
    documents = [*epub.documents.items()]
    toc = [*epub.toc[:3], *([(0, "What It Means", "n.xhtml")] if listed else []), *epub.toc[3:]]
    made = Epub(documents=dict([*documents[:3], ("n.xhtml", notes), *documents[3:]]), toc=toc).packed()
    book = read_back(tmp_path, made, "book.epub")
    assert (_paths(book), _outside(book)) == (_SIX, [(PartRole.NOTES, "What It Means")])


def test_a_note_at_the_back_loses_the_word_that_leads_back(tmp_path: Path) -> None:
    call = '<p>One<a epub:type="noteref" href="n.xhtml#n1">1</a></p>'
    notes = '<ol><li id="n1"><p>He drowns. <a href="0.xhtml">back</a></p></li></ol>'
    epub = _epub([(0, "Chapter 1", call + _TEXT), *_chapters(5, first=2)])
    documents = {**epub.documents, "n.xhtml": f"<h2>Notes</h2>{notes}"}
    book = read_back(
        tmp_path, Epub(documents=documents, toc=[*epub.toc, (0, "Notes", "n.xhtml")]).packed(), "book.epub"
    )
    assert [(one.role, book.pages[one.first_page - 1].text) for one in book.outside] == [
        (PartRole.NOTES, "Notes\n\nHe drowns.")
    ]


def _lines(*lines: str) -> str:
    return "\n\n\n".join(prose(400) if line == "." else line for line in lines)


_BOTH = ("THE QUAY", "THE PIER")
_TWO = ("CHAPTER 1", ".", "CHAPTER 2", ".")
_FOUR = (*_TWO, "CHAPTER 3", ".", "CHAPTER 4", ".")
_QUAY = "SCENE I. A quay. The tide is out."
_PLAY = ("ACT I", _QUAY, ".", "SCENE II. A room.", ".", "ACT II", "SCENE I. The same.", ".")


@pytest.mark.parametrize(
    ("lines", "paths", "outside"),
    [
        (
            ("THE QUAY", "PREFACE", ".", "PART ONE", *_TWO, "PART TWO", "CHAPTER 3", "."),
            ["PART ONE / CHAPTER 1", "PART ONE / CHAPTER 2", "PART TWO / CHAPTER 3"],
            [(PartRole.FRONT, "THE QUAY"), (PartRole.FRONT, "PREFACE")],
        ),
        (
            ("Part I: Out / I: Gate", ".", "II: Road", ".", "Part II: Home / I: Inn", ".", "Epilogue", "."),
            [
                "Part I: Out / Part I: Out / I: Gate",
                "Part I: Out / II: Road",
                "Part II: Home / Part II: Home / I: Inn",
                "Epilogue",
            ],
            [],
        ),
        (
            ("PERSONS OF THE PLAY", "ADA, a teacher", *_PLAY),
            [f"ACT I / {_QUAY}", "ACT I / SCENE II. A room.", "ACT II / SCENE I. The same."],
            [(PartRole.FRONT, "PERSONS OF THE PLAY")],
        ),
        (
            tuple(line for work in _BOTH for line in (work, *_TWO)),
            [f"{work} / {chapter}" for work in _BOTH for chapter in _TWO[::2]],
            [],
        ),
        (
            tuple(line for work in _BOTH for line in (work, "PREFACE", ".", *_TWO)),
            [f"{work} / {chapter}" for work in _BOTH for chapter in _TWO[::2]],
            [(PartRole.FRONT, "PREFACE")] * 2,
        ),
        (
            tuple(line for part in ("VOLUME I", "VOLUME II") for line in (part, *_TWO, f"NOTES TO {part}", ".")),
            [f"{part} / {chapter}" for part in ("VOLUME I", "VOLUME II") for chapter in _TWO[::2]],
            [(PartRole.NOTES, "NOTES TO VOLUME I"), (PartRole.NOTES, "NOTES TO VOLUME II")],
        ),
        (
            (*_FOUR, "AN EXCERPT FROM THE PIER", "CHAPTER 1", "."),
            [*_FOUR[::2]],
            [(PartRole.EXCERPT, "AN EXCERPT FROM THE PIER")],
        ),
        (
            (*_FOUR, "THE PIER", "CHAPTER 1", "."),
            [*_FOUR[::2]],
            [(PartRole.EXCERPT, "THE PIER")],
        ),
        (
            (*_FOUR, "THE PIER", "PROLOGUE", "."),
            [*_FOUR[::2]],
            [(PartRole.EXCERPT, "THE PIER")],
        ),
        (
            ("THE TIDE AND ITS DEBTS", "The author and the critics of this novel knew its readers.", ".", *_FOUR),
            [*_FOUR[::2]],
            [(PartRole.FRONT, "THE TIDE AND ITS DEBTS")],
        ),
        (
            (*_FOUR, "THE END", "ABOUT THE AUTHOR", "A. Nobody lives by the sea."),
            [*_FOUR[::2]],
            [(PartRole.BACK, "ABOUT THE AUTHOR")],
        ),
        (
            (*_FOUR, "THE END", "Printed in Great Britain by the Quay Press."),
            [*_FOUR[::2]],
            [(PartRole.BACK, "Printed in Great Britain by the Quay Press.")],
        ),
        (
            (*_FOUR, "QUAY PRESS", "Published by Quay Press, 12 Quay Street.", "Printed by Fell & Sons."),
            [*_FOUR[::2]],
            [(PartRole.BACK, "QUAY PRESS")],
        ),
        (
            (*_FOUR, "Printed by R. Fell & Sons, Quay."),
            [*_FOUR[::2]],
            [(PartRole.BACK, "Printed by R. Fell & Sons, Quay.")],
        ),
        (
            ("THE QUAY", "A. NOBODY", "QUAY PRESS", *_FOUR, "THE PIER", "CHAPTER 1", "."),
            [*_FOUR[::2]],
            [(PartRole.FRONT, "THE QUAY"), (PartRole.FRONT, "QUAY PRESS"), (PartRole.EXCERPT, "THE PIER")],
        ),
        (
            tuple(line for work in _BOTH for line in ("NOVELS", work, *_TWO)),
            [f"{work} / {chapter}" for work in _BOTH for chapter in _TWO[::2]],
            [(PartRole.FRONT, "NOVELS")],
        ),
        (
            (*_TWO, "FOOTNOTES:", "[1] He drowns.", *_FOUR[4:]),
            [*_FOUR[::2]],
            [(PartRole.NOTES, "FOOTNOTES:")],
        ),
        (
            ("BIOGRAPHICAL SKETCH", ".", *_FOUR),
            [*_FOUR[::2]],
            [(PartRole.FRONT, "BIOGRAPHICAL SKETCH")],
        ),
        (
            ("DRAMATIS PERSONAE", "ADA, a teacher", "THE PROLOGUE", "Two houses, both alike.", *_PLAY),
            ["THE PROLOGUE", f"ACT I / {_QUAY}", "ACT I / SCENE II. A room.", "ACT II / SCENE I. The same."],
            [(PartRole.FRONT, "DRAMATIS PERSONAE")],
        ),
        (
            (*_FOUR, "THE SALT", "The author and the critics of this novel knew its readers.", "."),
            [*_FOUR[::2]],
            [(PartRole.BACK, "THE SALT")],
        ),
    ],
    ids=[
        *("parts", "written parts", "play", "omnibus", "with prefaces", "notes", "excerpt", "bare title"),
        *("late prologue", "essay", "back matter", "after THE END", "imprint", "printer", "title page"),
        *("works behind a title", "footnotes", "sketch", "prologue of a play", "essay behind"),
    ],
)
def test_a_text_has_paths_and_roles(
    lines: tuple[str, ...], paths: list[str], outside: list[tuple[PartRole, str]], tmp_path: Path
) -> None:
    book = read_back(tmp_path, _lines(*lines))
    assert (_paths(book), _outside(book)) == (paths, outside)


@pytest.mark.parametrize("head", ["INTRODUCTION", "A Note on the Text", "Critical Essay", "The Tide and Its Debts"])
def test_a_story_without_chapters_begins_where_its_title_is_repeated(head: str, tmp_path: Path) -> None:
    essay = ("The author and the critics of this novel knew its readers.", *["."] * 3)
    book = read_back(tmp_path, _lines("THE QUAY", "by A. Nobody", head, *essay, "THE QUAY", *["."] * 9))
    assert book.pages[book.first_story_page - 1].text.startswith("THE QUAY\n\nThen")
    assert book.outside[0].first_page == 1
    assert book.outside[-1].last_page == book.first_story_page - 1


@pytest.mark.parametrize("title", ["Those Who Appear", "The Houses of the Quay"])
@pytest.mark.parametrize("titles", [_SIX, _TIDE], ids=["numbers", "titles"])
def test_a_list_of_persons_is_no_chapter(title: str, titles: list[str], tmp_path: Path) -> None:
    persons = "<p>ADA, a teacher</p><p>IVO, keeper of the light</p><p>TOBIAS FELL, her brother, who drowns</p>"
    chapters = [(0, one, _TEXT) for one in titles]
    book = _read(tmp_path, [(0, title, persons), *chapters])
    assert (_paths(book), _outside(book)) == (titles, [(PartRole.FRONT, title)])
    book = _read(tmp_path, [*chapters, (0, title, persons)])
    assert (_paths(book), _outside(book)) == (titles, [(PartRole.BACK, title)])


@pytest.mark.parametrize("listed", [6, 8])
def test_titles_behind_the_last_numbered_chapter_are_other_works(listed: int, tmp_path: Path) -> None:
    epub = _epub([*_chapters(6), (0, "The Pier", _TEXT), (0, "Harbour Lights", _SHORT)])
    book = read_back(tmp_path, Epub(documents=epub.documents, toc=epub.toc[:listed]).packed(), "book.epub")
    assert (_paths(book), _outside(book)[0]) == (_SIX, (PartRole.OTHER_WORK, "The Pier"))
    assert (book.last_story_page, book.outside[-1].last_page) == (12, len(book.pages))


def test_what_names_the_author_is_about_the_author(tmp_path: Path) -> None:
    life = "<p>A. Nobody was born in Quay, where she died. She was a writer.</p>"
    book = _read(tmp_path, [*((0, title, _TEXT) for title in _TIDE), (0, "A. Nobody", life)])
    assert (_paths(book), _outside(book)) == (_TIDE, [(PartRole.BACK, "A. Nobody")])


def test_a_dedication_over_the_first_chapter_is_no_part(tmp_path: Path) -> None:
    book = _read(tmp_path, [(0, "For Lena", ""), *_chapters(6)])
    assert (_paths(book), _outside(book)) == (_SIX, [(PartRole.FRONT, "For Lena")])


@pytest.mark.parametrize(
    ("title", "outside"),
    [("THE PIER", True), ("New Novels", True), ("“Dear Sir", False), ("The Last Light", False), ("II", False)],
)
def test_a_title_that_stands_apart_in_the_last_chapter_ends_it(title: str, outside: bool, tmp_path: Path) -> None:
    text = "\n\n".join([prose(40)] * 10)
    lines = [line for number in range(1, 7) for line in (f"CHAPTER {number}", text)]
    book = read_back(tmp_path, "\n\n\n".join([*lines, title, text]))
    assert (len(book.chapters), _outside(book)) == (6, [(PartRole.BACK, title)] * outside)


def test_notes_within_a_chapter_are_no_story(tmp_path: Path) -> None:
    notes = '<section role="doc-endnotes"><h3>Notes</h3><p>1. He drowns.</p></section>'
    documents = {f"{n}.xhtml": _typed("chapter", f"<h2>Chapter {n}</h2>{_TEXT}{notes}") for n in range(1, 7)}
    toc = [(0, f"Chapter {n}", f"{n}.xhtml") for n in range(1, 7)]
    book = read_back(tmp_path, Epub(documents=documents, toc=toc).packed(), "book.epub")
    assert (_paths(book), _outside(book)) == (_SIX, [(PartRole.NOTES, "Notes")] * 6)


def test_markdown_has_paths_and_roles(tmp_path: Path) -> None:
    parts = [
        line for part in ("One", "Two") for line in (f"## Part {part}", "### Chapter 1", ".", "### Chapter 2", ".")
    ]
    tail = ("## The Pier", "### Chapter 1", ".", "## About the Author", "A. Nobody lives by the sea.")
    book = read_back(tmp_path, _lines("# The Quay", "## Characters", "Ada", *parts, *tail), "book.md")
    assert _paths(book) == [f"Part {part} / Chapter {n}" for part in ("One", "Two") for n in (1, 2)]
    assert [one.title for one in book.outside] == ["The Quay", "Characters", "The Pier", "About the Author"]
    works = [line for work in _BOTH for line in (f"# {work}", "## Chapter 1", ".", "## Chapter 2", ".")]
    book = read_back(tmp_path, _lines("# Introduction", ".", *works, "# Notes", "He drowns."), "book.md")
    assert _paths(book) == [f"{work} / Chapter {n}" for work in _BOTH for n in (1, 2)]
    assert _outside(book) == [(PartRole.FRONT, "Introduction"), (PartRole.NOTES, "Notes")]
    assert _paths(read_back(tmp_path, _lines(*works), "works.md")) == _paths(book)


def test_a_pdf_has_paths_and_roles_and_the_worker_keeps_them(tmp_path: Path) -> None:
    page = [Shown("The Shore", size=16), Shown(prose(30), y=TOP - 40)]
    outline = [(0, "Part One", 1), (1, "Chapter 1", 1), (1, "Chapter 2", 2), (0, "Part Two", 3), (1, "Chapter 3", 3)]
    made = Pdf(pages=[page] * 6, outline=[(0, "Introduction", 0), *outline, (0, "Preview of The Pier", 5)]).made()
    book = read_back(tmp_path, made, "book.pdf")
    assert _paths(book) == ["Part One / Chapter 1", "Part One / Chapter 2", "Part Two / Chapter 3"]
    assert [(one.role, one.first_page, one.last_page) for one in book.outside] == [
        (PartRole.FRONT, 1, 1),
        (PartRole.EXCERPT, 6, 6),
    ]
    assert told_book(book_frame(book, "book.pdf")[HEADER.size :]) == book
