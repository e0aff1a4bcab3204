"""Which stretches stand for a chapter: what its people do, told by whoever tells the story, whole, up to the page."""

import pytest

from core.answering.extracts.read_text import ReadText
from core.answering.extracts.recap_extracts import telling_stretches
from core.domain.book import Chapter, Page

_TALK = "“I should think that Hallam might have come by the ferry if the wind was from the west,” said Lacey softly."
_SCENERY = "The hills beyond the harbour were grey and the sky above them was a paler grey than the water below it."
_DEED = "At last Hallam took the ledger from the drawer and threw it into the stove as Lacey came down the stairs."
_AFTER = "At once Lacey found the drawer open and ran out into the yard to look for Hallam."


def _read(*texts: str, chapters: tuple[Chapter, ...] = ()) -> ReadText:
    return ReadText([Page(number=number, text=text) for number, text in enumerate(texts, start=1)], chapters)


def _told(read: ReadText, *, most: int = 1, words: int = 37) -> list[str]:
    found = telling_stretches(read, 1, read.last_page, most=most, words=words)
    return [" ".join(each.text for each in one) for one in found]


@pytest.mark.parametrize("order", [(_TALK, _SCENERY, _DEED), (_DEED, _SCENERY, _TALK), (_SCENERY, _DEED, _TALK)])
def test_a_deed_is_told_rather_than_talk_or_scenery(order: tuple[str, ...]) -> None:
    assert _told(_read("\n\n".join(order))) == [_DEED]


@pytest.mark.parametrize("begins", ["When he saw her there", "Presently they", "As she came down the stairs he"])
def test_whoever_is_meant_by_a_pronoun_has_to_be_named_before_it(begins: str) -> None:
    text = f"{begins} took the ledger and threw it into the stove without a word to anybody. {_AFTER}"
    assert _told(_read(text)) == [_AFTER]


def test_no_stretch_is_longer_than_there_is_room_for() -> None:
    read = _read(f"{_DEED} {_AFTER}\n\n{_AFTER} {_DEED}")
    for words in (15, 20, 30, 40):
        assert all(len(each.split()) <= words for each in _told(read, most=2, words=words))


def test_a_page_of_two_chapters_gives_each_its_own_side_of_the_heading() -> None:
    chapters = (
        Chapter(number=1, title="Chapter 1", first_page=1, last_page=2),
        Chapter(number=2, title="Chapter 2", first_page=2, last_page=3),
    )
    other = "At noon Tobias wound the clocks and carried the firkin over the bridge to the mill."
    read = _read(_SCENERY, f"{_DEED}\n\nChapter 2\n\n{other}", _SCENERY, chapters=chapters)
    first = telling_stretches(read, 1, 2, most=1, words=37)
    second = telling_stretches(read, 2, 3, most=1, words=37)
    assert [each.text for one in first for each in one] == [_DEED]
    assert [each.text for one in second for each in one] == [other]


def test_what_a_chapter_is_called_by_is_told_of_it() -> None:
    plain = "At noon Tobias came to the mill and gave the miller a coin and took his hat and walked home to bed."
    called = "At noon Tobias carried the heron in a sack and let the heron go by the weir."
    chapters = (Chapter(number=1, title="Chapter 1: The Heron", first_page=1, last_page=1),)
    assert _told(_read(f"{plain} {plain}\n\n{called}", chapters=chapters), words=20) == [called]
