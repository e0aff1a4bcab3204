"""Markdown books: the plain text, the chapters, the names."""

from pathlib import Path

import pytest

from adapters.readers.markdown import split_front_matter
from tests.adapters.readers.files import prose, read_back

_TEXT = prose(400)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("*He* __ran__ to **the** _sea_.", "He ran to the sea."),
        ("1984. It was a cold day.", "1984. It was a cold day."),
        ("[Aside]: Never!", "[Aside]: Never!"),
        ("<Enter Ghost>", "<Enter Ghost>"),
        ("He <b>ran</b> &amp; \\*fell\\* [down](http://a.b) ![hill](i.png)", "He ran & *fell* down hill"),
        ("> A letter:\n> # dear me", "A letter:\n\ndear me"),
        ("* one\n* two", "- one\n- two"),
        ("```\n# code\n```", "# code"),
        ("    Indented *so*.", "Indented so."),
        ("Roses  \nViolets", "Roses\nViolets"),
        ("He left.\n---\nShe came.", "He left.\n\nShe came."),
        ("snake_case 2 * 3 * 4", "snake_case 2 * 3 * 4"),
        ("# One #\n\nTwo\n===\n\nx", "One\n\nTwo\n\nx"),
    ],
)
def test_plain_text_comes_out(source: str, text: str, tmp_path: Path) -> None:
    book = read_back(tmp_path, source, "book.md")
    assert "\n\n".join(page.text for page in book.pages) == text


@pytest.mark.parametrize(
    ("source", "title", "chapters"),
    [
        (f"# Emma\n\n## Chapter I\n\n{_TEXT}\n\n## Chapter II\n\n{_TEXT}", "Emma", ["Chapter I", "Chapter II"]),
        (f"Emma\n====\n\nShore\n-----\n\n{_TEXT}\n\nSea\n---\n\n{_TEXT}", "Emma", ["Shore", "Sea"]),
        (f"# Emma\n\n{_TEXT}", "Emma", []),
        (f"# Chapter 1\n\n{_TEXT}", "Book", ["Chapter 1"]),
        (f"# Emma\n\n# Chapter 1\n\n{_TEXT}\n\n# Chapter 2\n\n{_TEXT}", "Emma", ["Chapter 1", "Chapter 2"]),
        (f"# Part One\n\n## Shore\n\n{_TEXT}\n\n# Part Two\n\n## Sea\n\n{_TEXT}", "Book", ["Shore", "Sea"]),
        (f"# Prologue\n\n{_TEXT}\n\n# Part I\n\n## 1\n\n{_TEXT}\n\n## 2\n\n{_TEXT}", "Book", ["Prologue", "1", "2"]),
        (f"# Shore\n\n{_TEXT}\n\n### Detail\n\n{_TEXT}\n\n# Sea\n\n{_TEXT}", "Book", ["Shore", "Sea"]),
        (f"# Chapter I\n\nThe Old Shore\n\n{_TEXT}", "Book", ["Chapter I: The Old Shore"]),
        (f"# Emma\n\n```\n## Not this\n```\n\n> ## Nor this\n\n## Sea\n\n{_TEXT}", "Emma", ["Sea"]),
        (_TEXT, "Book", []),
    ],
)
def test_title_and_chapters(source: str, title: str, chapters: list[str], tmp_path: Path) -> None:
    book = read_back(tmp_path, source, "book.md")
    assert book.title == title
    assert [chapter.title for chapter in book.chapters] == chapters


@pytest.mark.parametrize(
    ("source", "entries", "rest"),
    [
        ('---\ntitle: "T & Q"\nauthor: Me\n---\ntext', {"title": "T & Q", "author": "Me"}, "\ntext"),
        ("---\nAuthor:\n  - A\n  - B\n# note\n...\ntext", {"author": "A, B"}, "\ntext"),
        ("---\nauthor: [A, 'B']\n---\n", {"author": "A, B"}, "\n"),
        ("---\nHe came home late.\n---\ntext", {}, "---\nHe came home late.\n---\ntext"),
        ("---\ntitle: never closed", {}, "---\ntitle: never closed"),
        ("text", {}, "text"),
    ],
)
def test_front_matter(source: str, entries: dict[str, str], rest: str) -> None:
    assert split_front_matter(source) == (entries, rest)
