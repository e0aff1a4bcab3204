"""Chapters of an EPUB, and its story between front and back matter."""

from pathlib import Path

import pytest

from core.domain.book import BookText
from tests.adapters.readers.epubs import Epub, ncx_of
from tests.adapters.readers.files import prose, read_back

_TEXT = f"<p>{prose(400)}</p>"  # two estimated pages
_DOCUMENTS = {f"{name}.xhtml": f"<h2>{name.upper()}</h2>{_TEXT}" for name in "abcd"}
_Toc = list[tuple[int, str, str]]


def _read(folder: Path, epub: Epub) -> BookText:
    return read_back(folder, epub.packed(), "book.epub")


def _chapters(book: BookText) -> list[tuple[str, int, int]]:
    return [(one.title, one.first_page, one.last_page) for one in book.chapters]


_FLAT: _Toc = [(0, "One", "a.xhtml"), (0, "Two", "b.xhtml"), (0, "Three", "c.xhtml")]
_PARTS: _Toc = [
    (0, "Part I", ""),
    (1, "The Shore", "a.xhtml"),
    (1, "The Sea", "b.xhtml"),
    (0, "Part II", "c.xhtml"),
    (1, "The Sky", "c.xhtml"),
    (1, "The End", "d.xhtml"),
]
_SECTIONS: _Toc = [
    (0, "Chapter 1", "a.xhtml"),
    (1, "Chapter 1, first scene", "a.xhtml"),
    (1, "Second scene", "b.xhtml"),
    (0, "Chapter 2", "c.xhtml"),
]
_DEEP: _Toc = [
    (0, "The Book", "a.xhtml"),
    (1, "Volume I", "a.xhtml"),
    (2, "Chapter 1", "a.xhtml"),
    (2, "Chapter 2", "c.xhtml"),
]
_BROKEN: _Toc = [(0, "One", "a.xhtml#gone"), (0, "Two", "gone.xhtml"), (0, "Three", "c%2Exhtml")]
_BARE: _Toc = [(0, "Cover", "a.xhtml"), (0, "Contents", "b.xhtml"), (0, "I", "c.xhtml"), (0, "II", "d.xhtml")]


@pytest.mark.parametrize("kind", ["nav", "ncx"])
@pytest.mark.parametrize(
    ("toc", "chapters"),
    [
        (_FLAT, [("One", "A"), ("Two", "B"), ("Three", "C")]),
        (_PARTS, [("The Shore", "A"), ("The Sea", "B"), ("The Sky", "C"), ("The End", "D")]),
        (_SECTIONS, [("Chapter 1", "A"), ("Chapter 2", "C")]),
        (_DEEP, [("Chapter 1", "A"), ("Chapter 2", "C")]),
        (_BARE, [("I", "C"), ("II", "D")]),
        (_BROKEN, [("One", "A"), ("B", "B"), ("Three", "C")]),
    ],
    ids=["flat", "parts", "sections", "deep", "no chapters among them", "broken links"],
)
def test_the_table_of_contents_names_the_chapters(
    kind: str, toc: _Toc, chapters: list[tuple[str, str]], tmp_path: Path
) -> None:
    if kind == "ncx":
        toc = [(depth, title, href or "a.xhtml") for depth, title, href in toc]
    book = _read(tmp_path, Epub(documents=_DOCUMENTS, toc=toc, ncx=ncx_of(toc) if kind == "ncx" else ""))
    assert [(one.title, book.pages[one.first_page - 1].text.split()[0]) for one in book.chapters] == chapters
    ends = [one.first_page - 1 for one in book.chapters[1:]] + [len(book.pages)]
    assert [one.last_page for one in book.chapters] == ends


def test_a_chapter_may_begin_within_a_document(tmp_path: Path) -> None:
    body = f'<h2 id="c1">One</h2>{_TEXT}<p>The end of it.<a id="c2"></a></p><h2>Two</h2>{_TEXT}'
    toc = [(0, "One", "a.xhtml#c1"), (0, "Two", "a.xhtml#c2")]
    book = _read(tmp_path, Epub(documents={"a.xhtml": body}, toc=toc))
    assert _chapters(book) == [("One", 1, 2), ("Two", 3, 4)]
    assert book.pages[2].text.startswith("Two\n\n")


def test_a_chapter_that_begins_in_mid_page_shares_it(tmp_path: Path) -> None:
    mark = '<span epub:type="pagebreak" title="{}"/>'
    body = f'{mark.format(1)}<h2 id="c1">One</h2><p>Text. {mark.format(2)}More.</p><h2 id="c2">Two</h2><p>End.</p>'
    toc = [(0, "One", "a.xhtml#c1"), (0, "Two", "a.xhtml#c2")]
    assert _chapters(_read(tmp_path, Epub(documents={"a.xhtml": body}, toc=toc))) == [("One", 1, 2), ("Two", 2, 2)]


@pytest.mark.parametrize(
    ("bodies", "titles"),
    [
        (["<h1>Marrow</h1>", f"<h2>The Shore</h2>{_TEXT}", f"<h2>The Sea</h2>{_TEXT}"], ["The Shore", "The Sea"]),
        ([f"<h3>Chapter {n}</h3>{_TEXT}" for n in (1, 2)], ["Chapter 1", "Chapter 2"]),
        ([f"<h2>{n}</h2><p>THE SHORE</p>{_TEXT}" for n in ("I", "II")], ["I: THE SHORE", "II: THE SHORE"]),
        ([f"<p>Copyright.</p><h4>Copyright 1916, by me</h4>{_TEXT}"], []),
    ],
)
def test_without_contents_the_headings_are_the_chapters(bodies: list[str], titles: list[str], tmp_path: Path) -> None:
    book = _read(tmp_path, Epub(documents={f"{at}.xhtml": body for at, body in enumerate(bodies)}))
    assert [title for title, _, _ in _chapters(book)] == titles


_TYPED = {
    "title.xhtml": '<section epub:type="frontmatter titlepage"><h1>Marrow</h1></section>',
    "preface.xhtml": f'<section epub:type="frontmatter preface"><h2>A Word</h2>{_TEXT}</section>',
    "one.xhtml": f'<section epub:type="bodymatter chapter"><h2>One</h2>{_TEXT}</section>',
    "two.xhtml": f'<section epub:type="bodymatter chapter"><h2>Two</h2>{_TEXT}</section>',
    "end.xhtml": f'<section epub:type="backmatter colophon"><h2>How it was made</h2>{_TEXT}</section>',
}
_TYPED_TOC = [
    (0, title, f"{name}.xhtml")
    for title, name in (("A Word", "preface"), ("One", "one"), ("Two", "two"), ("How", "end"))
]
_PLAIN = {name: body.replace("epub:type", "title") for name, body in _TYPED.items()}
_LANDMARKS = (
    '<nav epub:type="landmarks"><ol><li><a epub:type="bodymatter" href="one.xhtml">Begin</a></li></ol></nav>'
    '<nav epub:type="toc"><ol><li><a href="preface.xhtml">A Word</a></li><li><a href="one.xhtml">One</a></li>'
    '<li><a href="two.xhtml">Two</a></li><li><a href="end.xhtml">Colophon</a></li></ol></nav>'
)


@pytest.mark.parametrize(
    "epub",
    [
        Epub(documents=_TYPED, toc=_TYPED_TOC),
        Epub(documents=_PLAIN, nav=_LANDMARKS),
        Epub(
            documents=_PLAIN,
            toc=[*_TYPED_TOC[:3], (0, "Notes", "end.xhtml")],
            guide='<guide><reference type="text" href="one.xhtml"/></guide>',
        ),
        Epub(documents=_PLAIN, toc=[(0, "Preface", "preface.xhtml"), *_TYPED_TOC[1:3], (0, "Appendix", "end.xhtml")]),
    ],
    ids=["types", "landmarks", "guide", "names"],
)
def test_the_story_is_separated_from_front_and_back_matter(epub: Epub, tmp_path: Path) -> None:
    book = _read(tmp_path, epub)
    first = next(page.number for page in book.pages if page.text.startswith("One"))
    last = next(page.number for page in book.pages if page.text.startswith("How")) - 1
    assert (book.first_story_page, book.last_story_page) == (first, last)
    assert [(one.number, one.title) for one in book.chapters] == [(1, "One"), (2, "Two")]


@pytest.mark.parametrize(
    "toc",
    [
        [(0, f"Chapter {at}", "a.xhtml") for at in range(1, 5)],
        [(0, f"Chapter {at}", f"a.xhtml#gone{at}") for at in range(1, 5)],
        [(0, "Begin to read", "a.xhtml")],
    ],
    ids=["one document again and again", "places that are not there", "nothing but the beginning"],
)
def test_contents_without_links_give_way_to_the_headings(toc: _Toc, tmp_path: Path) -> None:
    body = "".join(f"<h2>Chapter {at}</h2>{_TEXT}" for at in range(1, 5))
    found = _chapters(_read(tmp_path, Epub(documents={"a.xhtml": body}, toc=toc)))
    assert found == [(f"Chapter {at}", 2 * at - 1, 2 * at) for at in range(1, 5)]
