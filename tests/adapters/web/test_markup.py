"""Core's text as HTML: it cannot inject markup, and citations link only to read pages."""

import html
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from adapters.platform.sealing import ButtonSeal
from adapters.web import pages
from adapters.web.markup import Citable, as_html
from adapters.web.surface import THREAD, WebSurface
from adapters.web.talk import TalkEntry, Where
from tests.architecture.source import ROOT

_READ = Citable(pages={"1": 1, "10": 10, "12": 12, "xii": 3})
_ENTRY = TalkEntry(entry_id="1", said="", asked_at=0, reading_id=None, where=Where.TALK)


def _links(made: str) -> list[str]:
    return [part.partition('"')[0] for part in made.split('data-page="')[1:]]


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[here](javascript:alert(1))",
        "![x](http://evil.example/x.png)",
        "<http://evil.example>",
        "[a]: http://evil.example\n\n[a]",
        "**<b onclick=x>**",
        "`<script>`",
    ],
)
def test_no_text_injects_markup(text: str) -> None:
    made = as_html(text, _READ)
    for tag in ("<script", "<img", "<b ", 'href="http', 'href="javascript'):
        assert tag not in made


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("He came (p. 10).", ["10"]),
        ("**p. 10-12, chapter 2**", ["10"]),
        ("Twice (pp. 10, 12 and 1).", ["10", "12", "1"]),
        ("In the preface (p. xii).", ["3"]),
        ("Later (p. 13).", []),
        ("Chapters: 1: p. 1-10, 2: p. 12-20.", ["1", "12"]),
        ("Up. 10 of them; pp; p.", []),
        ("`p. 10`", []),
    ],
)
def test_citations_of_read_pages_are_links(text: str, linked: list[str]) -> None:
    assert _links(as_html(text, _READ)) == linked


@pytest.mark.parametrize("text", ["*a*_b_`c`", "> q", "# h", "- l", "1. n", "<b>", "&amp;", "[x](y)", "a\\*"])
def test_escaped_text_is_shown_unchanged(text: str) -> None:
    surface = WebSurface(_ENTRY, lambda _: None, thread=THREAD, reaches=0, seal=ButtonSeal(), folder=Path())
    shown = str(as_html(surface.escape(text), _READ)).removeprefix("<p>").removesuffix("</p>\n")
    assert "<" not in shown
    assert html.unescape(shown) == text


def test_all_files_of_the_page_are_in_the_package() -> None:
    builder = WheelBuilder(str(ROOT))
    packed = {file.distribution_path for file in builder.recurse_included_files()}
    needed = [*pages.STATIC.iterdir(), *(pages.STATIC.parent / "templates").iterdir()]
    assert len(needed) > 10
    assert {path.relative_to(ROOT).as_posix() for path in needed} <= packed
