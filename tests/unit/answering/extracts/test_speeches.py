"""Long speeches are taken apart where a sentence of them ends, and nothing else is."""

from core.answering.extracts.places import taken_apart
from core.answering.extracts.read_text import ReadText
from core.domain.book import Page
from core.language.words import words

_SAID = "When a man has been sitting about like a hulk for twenty years, as Mr. Fenn has, it eats into him. "


def test_a_long_speech_becomes_sentences_and_loses_no_word() -> None:
    speech = f"“{_SAID * 6}That is all.”"
    read = ReadText([Page(number=1, text=f"He sat down.\n\n{speech}\n\nShe said nothing.")])
    whole = read.sentences(1, 1)
    apart = taken_apart(whole)
    assert len(apart) > len(whole)
    assert max(each.words for each in apart) < 30
    assert [word for each in apart for word in words(each.text)] == words(" ".join(each.text for each in whole))
    assert sum(each.running for each in apart) == sum(each.running for each in whole)
    assert all(each.is_whole for each in apart)
    assert len({each.paragraph for each in apart}) == 3
