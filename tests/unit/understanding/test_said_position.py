"""How far is read, said in a sentence, as `/setpage` takes it."""

import pytest

from core.understanding.said_position import position_said, says_undo


@pytest.mark.parametrize(
    ("said", "position"),
    [
        ("we're on page 20 now!", "we're on page 20 now"), ("set page 20", "p. 20"), ("go back to page 18", "p. 18"),
        ("my page is 33", "p. 33"), ("page 30", "page 30"), ("finished!!", "finished"), ("bin durch!", "end"),
        ("I'm at loc 1234", "I'm at loc 1234"), ("2 hours left!", "2 hours left"), ("at 3:45:10", "at 3:45:10"),
        ("I'm 3h12m into the audiobook", "I'm 3h12m into the audiobook"), ("51% on StoryGraph", "51% on StoryGraph"),
        ("ya terminé el libro", "end"), ("wir sind auf Seite 40", "p. 40"), ("halfway there!", "halfway there"),
        ("we're on 88 now, who's the tall man?", "we're on 88 now"), ("Kapitel 2 fertig", "ch 2 done"),
        ("i finished", "finished"), ("oops, page 18", "p. 18"), ("estamos en la página 40", "p. 40"),
    ],
)  # fmt: skip
def test_a_sentence_that_says_how_far_is_read_is_plain(said: str, position: str) -> None:
    found = position_said(said)
    assert found is not None
    assert (found.text, found.is_plain) == (position, True)


@pytest.mark.parametrize(
    ("said", "position"),
    [
        ("my daughter is on page 60 already", "p. 60"), ("I loved page 14", "p. 14"), ("are we on page 40", "p. 40"),
        ("just got to the bit where they meet, p. 66", "p. 66"), ("it is on page 39", "p. 39"),
        ("im reading another book now, page 44", "page 44"), ("we're at 8 tonight", "we're at 8 tonight"),
        ("I am 44", "I am 44"), ("starting chapter 6 tonight", "starting chapter 6 tonight"),
        ("at last, finished the whole book this morning", "end"), ("ich bin 15 Jahre alt", "p. 15"),
    ],
)  # fmt: skip
def test_a_sentence_that_may_mean_something_else_is_not_plain(said: str, position: str) -> None:
    found = position_said(said)
    assert found is not None
    assert (found.text, found.is_plain) == (position, False)


@pytest.mark.parametrize(
    "said",
    [
        "no idea where we are",
        "I have 30 pages left",
        "I haven't got to chapter 6 yet",
        "we're not on page 20 now",
        "we meet at 8 on page 12",
        "I'm at 240, oops no 204",
        "page was 50 now 60",
        "p. 42-45",
    ],
)
def test_a_sentence_without_a_position_says_none(said: str) -> None:
    assert position_said(said) is None


@pytest.mark.parametrize(
    ("said", "is_plain"),
    [
        ("undo", True), ("oops, can you undo that please", True), ("annule ça", True),
        ("wait go back, who was that", False), ("I take it back, Ines is innocent", False), ("start again", False),
    ],
)  # fmt: skip
def test_only_what_says_undo_and_nothing_else_undoes(said: str, is_plain: bool) -> None:
    assert says_undo(said) is is_plain
