"""Makes small EPUB files; called by the tests of the readers and by the fuzzing."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
    '<rootfiles><rootfile full-path="OPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    "</container>"
)
_NAMESPACES = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'


@dataclass(frozen=True, kw_only=True)
class Epub:
    """An EPUB under construction.

    `documents` are bodies by file name in reading order (or whole documents, as `whole_document` detects them);
    `metadata`, `manifest`, `spine` (attributes) and `guide` go into the package document unchanged.
    """

    documents: Mapping[str, str]
    toc: Sequence[tuple[int, str, str]] = ()
    nav: str = ""
    ncx: str = ""
    title: str = "The Marrow of the Sea"
    author: str = "A. Nobody"
    metadata: str = ""
    manifest: str = ""
    spine: str = ""
    guide: str = ""
    nonlinear: frozenset[str] = frozenset()
    files: Mapping[str, bytes | str] = field(default_factory=dict)
    container: str = CONTAINER

    def members(self) -> dict[str, bytes]:
        """Return the files of the archive by their names, `mimetype` first."""
        found: dict[str, bytes | str] = {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": self.container,
            "OPS/package.opf": self._package(),
        }
        found |= {f"OPS/{name}": whole_document(body) for name, body in self.documents.items()}
        if self.nav or (self.toc and not self.ncx):
            found["OPS/nav.xhtml"] = whole_document(self.nav or nav_of(self.toc))
        if self.ncx:
            found["OPS/toc.ncx"] = self.ncx
        found |= self.files
        return {name: content.encode() if isinstance(content, str) else content for name, content in found.items()}

    def packed(self) -> bytes:
        """Return the file."""
        return packed(self.members())

    def _package(self) -> str:
        items = [
            f'<item id="d{number}" href="{name}" media-type="application/xhtml+xml"/>'
            for number, name in enumerate(self.documents)
        ]
        if self.nav or (self.toc and not self.ncx):
            items.append('<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>')
        if self.ncx:
            items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        linear = {name: "no" if name in self.nonlinear else "yes" for name in self.documents}
        order = [f'<itemref idref="d{at}" linear="{linear[name]}"/>' for at, name in enumerate(self.documents)]
        toc = 'toc="ncx"' if self.ncx else ""
        return (
            '<?xml version="1.0" encoding="utf-8"?>'
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:opf="http://www.idpf.org/2007/opf" version="3.0">'
            '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<dc:title>{escape(self.title)}</dc:title><dc:creator>{escape(self.author)}</dc:creator>{self.metadata}"
            f"</metadata><manifest>{''.join(items)}{self.manifest}</manifest>"
            f"<spine {toc} {self.spine}>{''.join(order)}</spine>{self.guide}</package>"
        )


def packed(members: Mapping[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file of these members."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else compression)
    return buffer.getvalue()


def whole_document(body: str) -> str:
    """Return an XHTML document with this body; a complete document is returned unchanged."""
    if body.startswith(("<?", "<!", "<html")):
        return body
    head = f'<?xml version="1.0" encoding="utf-8"?><html {_NAMESPACES}><head><title>T</title></head>'
    return f"{head}<body>{body}</body></html>"


def nav_of(toc: Sequence[tuple[int, str, str]]) -> str:
    """Return an EPUB 3 table of contents; its lines are depth, title and reference ("" for none)."""
    made, depth = "", -1
    for level, title, href in toc:
        made += "<ol>" if level > depth else "</li>" + "</ol></li>" * (depth - level)
        depth = level
        made += f'<li><a href="{href}">{title}</a>' if href else f"<li><span>{title}</span>"
    return f'<nav epub:type="toc">{made}</li>{"</ol></li>" * depth}</ol></nav>'


def ncx_of(toc: Sequence[tuple[int, str, str]], pages: Sequence[tuple[str, str]] = ()) -> str:
    """Return an NCX document with this table of contents, and a page list of labels and references."""
    made, depth = "", -1
    for level, title, href in toc:
        made += "</navPoint>" * (depth - level + 1)
        depth = level
        made += f'<navPoint><navLabel><text>{title}</text></navLabel><content src="{href}"/>'
    targets = "".join(
        f'<pageTarget type="normal" value="{label}"><navLabel><text>{label}</text></navLabel>'
        f'<content src="{href}"/></pageTarget>'
        for label, href in pages
    )
    return (
        '<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
        f"<navMap>{made}{'</navPoint>' * (depth + 1)}</navMap>"
        f"{f'<pageList>{targets}</pageList>' if pages else ''}</ncx>"
    )
