"""The guard's indexes come back from a file as they were built, and judge alike to the last bit."""

from dataclasses import replace

import numpy as np

from core.domain.book import Book, BookStatus, BookText, PageSource
from core.guard.book_index import BookIndex, StemIndex, index_book, run_hashes, tops_of
from core.guard.judge import Exempt, Judge
from core.guard.kept_index import KeptIndexes
from core.guard.rules import Runs, unread_runs
from core.guard.score import fitted_score
from core.language.kept_arrays import arrays_of
from tests.builders import a_book_text
from tests.fakes.index_files import InMemoryIndexFiles


def _book() -> Book:
    return Book(
        book_id="b_1",
        scope="local",
        title="Short Weight",
        author=None,
        content_hash="hash",
        pages=80,
        chapters=0,
        chunks=0,
        page_source=PageSource.FORM_FEEDS,
        status=BookStatus.COMPLETE,
        notes_id="1",
    )


def _notes(pages: BookText) -> list[tuple[int, str]]:
    return [(page.number, line) for page in pages.pages for line in page.text.split(". ")[:3]]


def _kept(text: BookText) -> tuple[BookIndex, StemIndex, BookIndex, StemIndex]:
    """Return the indexes of a book and its notes as they are built, and as they come back."""
    kept = KeptIndexes(InMemoryIndexFiles())
    book = _book()
    built = kept.build_book(book, text.pages)
    noted = kept.build_notes(book, _notes(text), built)
    loaded, loaded_notes = kept.book(book), kept.notes(book)
    assert noted is not None
    assert loaded is not None
    assert loaded_notes is not None
    assert loaded_notes[0] is not None
    return built, noted, loaded, loaded_notes[0]


def test_every_array_comes_back_as_it_was(sample_text: BookText) -> None:
    built, noted, loaded, loaded_notes = _kept(sample_text)
    for one, other in ((built, loaded), (noted, loaded_notes)):
        arrays = arrays_of(one)
        assert arrays_of(other).keys() == arrays.keys()
        for name, array in arrays_of(other).items():
            assert array.dtype == arrays[name].dtype, name
            np.testing.assert_array_equal(array, arrays[name], err_msg=name)


def test_verdicts_are_the_same_to_the_last_bit(sample_text: BookText) -> None:
    built, noted, loaded, loaded_notes = _kept(sample_text)
    sentences = [" ".join(page.text.split()[:60]) for page in sample_text.pages[::27]]
    for text in (*sentences, "Then Ralph Hallam told them who had moved the weights, and why.", "Yes."):
        for last_page in (0, 20):
            exempt = Exempt.of("Short Weight", None, "Who?")
            fresh = Judge(index=built, last_page=last_page, fitted=fitted_score(), notes=noted)
            kept = replace(fresh, index=loaded, notes=loaded_notes)
            assert kept.verdicts(text, exempt, question="Who?") == fresh.verdicts(text, exempt, question="Who?")
            assert kept.revealed_page(text, exempt) == fresh.revealed_page(text, exempt)


def test_runs_whose_hashes_begin_alike_are_told_apart_by_their_words() -> None:
    words = [f"w{number}" for number in range(40)]
    index = index_book(a_book_text((" ".join(words),)).pages)
    asked = words[20:28]
    of_asked = tops_of(run_hashes(index.words.numbers_of(asked)))[0]
    alike = replace(index, runs=np.full_like(index.runs, of_asked))
    assert [at for at, _ in unread_runs(Runs.of(asked, alike), alike, last_page=0)] == [0]
    strangers = [*asked[:7], "w39"]
    all_alike = replace(index, runs=np.zeros_like(index.runs))
    assert unread_runs(Runs.of(strangers, all_alike), all_alike, last_page=0) == []
