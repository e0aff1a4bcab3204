"""Chunks are whole sentences of one page, in order, with every word once."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.book import Chapter, Chunk, Page
from core.text.chunking import chunk_pages, sentence_cuts

_SENTENCE = "Then the old man walked on down to the sea."


@pytest.mark.parametrize(
    ("words", "lengths"), [(0, []), (10, [10]), (200, [200]), (300, [150, 150]), (390, [190, 200]), (600, [200] * 3)]
)
def test_a_page_is_cut_into_pieces_of_similar_length(words: int, lengths: list[int]) -> None:
    chunks = _chunked(" ".join([_SENTENCE] * (words // 10)))
    assert [len(chunk.text.split()) for chunk in chunks] == lengths
    assert all(chunk.text.endswith("sea.") for chunk in chunks)


def test_a_heading_is_not_left_alone_before_a_long_sentence() -> None:
    assert len(_chunked("Chapter I\n\n" + "word " * 260 + "end.")) == 1


def test_paragraphs_stay_as_they_are_within_a_chunk() -> None:
    assert _chunked("One.\n\nTwo,\nthree.")[0].text == "One.\n\nTwo,\nthree."


def test_a_chunk_knows_its_page_and_chapter() -> None:
    pages = [Page(number=number, text=text) for number, text in enumerate(["front", "one", " \n", "shared", "two"], 1)]
    chapters = [
        Chapter(number=1, title="A", first_page=2, last_page=4),
        Chapter(number=2, title="B", first_page=4, last_page=5),
    ]
    chunks = chunk_pages(pages, chapters)
    assert [(one.number, one.start_page, one.end_page, one.chapter_number) for one in chunks] == [
        (1, 1, 1, None),
        (2, 2, 2, 1),
        (3, 4, 4, 1),
        (4, 5, 5, 2),
    ]


@pytest.mark.parametrize(
    ("word", "seconds"),
    [("word ", 2), ("Mr. X. ", 2), ("x", 2), ("“a. ", 5)],  # quotations that never end are the dearest to cut
    ids=["words", "titles", "one word", "quotes"],
)
def test_two_megabytes_without_an_end_are_cut_in_time(word: str, seconds: float) -> None:
    text = word * (2_000_000 // len(word))
    start = time.process_time()
    chunks = _chunked(text)
    assert time.process_time() - start < seconds
    assert sum(len(chunk.text.split()) for chunk in chunks) == len(text.split())


def test_a_monster_sentence_is_cut_at_words() -> None:
    assert max(cut.words for cut in sentence_cuts("word " * 1_000, longest=400)) == 1_000
    assert all(150 <= len(chunk.text.split()) <= 250 for chunk in _chunked("word " * 1_000))


_TEXTS = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            [_SENTENCE, "\n\n", " ", "“No.”Then", "Mr. X. said: “Oh!” ", "word " * 300, "a.b ", "\x1c\x85"]
        ),
    ),
    max_size=25,
).map("".join)


@settings(max_examples=200, deadline=None)
@given(st.lists(_TEXTS, max_size=4), st.integers(1, 250))
def test_chunks_stay_on_their_page_and_keep_every_word(texts: list[str], target: int) -> None:
    pages = [Page(number=number, text=text) for number, text in enumerate(texts, 1)]
    chunks = chunk_pages(pages, [], target_words=target)
    for page in pages:
        own = [chunk.text for chunk in chunks if chunk.start_page == page.number]
        assert " ".join(own).split() == page.text.split()
        assert all(text.strip() and text in page.text for text in own)
    assert all(chunk.start_page == chunk.end_page for chunk in chunks)
    assert [chunk.number for chunk in chunks] == list(range(1, len(chunks) + 1))


def _chunked(text: str) -> list[Chunk]:
    return chunk_pages([Page(number=1, text=text)], [])
