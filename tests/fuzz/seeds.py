"""Small valid books of each format, with all that the readers look at; the fuzzing begins from them."""

from tests.adapters.readers.epubs import Epub, ncx_of
from tests.adapters.readers.files import prose
from tests.adapters.readers.pdfs import HEIGHT, Pdf, Shown, flowed

_CHAPTER = (
    '<section epub:type="chapter" id="c{0}"><h2>Chapter {0}</h2><p>{1}<span epub:type="pagebreak" id="p{0}" '
    'title="{0}"/>{1}<a epub:type="noteref" href="#n{0}">{0}</a></p><table><tr><td>a</td></tr></table>'
    '<p style="display:none">x</p><pre>a\nb</pre><aside epub:type="footnote" id="n{0}"><p>Note &eacute;.</p></aside>'
    "</section>"
)
_DOCUMENTS = {f"{at}.xhtml": _CHAPTER.format(at, prose(60)) for at in range(1, 5)}
_TOC = [(0, "Part I", "1.xhtml"), *((1, f"Chapter {at}", f"{at}.xhtml#c{at}") for at in range(1, 5))]
_PAGES = [(str(at), f"{at}.xhtml#p{at}") for at in range(1, 5)]
_OLD_NOTES = {
    "a.html": f'<h1>Marrow</h1><p>{prose(40)}<a id="r1" href="n.html#f1"><sup>1</sup></a> {prose(200)}</p>',
    "n.html": '<h2>Notes</h2><p id="f1"><a href="a.html#r1">1</a> Said <i>so</i>.</p>',
}
_PAGE_MAP = "<page-map>" + "".join(f'<page name="{label}" href="{href}"/>' for label, href in _PAGES) + "</page-map>"
_STYLE = ".x { display: none } @media print { p { color: red } } #y, a.b { visibility: hidden }"
_ITEMS = (
    '<item id="map" href="map.xml" media-type="application/oebps-page-map+xml"/>'
    '<item id="css" href="s.css" media-type="text/css"/>'
)

EPUBS = {
    "epub3": Epub(
        documents=_DOCUMENTS,
        toc=_TOC,
        files={"OPS/map.xml": _PAGE_MAP, "OPS/s.css": _STYLE},
        manifest=_ITEMS,
        spine='page-map="map"',
    ),
    "epub2": Epub(
        documents=_OLD_NOTES,
        ncx=ncx_of([(0, "One", "a.html"), (0, "Notes", "n.html")], [("ii", "a.html#r1")]),
        guide='<guide><reference type="text" href="a.html"/></guide>',
    ),
}

_BODY = flowed(f"{prose(60)}\n\nChapter one was not the under-\n\nstanding of it, said Tasker.")
PDFS = {
    "outline": Pdf(
        pages=[[Shown(f"{at} The Marrow", y=HEIGHT - 30), *_BODY] for at in range(1, 6)],
        outline=[(0, "Part I", 0), (1, "One", 1), (1, "Two", 3)],
        labels="0 << /S /r >> 2 << /S /D /St 5 /P (A-) >>",
        title="Marrow",
        author="A. Nobody",
    ),
    "columns": Pdf(pages=[[*flowed(prose(200), columns=28), *flowed(prose(200), x=240, columns=28)], _BODY, []]),
}

TEXTS = {
    "text": (f"Chapter I\n\n{prose(300)}\n\n\fChapter II\nThe Sea\n\n{prose(90)}\n\n“Ça va”, said Zoë.\n" * 2).encode(),
    "utf-16": f"Prologue\r\n\r\n{prose(60)}\r\n老人走到了海边。\r\n".encode("utf-16"),
    "windows": f"LETTER 1.\n\n“Ça va”, said Zoë – {prose(60)}".encode("cp1252"),
}
MARKDOWNS = {
    "markdown": (
        f"---\ntitle: Marrow\nauthor: [A, B]\n---\n\n# Marrow\n\n## One\n\n{prose(60)} *x* [l](http://a.b)\n\n> q\n\n"
        f"```\ncode\n```\n\nTwo\n---\n\n* a\n  * b\n\n<b>h</b> &amp; {prose(90)}\f## Three\n\nEnd.\n"
    ).encode()
}
