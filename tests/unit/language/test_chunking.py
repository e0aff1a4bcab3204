"""Chunks are whole sentences of one page, in order, with every word once."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.book import Chapter, Chunk, Page
from core.language.chunking import chunk_pages

_SENTENCE = "Then the old man walked on down to the sea."


@pytest.mark.parametrize(
    ("words", "lengths"), [(0, []), (10, [10]), (200, [200]), (300, [150, 150]), (390, [190, 200]), (600, [200] * 3)]
)
def test_a_page_is_cut_into_pieces_of_similar_length(words: int, lengths: list[int]) -> None:
    chunks = _chunked(" ".join([_SENTENCE] * (words // 10)))
    assert [len(chunk.text.split()) for chunk in chunks] == lengths
    assert all(chunk.text.endswith("sea.") for chunk in chunks)


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
    "word",
    ["word ", "Mr. X. ", "x", "“a. ", "老人走到了海边，看着那片灰色的海，什么也没有说。", "山", "「"],
    ids=["words", "titles", "one word", "quotes", "Chinese", "no full stop", "opening"],
)
def test_a_text_without_an_end_is_cut_in_time(word: str) -> None:
    """What is guarded against takes minutes; a busy machine may well take several times what a quiet one does."""
    text = word * (200_000 // len(word))
    start = time.process_time()
    chunks = _chunked(text)
    assert time.process_time() - start < 6
    assert _letters(" ".join(chunk.text for chunk in chunks)) == _letters(text)
    assert max(len(chunk.text) for chunk in chunks) < 5_000


@pytest.mark.parametrize(
    "sentence", ["老人走到了海边。", "他说：「走吧！」", "海は静かだった！？", "a漢字bc（山水人）。"]
)
def test_text_without_spaces_is_cut_at_sentence_ends(sentence: str) -> None:
    text = sentence * (8_000 // len(sentence))
    chunks = [chunk.text for chunk in _chunked(text)]
    assert "".join(chunks) == text
    assert all(200 <= len(chunk) <= 1_000 for chunk in chunks)
    assert all(not len(chunk) % len(sentence) for chunk in chunks)


_TEXTS = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from(
            [
                _SENTENCE,
                "\n\n",
                " ",
                "山水人。" * 90,
                "x" * 3_000,
                "“No.”Then",
                "Mr. X. said: “Oh!” ",
                "word " * 300,
                "a.b ",
                "\x1c\x85",
            ]
        ),
    ),
    max_size=25,
).map("".join)


@settings(max_examples=20)
@given(st.lists(_TEXTS, max_size=4), st.integers(1, 250))
def test_chunks_stay_on_their_page_and_keep_every_word(texts: list[str], target: int) -> None:
    pages = [Page(number=number, text=text) for number, text in enumerate(texts, 1)]
    chunks = chunk_pages(pages, [], target_words=target)
    for page in pages:
        own = [chunk.text for chunk in chunks if chunk.start_page == page.number]
        assert _letters("".join(own)) == _letters(page.text)
        assert all(text.strip() and text in page.text for text in own)
    assert all(chunk.start_page == chunk.end_page for chunk in chunks)
    assert [chunk.number for chunk in chunks] == list(range(1, len(chunks) + 1))


def _letters(text: str) -> str:
    return "".join(text.split())


def _chunked(text: str) -> list[Chunk]:
    return chunk_pages([Page(number=1, text=text)], [])
