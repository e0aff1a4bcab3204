"""Pages of an EPUB: those of the printed book if the file has them, else estimated ones."""

from pathlib import Path

import pytest

from core.domain.book import BookText, PageSource
from tests.adapters.readers.epubs import Epub, ncx_of
from tests.adapters.readers.files import prose, read_back

_ANCHORED = {
    "a.xhtml": '<p>Front.</p><p><a id="px"/>One <span id="p1"></span>two</p><p>three.</p>',
    "b.xhtml": '<h1>Four</h1><p>five <a id="p3"></a></p><p>six.</p>',
}
_TARGETS = [("x", "a.xhtml#px"), ("1", "a.xhtml#p1"), ("2", "b.xhtml"), ("3", "b.xhtml#p3")]
_PAGES = [(None, "Front."), ("x", "One"), ("1", "two\n\nthree."), ("2", "Four\n\nfive"), ("3", "six.")]


def _read(folder: Path, epub: Epub) -> BookText:
    return read_back(folder, epub.packed(), "book.epub")


def _nav(targets: list[tuple[str, str]]) -> str:
    links = "".join(f'<li><a href="{href}">{label}</a></li>' for label, href in targets)
    return f'<nav epub:type="page-list"><ol>{links}</ol></nav>'


_PAGE_MAP = "<page-map>" + "".join(f'<page name="{label}" href="{href}"/>' for label, href in _TARGETS) + "</page-map>"
_MAP_ITEM = '<item id="map" href="page-map.xml" media-type="application/oebps-page-map+xml"/>'


@pytest.mark.parametrize(
    "epub",
    [
        Epub(documents=_ANCHORED, nav=_nav(_TARGETS)),
        Epub(documents=_ANCHORED, ncx=ncx_of([(0, "Four", "b.xhtml")], _TARGETS)),
        Epub(documents=_ANCHORED, manifest=_MAP_ITEM, spine='page-map="map"', files={"OPS/page-map.xml": _PAGE_MAP}),
        Epub(documents=_ANCHORED, manifest=_MAP_ITEM, files={"OPS/page-map.xml": _PAGE_MAP}),
    ],
    ids=["nav", "NCX", "page map", "page map without a name"],
)
def test_a_list_of_pages_divides_the_text(epub: Epub, tmp_path: Path) -> None:
    book = _read(tmp_path, epub)
    assert [(page.label, page.text) for page in book.pages] == _PAGES
    assert book.page_source is PageSource.PAGE_LIST


@pytest.mark.parametrize(
    "mark",
    [
        '<span epub:type="pagebreak" id="x" title="{}"/>',
        '<span epub:type="pagebreak">{}</span>',
        '<span role="doc-pagebreak" aria-label=" Page {}. "></span>',
        '<a class="pageno" title="[Pg {}]"></a>',
        '<a class="pageno" id="Page_{}"></a>',
        '<span class="pagenum"><a id="Page_{0}">[{0}]</a></span>',
        '<span class="pagenum">Page {}</span>',
        '<span epub:type="pagebreak" id="page{}" hidden=""/>',
    ],
)
def test_marks_of_pages_in_the_text_divide_it(mark: str, tmp_path: Path) -> None:
    one, two, three = (mark.format(label) for label in ("xii", "13", "14"))
    book = _read(tmp_path, Epub(documents={"a.xhtml": f"<p>{one}One {two}two</p>{three}<p>three</p>"}))
    assert [(page.label, page.text) for page in book.pages] == [("xii", "One"), ("13", "two"), ("14", "three")]
    assert book.page_source is PageSource.PAGE_BREAKS


@pytest.mark.parametrize(
    ("before", "behind", "first", "second"),
    [
        ("They de", "lighted us.", "They", "delighted us."),
        ("They de", "<i>lighted</i> us.", "They", "delighted us."),
        ("They sat. ", "We too.", "They sat.", "We too."),
        ("老人走到", "了海边。", "老人走到", "了海边。"),
    ],
)
def test_a_word_split_across_two_pages_is_on_the_later_one(
    before: str, behind: str, first: str, second: str, tmp_path: Path
) -> None:
    mark = '<span epub:type="pagebreak" title="{}"/>'
    body = f"<p>{mark.format(1)}{before}{mark.format(2)}{behind}</p>"
    assert [page.text for page in _read(tmp_path, Epub(documents={"a.xhtml": body})).pages] == [first, second]


@pytest.mark.parametrize(
    "body",
    [
        f'<span epub:type="pagebreak" title="1"/><p>{prose(4000)}</p>',
        "".join(f'<span epub:type="pagebreak" title="{n}"/><p>{prose(4000)}</p>' for n in (1, 2)),
        f'<div class="page-break"><p>{prose(4000)}</p></div>' * 2,
    ],
    ids=["one mark", "two marks in a long book", "only a style's name"],
)
def test_marks_that_make_no_sense_give_way_to_estimated_pages(body: str, tmp_path: Path) -> None:
    book = _read(tmp_path, Epub(documents={"a.xhtml": body}))
    assert book.page_source is PageSource.ESTIMATED
    assert all(150 <= len(page.text.split()) <= 450 for page in book.pages[:-1])
    assert {page.label for page in book.pages} == {None}


_CALL = '<a epub:type="noteref" href="{}#n{}">{}</a>'
_NOTE = '<aside epub:type="footnote" id="n{}"><p>{}</p></aside>'


@pytest.mark.parametrize(
    ("documents", "notes_at"),
    [
        ({"a.xhtml": "{call}" + _NOTE.format(1, "A note.")}, "a.xhtml"),
        ({"a.xhtml": "{call}", "n.xhtml": "<h2>Notes</h2>" + _NOTE.format(1, "A note.")}, "n.xhtml"),
        (
            {
                "a.xhtml": "{call}",
                "n.xhtml": '<ol><li id="n1" role="doc-endnote">A note. <a href="a.xhtml#c">↩</a></li></ol>',
            },
            "n.xhtml",
        ),
        (
            {"a.xhtml": "{call}", "n.xhtml": '<p id="n1"><a href="a.xhtml#c">1</a>. A note.</p>'},
            "n.xhtml",
        ),
    ],
    ids=["aside", "a document of notes", "a list", "an old book"],
)
def test_a_footnote_is_placed_at_its_reference_and_an_endnote_at_the_back(
    documents: dict[str, str], notes_at: str, tmp_path: Path
) -> None:
    mark = '<span epub:type="pagebreak" title="{}"/>'
    call = (
        f'<sup id="c"><a href="{notes_at}#n1">1</a></sup>'
        if "role" not in str(documents)
        else _CALL.format(notes_at, 1, 1)
    )
    text = f"<p>{mark.format(1)}One{call} word.</p><p>More {mark.format(2)}text.</p>"
    if "footnote" in str(documents):
        text = text.replace(call, _CALL.format(notes_at, 1, 1))
    made = {name: body.replace("{call}", text) for name, body in documents.items()}
    pages = [page.text for page in _read(tmp_path, Epub(documents=made)).pages]
    if notes_at == "a.xhtml":
        assert pages == ["One[1] word.\n\nMore\n\n[1] A note.", "text."]
    else:
        assert pages[0] == "One[1] word.\n\nMore"
        assert "A note." in pages[-1]


def test_notes_are_on_estimated_pages_too_each_once(tmp_path: Path) -> None:
    calls = "".join(f"<p>{prose(250)} End{_CALL.format('a.xhtml', n, n)}</p>" for n in (1, 2, 2, 3))
    notes = "".join(_NOTE.format(n, f"Note {n}.") for n in (1, 2, 3))
    pages = [page.text for page in _read(tmp_path, Epub(documents={"a.xhtml": calls + notes})).pages]
    assert [text.count("End[") for text in pages] == [1, 1, 1, 1]
    assert [[n for n in (1, 2, 3) if f"[{n}] Note {n}." in text] for text in pages] == [[1], [2], [], [3]]


def test_endnotes_are_unread_until_the_end(tmp_path: Path) -> None:
    chapters = {
        f"{n}.xhtml": f"<h2>Chapter {n}</h2><p>{prose(400)} End{_CALL.format('n.xhtml', n, n)}</p>" for n in (1, 2)
    }
    notes = "<h2>Notes</h2>" + "".join(_NOTE.format(n, f"Note {n} tells of chapter 2.") for n in (1, 2))
    toc = [(0, f"Chapter {n}", f"{n}.xhtml") for n in (1, 2)] + [(0, "Notes", "n.xhtml")]
    book = _read(tmp_path, Epub(documents={**chapters, "n.xhtml": notes}, toc=toc))
    assert book.last_story_page == len(book.pages) - 1
    story = [page.text for page in book.pages[: book.last_story_page]]
    assert sum(text.count("End[") for text in story) == 2
    assert not any("tells of chapter 2" in text for text in story)
    assert book.pages[-1].text.count("tells of chapter 2") == 2
