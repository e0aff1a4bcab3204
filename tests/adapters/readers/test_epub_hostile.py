"""Hostile and damaged EPUB files: each is refused in one sentence, or read."""

import io
import stat
import struct
import time
import unicodedata
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.domain.errors import BookError, BookErrorCode
from tests.adapters.readers.epubs import CONTAINER, Epub, packed
from tests.adapters.readers.files import read_back

_GOOD = Epub(documents={"a.xhtml": "<p>The tide had gone out.</p>"})
_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def _with(name: str, content: bytes | str) -> bytes:
    return packed(_GOOD.members() | {name: content.encode() if isinstance(content, str) else content})


def _document(subset: str, body: str) -> bytes:
    return _with("OPS/a.xhtml", f"<!DOCTYPE html [{subset}]><html><body><p>{body}</p></body></html>")


def _protected(member: str, algorithm: str) -> bytes:
    return _with("META-INF/encryption.xml", _encryption(member, algorithm))


def _encryption(member: str, algorithm: str) -> bytes:
    return (
        '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><EncryptedData '
        f'xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod Algorithm="{algorithm}"/>'
        f'<CipherData><CipherReference URI="{member}"/></CipherData></EncryptedData></encryption>'
    ).encode()


def _linked() -> bytes:
    link = zipfile.ZipInfo("OPS/b.xhtml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    return _rezipped(lambda archive: archive.writestr(link, "/etc/passwd"))


def _rezipped(add: Callable[[zipfile.ZipFile], None]) -> bytes:
    buffer = io.BytesIO(_GOOD.packed())
    with zipfile.ZipFile(buffer, "a") as archive:
        add(archive)
    return buffer.getvalue()


def _with_password() -> bytes:
    """Set the flag of an encrypted member in every header, which the standard library cannot write."""
    data = bytearray(_GOOD.packed())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            (flags,) = struct.unpack_from("<H", data, at + offset)
            struct.pack_into("<H", data, at + offset, flags | 1)
            at = data.find(signature, at + 4)
    return bytes(data)


def _lying_about_its_size() -> bytes:
    """Say in the directory that the bomb is small."""
    data = bytearray(_with("OPS/a.xhtml", b"<p>" + b"a" * 40_000_000))
    at = data.find(b"PK\x01\x02")
    while b"a.xhtml" not in data[at + 46 : at + 80]:
        at = data.find(b"PK\x01\x02", at + 4)
    struct.pack_into("<L", data, at + 24, 1_000)
    return bytes(data)


def _damaged_in_the_middle() -> bytes:
    data = bytearray(packed(_GOOD.members(), compression=zipfile.ZIP_STORED))
    at = data.find(b"The tide")
    data[at : at + 8] = b"tHE TIDE"
    return bytes(data)


def _many(count: int) -> bytes:
    return packed(_GOOD.members() | {f"f{number}": b"" for number in range(count)})


_HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a zip bomb": (lambda: _with("OPS/a.xhtml", b"<p>" + b"a" * 40_000_000), "unpacks to far more than any book"),
    "a bomb in a picture": (lambda: _with("OPS/a.png", bytes(40_000_000)), "unpacks to far more than any book"),
    "a bomb that lies": (_lying_about_its_size, "is damaged or was cut off"),
    "10,000 files": (lambda: _many(10_000), r"holds 1000\d files, more than any book"),
    "growing entities": (lambda: _document(f'<!ENTITY l0 "lol">{_LAUGHS}', "&l9;"), "declares XML entities that grow"),
    "entities in an attribute": (
        lambda: _document(f'<!ENTITY l0 "lol">{_LAUGHS}', '<b title="&l9;">x</b>'),
        "declares XML entities that grow",
    ),
    "a file's entity": (
        lambda: _document('<!ENTITY x SYSTEM "file:///etc/passwd">', "&x;"),
        "declares XML entities that grow or fetch files",
    ),
    "a parameter entity": (
        lambda: _document('<!ENTITY % x SYSTEM "http://x.example/x.dtd"> %x;', "x"),
        "declares XML entities that grow or fetch files",
    ),
    "entities in the package": (
        lambda: _with("OPS/package.opf", f'<!DOCTYPE p [<!ENTITY l0 "lol">{_LAUGHS}]><package>&l9;</package>'),
        "declares XML entities that grow",
    ),
    "entities in the container": (
        lambda: _with("META-INF/container.xml", CONTAINER.replace("?>", f"?><!DOCTYPE c [{_LAUGHS}]>")),
        "declares XML entities that grow",
    ),
    "a huge entity": (lambda: _document(f'<!ENTITY x "{"a" * 1000}">', "&x;" * 10), "declares XML entities that grow"),
    "an unclosed document type": (
        lambda: _with("OPS/a.xhtml", f"<!DOCTYPE html [{_LAUGHS} <html><body>&l9;</body></html>"),
        "declares XML entities that grow",
    ),
    "a path out of it": (lambda: _with("../../evil.txt", "x"), "paths that lead out of it"),
    "an absolute path": (lambda: _with("/etc/evil", "x"), "paths that lead out of it"),
    "a path of Windows": (lambda: _with("C:\\evil\\..\\x", "x"), "paths that lead out of it"),
    "a symbolic link": (_linked, "holds a symbolic link"),
    "a password": (_with_password, "is encrypted with a password"),
    "DRM": (lambda: _protected("OPS/a.xhtml", "http://www.w3.org/2001/04/xmlenc#aes128-cbc"), r"copying \(DRM\)"),
    "the middle damaged": (_damaged_in_the_middle, "is damaged or was cut off"),
    "cut off": (lambda: _GOOD.packed()[:-60], "is damaged or was cut off"),
    "a zip in a zip": (lambda: packed({"book.epub": _GOOD.packed()}), "is a zip archive, but no EPUB"),
    "an empty zip": (lambda: packed({}), "is a zip archive, but no EPUB"),
    "no package": (lambda: packed({"META-INF/container.xml": CONTAINER.encode()}), "does not say where its text"),
    "a package elsewhere": (
        lambda: _with("META-INF/container.xml", CONTAINER.replace("OPS/", "../../../")),
        "does not say where its text stands",
    ),
    "a package of noise": (
        lambda: _with("OPS/package.opf", bytes(range(256)) * 9),
        "no package document that could be read",
    ),
    "no spine": (lambda: _with("OPS/package.opf", "<package/>"), "names no text that could be read"),
    "only pictures": (lambda: Epub(documents={"a.xhtml": '<img src="a.png" alt="A"/>'}).packed(), "has no words in it"),
    "DRM of text with an ending of its own": (
        lambda: packed(
            {name: data.replace(b"a.xhtml", b"a.x") for name, data in _GOOD.members().items()}
            | {"OPS/a.x": bytes(range(256)) * 9, "META-INF/encryption.xml": _encryption("OPS/a.x", "aes256-cbc")}
        ),
        r"copying \(DRM\)",
    ),
    "noise for one chapter": (
        lambda: Epub(
            documents={"a.xhtml": "<p>The tide.</p>", "b.xhtml": "<!"}, files={"OPS/b.xhtml": b"\7<" * 99}
        ).packed(),
        "holds text that is damaged or protected",
    ),
    "noise for text": (lambda: _with("OPS/a.xhtml", bytes(range(128, 256)) * 9), "holds text that is damaged"),
    "a zip for text": (lambda: _with("OPS/a.xhtml", _GOOD.packed()), "holds text that is damaged"),
}


@pytest.mark.parametrize(("make", "says"), _HOSTILE.values(), ids=_HOSTILE)
def test_a_hostile_file_is_refused_in_one_sentence_soon(make: Callable[[], bytes], says: str, tmp_path: Path) -> None:
    data = make()
    began = time.process_time()
    with pytest.raises(BookError, match=says) as caught:
        read_back(tmp_path, data, "book.epub")
    assert time.process_time() - began < 5
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith("book.epub ")
    assert message.endswith(".")
    assert caught.value.code in {BookErrorCode.UNREADABLE, BookErrorCode.TOO_LARGE, BookErrorCode.EMPTY}
    assert [path.name for path in tmp_path.iterdir() if path.name not in {"home", "work"}] == ["book.epub"]


class _Unmarked(zipfile.ZipInfo):
    """A zip member whose name is UTF-8 without the flag for it."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802 - the library's name
        return self.filename.encode(), self.flag_bits & ~0x800


def _named_without_a_mark() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in Epub(documents={"第一章.xhtml": "<p>The tide had gone out.</p>"}).members().items():
            archive.writestr(_Unmarked(name), content)
    return buffer.getvalue()


def _referred_to_as(reference: str) -> bytes:
    members = _GOOD.members()
    package = members["OPS/package.opf"].replace(b'href="a.xhtml"', f'href="{reference}"'.encode())
    return packed(members | {"OPS/package.opf": package})


_STRANGE: dict[str, Callable[[], bytes]] = {
    "strokes of Windows in names": lambda: packed({n.replace("/", "\\"): data for n, data in _GOOD.members().items()}),
    "strokes of Windows in references": lambda: _referred_to_as(".\\a.xhtml"),
    "a reference from the root": lambda: _referred_to_as("/OPS/a.xhtml"),
    "names in UTF-8 that do not say so": _named_without_a_mark,
    "accents in two forms": lambda: packed(
        {
            unicodedata.normalize("NFD", name): data
            for name, data in Epub(documents={"é.xhtml": "<p>The tide had gone out.</p>"}).members().items()
        }
    ),
    "obfuscated fonts": lambda: _protected("OPS/font.otf", "http://www.idpf.org/2008/embedding"),
    "a nested zip beside the text": lambda: _with("OPS/x.zip", _GOOD.packed()),
    "9,000 files": lambda: _many(9_000),
    "references out of it": lambda: Epub(
        documents={"a.xhtml": "<p>The tide had gone out.</p>"},
        manifest='<item id="e" href="../../../etc/passwd" media-type="application/xhtml+xml"/>',
        toc=[(0, "x", "../../../../etc/passwd")],
    ).packed(),
    "control characters": lambda: _with("OPS/a.xhtml", "<p>The\0 tide\x07 had\x1b gone out.\x7f</p>"),
    "half a character": lambda: _with("OPS/a.xhtml", b"<p>The tide had gone out.\xed\xa0\x80</p>"),
}


@pytest.mark.parametrize("make", _STRANGE.values(), ids=_STRANGE)
def test_a_strange_file_that_does_no_harm_is_read(make: Callable[[], bytes], tmp_path: Path) -> None:
    (page,) = read_back(tmp_path, make(), "book.epub").pages
    assert page.text.startswith("The tide had gone out.")
    assert page.text.encode()
