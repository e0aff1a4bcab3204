"""Titles and authors: the best source wins, and characters that cannot be shown are removed."""

from pathlib import Path

import pytest

from adapters.readers.choose import reader_for
from tests.adapters.readers.files import read_back

_GUTENBERG = """Title: Emma; or,
    A Match

Author: Jane Austen

*** START OF THE PROJECT GUTENBERG EBOOK EMMA ***

Emma Woodhouse, handsome.
"""
_MISLEADING = "\u202e My\u200b\x1b \n\t\u2028 Emma\x00\u2066\ufeff "


@pytest.mark.parametrize(
    ("given_", "kept"), [(_MISLEADING, "My Emma"), ("E" * 400, "E" * 300), ("E" * 299 + " mma", "E" * 299)]
)
def test_names_are_kept_as_they_can_be_shown(given_: str, kept: str, tmp_path: Path) -> None:
    path = tmp_path / "emma.txt"
    path.write_text(_GUTENBERG, encoding="utf-8")
    book = reader_for(path).read(path, title=given_, author=given_)
    assert (book.title, book.author) == (kept, kept)


@pytest.mark.parametrize("nothing", ["", " \n", "\u200b", "\u202e\x07 \u2069", "\ud800"])
def test_an_invisible_name_counts_as_not_given(nothing: str, tmp_path: Path) -> None:
    path = tmp_path / "emma.txt"
    path.write_text(_GUTENBERG, encoding="utf-8")
    book = reader_for(path).read(path, title=nothing, author=nothing)
    assert (book.title, book.author) == ("Emma; or, A Match", "Jane Austen")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("the_moonstone.txt", "The Moonstone"),
        ("war-and-peace.txt", "War and Peace"),
        ("Emma.TXT", "Emma"),
        ("the MOON.text", "the MOON"),
        ("___.txt", "Untitled"),
    ],
)
def test_the_file_names_the_book_where_nothing_else_does(name: str, title: str, tmp_path: Path) -> None:
    assert read_back(tmp_path, "text", name).title == title


def test_arguments_win(tmp_path: Path) -> None:
    path = tmp_path / "emma.txt"
    path.write_text(_GUTENBERG, encoding="utf-8")
    book = reader_for(path).read(path, title=" My\nEmma ", author="me")
    assert (book.title, book.author) == ("My Emma", "me")
    assert reader_for(path).read(path, title=" ").title == "Emma; or, A Match"
