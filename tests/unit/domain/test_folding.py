"""What is typed and what is printed are compared without case, accents, quotes of a kind and what nobody sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.folding import folded, unaccented


@pytest.mark.parametrize(
    ("printed", "typed"),
    [
        ("Éponine", "eponine"),
        ("E\u0301ponine", "eponine"),
        ("Straße STRASSE", "strasse strasse"),
        ("Œuvre cœur", "oeuvre coeur"),
        ("Søren Ørsted", "soren orsted"),
        ("Łódź, Đorđe", "lodz, dorde"),
        ("\ufb01nd the o\ufb03ce", "find the office"),
        ("İstanbul, ılık", "istanbul, ilik"),
        ("“It’s so,” – he said", '"it\'s so," - he said'),
        ("O`Brien O´Brien OʼBrien O′Brien O‘Brien", "o'brien o'brien o'brien o'brien o'brien"),
        ("non\u00a0breaking\u2011hyphen", "non breaking-hyphen"),
        ("so\u00adft zero\u200bwidth \ufeffmark", "soft zerowidth mark"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّـد", "محمد"),
        ("Ὀδυσσεύς", "οδυσσευσ"),
        ("Ёлка", "елка"),
        ("two\r\nlines\u2028three", "two lines three"),
        ("\ud800 half", "\ud800 half"),
    ],
)
def test_printed_and_typed_words_are_the_same(printed: str, typed: str) -> None:
    assert folded(printed) == typed


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert folded(folded(text)) == folded(text) == folded(unaccented(text))
