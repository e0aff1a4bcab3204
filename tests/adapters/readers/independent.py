"""Reads EPUB and PDF files with other libraries, to compare ours with; called by tests and benchmarks.

It is kept simple: the spine's documents through the standard library's HTML parser, the PDF's pages through
pypdf. Line ends, hyphens and brackets of notes are ignored when words are compared.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from pypdf import PdfReader
from typing_extensions import override

_DIVIDING: Final = frozenset(
    "p div h1 h2 h3 h4 h5 h6 li br td th tr section blockquote figure header aside".split()  # noqa: SIM905
)
_NO_TEXT: Final = frozenset({"head", "script", "style", "nav"})
_WINDOW: Final = 80
_SURE: Final = 3
_DIVIDED = re.compile(r"(\w)[-‐\u00ad]\n(\w)")
_UNSEEN = str.maketrans("", "", "\u2060\ufeff\u00ad")
_NOT_WORD = re.compile(r"[\W_]+")


def epub_words(path: Path) -> list[str]:
    """Return the words of the linear documents of an EPUB in their order."""
    with zipfile.ZipFile(path) as archive:
        documents = [archive.read(member).decode("utf-8") for member in _spine(archive)]
    return [word for document in documents for word in words(_Text.of(document))]


def pdf_words(path: Path, pages: Sequence[int]) -> Iterator[list[str]]:
    """Return the words of some pages (from 0), without a first or last line with the page number."""
    reader = PdfReader(path)
    labels = reader.page_labels
    for index in pages:
        lines = reader.pages[index].extract_text().split("\n")
        for end in (0, -1):
            if lines and labels[index] in lines[end].split():
                lines.pop(end)
        yield words(_DIVIDED.sub(r"\1\2", "\n".join(lines)))


def words(text: str) -> list[str]:
    """Return the words of a text, each as its letters and digits alone."""
    return [word for part in text.translate(_UNSEEN).split() if (word := _NOT_WORD.sub("", part))]


def share_in_order(theirs: Sequence[str], ours: Sequence[str]) -> float:
    """Return which share of their words ours have in the same order; linear in the length where they are alike."""
    here = there = same = 0
    while here < len(ours) and there < len(theirs):
        if ours[here] == theirs[there]:
            here, there, same = here + 1, there + 1, same + 1
            continue
        ahead = SequenceMatcher(None, theirs[there : there + _WINDOW], ours[here : here + _WINDOW], autojunk=False)
        blocks = ahead.get_matching_blocks()
        block = next((one for one in blocks if one.size >= _SURE), blocks[-1])
        same += sum(one.size for one in blocks if one.a < block.a)
        here, there = here + block.b, there + block.a
    return same / max(len(theirs), 1)


class _Text(HTMLParser):
    @classmethod
    def of(cls, document: str) -> str:
        parser = cls(convert_charrefs=True)
        parser.feed(document)
        return "".join(parser.parts)

    def __init__(self, *, convert_charrefs: bool) -> None:
        super().__init__(convert_charrefs=convert_charrefs)
        self.parts: list[str] = []
        self._unread = 0

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in _NO_TEXT
        self._divide(tag)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._divide(tag)

    @override
    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in _NO_TEXT
        self._divide(tag)

    @override
    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.parts.append(data)

    def _divide(self, tag: str) -> None:
        if tag in _DIVIDING:
            self.parts.append(" ")


def _spine(archive: zipfile.ZipFile) -> list[str]:
    container = archive.read("META-INF/container.xml").decode()
    package = _found(r'full-path="([^"]+)"', container)
    text = archive.read(package).decode("utf-8")
    items = {
        _found(r'\bid="([^"]+)"', item): _found(r'href="([^"]+)"', item) for item in re.findall(r"<item\s[^>]*>", text)
    }
    order = [item for item in re.findall(r"<itemref[^>]*>", text) if 'linear="no"' not in item]
    return [posixpath.join(posixpath.dirname(package), items[_found(r'idref="([^"]+)"', item)]) for item in order]


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return match[1]
