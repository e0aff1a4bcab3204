"""Makes small PDF files by hand; called by the tests of the readers and by the fuzzing."""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

from pypdf import PdfReader, PdfWriter

_CATALOG, _TREE, _FONT, _INFO, _OUTLINE, _FIRST_FREE = 1, 2, 3, 4, 5, 6
WIDTH, HEIGHT = 420, 595
LEFT, TOP, LEADING, SIZE = 50, 520, 14, 10


@dataclass(frozen=True)
class Shown:
    """A piece of text and its position on the page."""

    text: str
    x: float = LEFT
    y: float = TOP
    size: float = SIZE


@dataclass(frozen=True, kw_only=True)
class Pdf:
    """A PDF under construction; `outline` holds depth, title and page from 0, `labels` is a number tree's content."""

    pages: Sequence[Sequence[Shown]]
    outline: Sequence[tuple[int, str, int]] = ()
    labels: str = ""
    title: str = ""
    author: str = ""
    catalog: str = ""
    resources: str = ""
    objects: Sequence[bytes] = field(default=())

    def made(self) -> bytes:
        """Return the file."""
        return _file(self._objects())

    def _objects(self) -> dict[int, bytes]:
        kids = range(_FIRST_FREE, _FIRST_FREE + 2 * len(self.pages), 2)
        outlines = f"/Outlines {_OUTLINE} 0 R" if self.outline else ""
        labels = f"/PageLabels << /Nums [{self.labels}] >>" if self.labels else ""
        made = {
            _CATALOG: f"<< /Type /Catalog /Pages {_TREE} 0 R {outlines} {labels} {self.catalog} >>".encode(),
            _TREE: (
                f"<< /Type /Pages /Count {len(self.pages)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>".encode()
            ),
            _FONT: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            _INFO: f"<< /Title ({self.title}) /Author ({self.author}) >>".encode("latin-1"),
            _OUTLINE: b"null",
        }
        for kid, page in zip(kids, self.pages, strict=True):
            made[kid] = (
                f"<< /Type /Page /Parent {_TREE} 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents {kid + 1} 0 R "
                f"/Resources << /Font << /F1 {_FONT} 0 R >> {self.resources} >> >>"
            ).encode()
            made[kid + 1] = _stream(b"\n".join(map(_drawn, page)))
        if self.outline:
            made |= _outline(self.outline, kids, _FIRST_FREE + 2 * len(self.pages))
        return made | dict(enumerate(self.objects, max(made) + 1))


def flowed(text: str, *, x: float = LEFT, y: float = TOP, columns: int = 60, indent: float = 15) -> list[Shown]:
    """Set paragraphs (divided by empty lines) in lines of at most `columns` characters, the first of each indented."""
    shown: list[Shown] = []
    for paragraph in text.split("\n\n"):
        line, first = "", True
        for word in [*paragraph.split(), ""]:
            if word and len(line) + len(word) < columns:
                line = f"{line} {word}".strip()
                continue
            shown.append(Shown(line, x=x + indent * first, y=y))
            y, line, first = y - LEADING, word, False
    return shown


def encrypted(data: bytes, password: str) -> bytes:
    """Return the file encrypted with a password ("": anyone can open it)."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, f"{password} of the owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def _drawn(one: Shown) -> bytes:
    escaped = one.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)").encode("cp1252")
    return b"BT /F1 %g Tf %g %g Td (%s) Tj ET" % (one.size, one.x, one.y, escaped)


def _stream(content: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)


def _outline(entries: Sequence[tuple[int, str, int]], kids: range, free: int) -> dict[int, bytes]:
    """Return the objects of an outline: its root, and from `free` on an entry each, which names its neighbours."""
    made = {_OUTLINE: f"<< /Type /Outlines {_ends(entries, range(len(entries)), 0, free)} >>".encode()}
    for number, (depth, title, page) in enumerate(entries):
        below = range(number + 1, _next_above(entries, number + 1, depth + 1))
        around = f"/Title ({title}) /Dest [{kids[page]} 0 R /Fit] {_ends(entries, below, depth + 1, free)}"
        after = below.stop
        if after < len(entries) and entries[after][0] == depth:
            around += f" /Next {free + after} 0 R"
        above = [place for place in range(number) if entries[place][0] < depth]
        made[free + number] = f"<< {around} /Parent {free + above[-1] if above else _OUTLINE} 0 R >>".encode()
    return made


def _ends(entries: Sequence[tuple[int, str, int]], among: range, depth: int, free: int) -> str:
    own = [number for number in among if entries[number][0] == depth]
    return f"/First {free + own[0]} 0 R /Last {free + own[-1]} 0 R /Count {len(own)}" if own else ""


def _next_above(entries: Sequence[tuple[int, str, int]], start: int, depth: int) -> int:
    """Return the first entry from `start` on that is not below the one before it."""
    return next((number for number in range(start, len(entries)) if entries[number][0] < depth), len(entries))


def _file(objects: dict[int, bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places: dict[int, int] = {}
    for number, content in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    last = max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % last
    out += b"".join(_entry(places.get(number)) for number in range(1, last))
    out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        last,
        _CATALOG,
        _INFO,
        start,
    )
    return bytes(out)


def _entry(place: int | None) -> bytes:
    return b"0000000000 65535 f \n" if place is None else b"%010d 00000 n \n" % place
