"""The language of a question is told by its commonest words, or not at all."""

import pytest

from core.language.words import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who is the man on the train?", "en"),
        ("Wer ist der Mann im Zug?", "de"),
        ("Qui est le monsieur dans le train ?", "fr"),
        ("¿Quién es el hombre que está en el tren?", "es"),
        ("Chi è il signore che è nel treno?", "it"),
        ("Wie is de man in het huis?", "nl"),
        ("Hallam?", None),
        ("recap please", None),
        ("", None),
        ("電車の男は誰ですか", None),
    ],
)
def test_a_language_is_told_where_it_is_plain(text: str, language: str | None) -> None:
    assert language_of(text) == language
