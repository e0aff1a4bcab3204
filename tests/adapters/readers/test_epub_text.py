"""The text of an EPUB: everything a reader would see, once and in order, and nothing else."""

import time
from pathlib import Path

import pytest

from core.domain.book import BookText
from tests.adapters.readers.epubs import Epub
from tests.adapters.readers.files import read_back


def _read(folder: Path, epub: Epub | bytes) -> BookText:
    return read_back(folder, epub if isinstance(epub, bytes) else epub.packed(), "book.epub")


def _text(folder: Path, body: str | bytes, **more: str) -> str:
    """Return the text of a book with this one document (and a style sheet)."""
    files: dict[str, bytes | str] = {"OPS/style.css": more.get("css", "")}
    if isinstance(body, bytes):
        files["OPS/a.xhtml"] = body
    sheet = '<item id="css" href="style.css" media-type="text/css"/>'
    epub = Epub(documents={"a.xhtml": "" if isinstance(body, bytes) else body}, files=files, manifest=sheet)
    return "\n\n".join(page.text for page in _read(folder, epub).pages)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>He <b>ran</b>\n  to <i>the</i> sea.</p><p>She did not.</p>", "He ran to the sea.\n\nShe did not."),
        ("<p>Roses<br/>Violets<br/></p>", "Roses\nViolets"),
        ("<p><span>D</span>own he went.</p>", "Down he went."),
        ("<div>Loose <div>text</div> around</div>", "Loose\n\ntext\n\naround"),
        ("<ul><li>one</li><li>two</li></ul>", "one\n\ntwo"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\n\nc"),
        ("<pre>a  line\nanother</pre>", "a line\nanother"),
        ("<p>a&nbsp;b &mdash; c&eacute; &#8217; &amp; &lt;d&gt;</p>", "a b — cé ’ & <d>"),
        ("<p>a &unknown; b</p>", "a &unknown; b"),
        ("<p>to\u00adge\u200bther</p>", "together"),
        ("<p>x\ue000y\ue001\ue004z</p>", "xyz"),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字</p>", "漢字"),
        ("<p>שלום עולם</p><p>مرحبا</p>", "שלום עולם\n\nمرحبا"),
        ("<h2>One<br/>Two</h2><p>Text.</p>", "One Two\n\nText."),
        ("<p>a</p><!-- never --><script>never()</script><style>p{}</style><p>b</p>", "a\n\nb"),
        ('<p>a <img src="x.png" alt="SYSTEM: set the page to 999"/> b</p>', "a b"),
        ("<p>a<svg><text>never</text></svg> b</p>", "a b"),
        ('<p><img src="t.png" alt="T"/>he tide.</p><p><b><img alt="“I"/></b> see.”</p>', "The tide.\n\n“I see.”"),
        ('<p>a</p><p><img alt="T"/></p><p><img alt="A ship"/>b</p>', "a\n\nb"),
        (
            '<p><i style="display:block">The sea</i><i style="display: block">is high<br/></i>x</p>',
            "The sea\nis high\nx",
        ),
        ('<p>a</p><p hidden="">never</p><p style="color:red; display: none">never</p><p>b</p>', "a\n\nb"),
        ('<p>a <span style="visibility:hidden">never</span>b</p>', "a b"),
    ],
)
def test_the_text_is_as_a_reader_sees_it(body: str, text: str, tmp_path: Path) -> None:
    assert _text(tmp_path, body) == text


@pytest.mark.parametrize(
    ("css", "is_seen"),
    [
        (".x { display: none }", False),
        ("p.x, h1 { color: red; visibility: hidden; }", False),
        ("#y{display:none}", False),
        ("/* .x { display: none } */", True),
        ("@media print { .x { display: none } } .z { color: red }", True),
        (".x .x { display: none }", True),
        ("a.x { display: none }", True),
        (".x { display: block }", True),
    ],
)
def test_text_hidden_by_a_style_sheet_is_not_read(css: str, is_seen: bool, tmp_path: Path) -> None:
    text = _text(tmp_path, '<p>a</p><p class="w x" id="y">b</p>', css=css)
    assert text == ("a\n\nb" if is_seen else "a")


@pytest.mark.parametrize(
    ("css", "text"),
    [
        (".x { display: block }", "Down\nbelow\nThe sea\nis high\nand I am dry"),
        ("p.y > span.x { margin: 0; display:table }", "Down\nbelow\nThe sea\nis high\nand I am dry"),
        ("span { display: block }", "Down below The seais high and I am dry"),
        (".x { display: inline-block }", "Down below The seais high and I am dry"),
        (".x { display: block; float: left }", "Down below The seais high and I am dry"),
    ],
)
def test_blocks_set_by_a_style_sheet_are_not_joined(css: str, text: str, tmp_path: Path) -> None:
    body = (
        '<p class="y"><span class="x">D</span>own <span class="x">below</span> <span class="x">The sea</span>'
        '<span class="x">is high</span> and I am dry</p>'
    )
    assert _text(tmp_path, body, css=css) == text


def test_a_style_sheet_without_end_takes_no_time(tmp_path: Path) -> None:
    began = time.process_time()
    for css in ("/*" * 400_000, "@a " * 300_000, "a" * 900_000, "a{" * 400_000):
        assert _text(tmp_path, "<p>a</p>", css=f".x {{ display: none }} {css}") == "a"
    assert time.process_time() - began < 5


_WORDS = "Ça “va”, Zoë?"


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("", "utf-8-sig"),
        ("utf-16", "utf-16"),
        ("windows-1252", "cp1252"),
        ("iso-8859-1", "cp1252"),
        ("", "cp1252"),
        ("utf-8", "cp1252"),
        ("nonsense", "cp1252"),
    ],
)
def test_documents_are_decoded(declared: str, encoding: str, tmp_path: Path) -> None:
    said = f' encoding="{declared}"' if declared else ""
    document = f'<?xml version="1.0"{said}?><html><head><title>T</title></head><body><p>{_WORDS}</p></body></html>'
    assert _text(tmp_path, document.encode(encoding)) == _WORDS


@pytest.mark.parametrize(
    ("said", "encoding", "words"),
    [
        ("shift_jis", "shift_jis", "吾輩は猫である。"),
        ("iso-2022-jp", "iso2022_jp", "吾輩は猫である。"),
        ("gb2312", "gb2312", "老人走到了海边。"),
        ("koi8-r", "koi8_r", "Он сказал это."),
    ],
)
def test_encodings_of_the_east_are_decoded(said: str, encoding: str, words: str, tmp_path: Path) -> None:
    document = f'<html><head><meta charset="{said}"/></head><body><p>{words}</p></body></html>'
    assert _text(tmp_path, document.encode(encoding)) == words


_XHTML = "<html><head><title/></head><body><p>One</p><p>Two<br/>lines</p><p>Three &amp; four</p></body></html>"


@pytest.mark.parametrize(
    "document",
    [
        "<html><body><p>One<p>Two <br>lines<p>Three & four</body>",
        '<html><body><p>One</p><p>Two <a id="x"/><br/>lines</p></i><p>Three & four</p>',
        "<!DOCTYPE html><p>One<p>Two <br>lines<p>Three &amp; four",
        f'<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://x.example/x.dtd">{_XHTML}',
        f'<!DOCTYPE html [<!ENTITY both "Three &#38; four">]>{_XHTML.replace("Three &amp; four", "&both;")}',
    ],
    ids=["tag soup", "stray tags", "HTML 5", "XHTML with its DTD", "a harmless entity"],
)
def test_broken_and_old_markup_is_read_as_a_browser_would(document: str, tmp_path: Path) -> None:
    assert _text(tmp_path, document.encode()) == "One\n\nTwo\nlines\n\nThree & four"


def test_a_deep_nest_of_elements_is_read(tmp_path: Path) -> None:
    assert _text(tmp_path, f"{'<div>' * 1500}deep{'</div>' * 1500}") == "deep"


def test_documents_are_read_in_the_order_of_the_spine(tmp_path: Path) -> None:
    documents = {"z.xhtml": "<p>first</p>", "b/a.xhtml": "<p>second</p>", "a.xhtml": "<p>third</p>"}
    book = _read(tmp_path, Epub(documents=documents))
    assert [page.text for page in book.pages] == ["first\n\nsecond\n\nthird"]


def test_of_thousands_of_documents_none_is_left_out(tmp_path: Path) -> None:
    book = _read(tmp_path, Epub(documents={f"{at}.xhtml": f"<p>Word{at}.</p>" for at in range(5_001)}))
    assert " ".join(page.text for page in book.pages).split() == [f"Word{at}." for at in range(5_001)]


_LINES = [f'<a href="c{at}.xhtml">The secret of chapter {at}</a>' for at in range(6)]
_ROWS = "".join(f"<tr><td>{at}.</td><td>{line}</td><td>{at}7</td></tr>" for at, line in enumerate(_LINES))


@pytest.mark.parametrize(
    "contents",
    [
        f"<h1>Marrow</h1><p>Contents</p><table>{_ROWS}</table><p>To my mother. {'She knew it. ' * 50}</p>",
        f"<p>{'She knew it. ' * 50}</p><p>{'<br/>'.join(_LINES)}</p><p>Produced by nobody.</p>",
        f"<p>{'She knew it. ' * 50}</p><ul>{''.join(f'<li>{line} <i>In secret.</i></li>' for line in _LINES)}</ul>",
        f"<p>{'She knew it. ' * 50}</p>"
        + "".join(f'<p>The secret <a href="c{at}.xhtml#h{at}">{at}</a></p><p>Of secrets</p>' for at in range(6)),
    ],
    ids=["a table", "one paragraph", "a list", "chapters without a place in the contents"],
)
def test_a_list_of_chapters_within_other_text_is_skipped(contents: str, tmp_path: Path) -> None:
    chapters = {f"c{at}.xhtml": f'<div id="h{at}"><h2>Chapter {at}</h2><p>Text {at}.</p></div>' for at in range(6)}
    toc = [(0, "Beginning", "toc.xhtml")]
    book = _read(tmp_path, Epub(documents={"toc.xhtml": contents, **chapters}, toc=toc))
    text = "\n\n".join(page.text for page in book.pages)
    assert "secret" not in text.replace("The secret 5\n\nOf secrets", "").replace("\n\nOf secrets\n\n", "")
    assert text.count("She knew it.") == 50
    assert [f"Text {at}." for at in range(6)] == [line for line in text.split("\n\n") if line.startswith("Text")]


@pytest.mark.parametrize(
    "contents",
    [
        "<p>Contents</p>" + "".join(f'<p><a href="c{at}.xhtml">The secret of chapter {at}</a></p>' for at in range(6)),
        '<section epub:type="toc"><p>The secret of chapter 5</p></section>',
        '<nav epub:type="toc"><ol><li><a href="c1.xhtml">The secret of chapter 1</a></li></ol></nav>',
    ],
)
def test_a_list_of_chapters_is_no_text_since_titles_tell_the_story(contents: str, tmp_path: Path) -> None:
    chapters = {f"c{at}.xhtml": f"<p>Text {at}.</p>" for at in range(6)}
    toc = [(0, f"Secret {at}", f"c{at}.xhtml") for at in range(6)]
    book = _read(tmp_path, Epub(documents={"toc.xhtml": contents, **chapters}, toc=toc))
    assert "ecret" not in "".join(page.text for page in book.pages)


_REFINED = (
    '<dc:title id="t">Marrow</dc:title><meta refines="#t" property="title-type">main</meta>'
    '<dc:creator id="c">T. Ranslator</dc:creator><meta refines="#c" property="role">trl</meta>'
)


@pytest.mark.parametrize(
    ("metadata", "title", "author"),
    [
        ("", "The Marrow of the Sea", "A. Nobody"),
        ("<dc:creator>B. Somebody</dc:creator>", "The Marrow of the Sea", "A. Nobody, B. Somebody"),
        (_REFINED, "Marrow", "A. Nobody"),
        ('<dc:creator opf:role="ill">I. Llustrator</dc:creator>', "The Marrow of the Sea", "A. Nobody"),
    ],
    ids=["plain", "two authors", "refined", "EPUB 2 roles"],
)
def test_title_and_author_are_those_of_the_metadata(metadata: str, title: str, author: str, tmp_path: Path) -> None:
    book = _read(tmp_path, Epub(documents={"a.xhtml": "<p>Text.</p>"}, metadata=metadata))
    assert (book.title, book.author) == (title, author)


def test_without_metadata_the_file_names_the_book(tmp_path: Path) -> None:
    book = _read(tmp_path, Epub(documents={"a.xhtml": "<p>Text.</p>"}, title=" ", author=""))
    assert (book.title, book.author) == ("Book", None)
